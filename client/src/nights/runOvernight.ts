// "Run Overnight…": starts an unattended run in the background. Asks for its end, the number of changes, the scope, the
// proposer and the limit of its costs, and shows a summary before the start.

import * as vscode from 'vscode';
import type { NightChoices, RunOvernightParams } from '#protocol/nights';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { offerTrust } from '../improve.ts';
import { showMessage, showFailure } from '../messages.ts';
import { runOnce } from '../runOnce.ts';
import { withProgress } from '../server/withProgress.ts';
import { confirmAcceptanceTests } from './acceptance.ts';
import {
  createEndOffers,
  createLimitOffers,
  mayCost,
  createMoneyOffers,
  parseAmount,
  createProposerOffers,
  formatPlanSummary,
  parseEnd,
  type OvernightPlan,
} from './overnight.ts';
import { findMissingPart, completeName, type MissingPart } from '../models/missingPart.ts';
import { askForAddress, askForFile } from '../models/pickProposer.ts';
import type { OvernightOffer } from './overnightOffer.ts';
import {
  PART_QUESTIONS,
  createPartOffers,
  createScopeOffers,
  WHOLE_SCOPE,
  type OvernightScope,
} from './overnightScope.ts';
import { pickMany, pickOne, askForText, type StepAnswer, type DialogStep } from './steps.ts';
import { withConsents } from '../models/consents.ts';
import { askToSendCode } from '../models/sendCode.ts';

const TITLE = 'Run Overnight';
/**
 * The key under which VS Code stores the proposer of the last run for each workspace; null for recipes only. It differs
 * from the proposer of a single request, because a run cannot ask the models of this window.
 */
const PROPOSER_KEY = 'selfware.nightProposer';
const [START, BACK] = ['Start', 'Back'];

/** Runs the command. Undefined if the person cancels. */
export async function runOvernight(context: ClientContext): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  const choices = await withProgress(context, 'Looking at who can be asked', 'runOvernight', {});
  if (!choices?.night) {
    if (choices) showFailure(choices, context.output);
    return undefined;
  }
  const plan = await askPlan(context, choices.night);
  if (!plan) return undefined;
  if (plan.proposer !== null && !(await confirmAcceptanceTests(context, plan.proposer))) return undefined;
  return startRun(context, plan);
}

/** Asks one question after the other; Back returns to the previous one. Undefined if the person cancels. */
async function askPlan(context: ClientContext, choices: NightChoices): Promise<OvernightPlan | undefined> {
  const lastProposer = context.memory.get<string | null>(PROPOSER_KEY) ?? null;
  const folder = context.feed.current?.rootName ?? 'this folder';
  let plan: Omit<OvernightPlan, 'until'> & { readonly until?: number } = {
    maxChanges: choices.maxChanges,
    proposer: lastProposer,
    scope: WHOLE_SCOPE,
    maxCost: null,
  };
  const storeAnswer = <T>(answer: StepAnswer<T>, planPartOf: (value: T) => Partial<OvernightPlan>): StepAnswer<T> => {
    if (isAnswered(answer)) plan = { ...plan, ...planPartOf(answer.value) };
    return answer;
  };
  const questions: readonly (() => Promise<StepAnswer<unknown>>)[] = [
    async () => storeAnswer(await askEnd(), (until) => ({ until })),
    async () => {
      const answer = await pickOne(
        createStep(2, 'How many changes at most?'),
        createLimitOffers(choices),
        plan.maxChanges,
      );
      return storeAnswer(answer, (maxChanges) => ({ maxChanges }));
    },
    async () => storeAnswer(await askScope(choices, plan.scope, folder), (scope) => ({ scope })),
    async () => {
      const answer = await askProposerAndMoney(choices, lastProposer, plan);
      return storeAnswer(answer, (proposerAndMoney) => proposerAndMoney);
    },
    () => confirmRun(choices, { ...plan, until: plan.until ?? 0 }, folder),
  ];
  for (let index = 0; index < questions.length; ) {
    const answer = await questions[index]!();
    if (answer === undefined) return undefined;
    index += answer === 'back' ? -1 : 1;
  }
  await context.memory.update(PROPOSER_KEY, plan.proposer);
  return { ...plan, until: plan.until ?? 0 };
}

/** Asks what the run works on. Choosing folders and kinds is part of this question. */
async function askScope(
  choices: NightChoices,
  scopeBefore: OvernightScope,
  folder: string,
): Promise<StepAnswer<OvernightScope>> {
  for (let scope = scopeBefore; ; ) {
    const answer = await pickOne(createStep(3, 'What may it work on?'), createScopeOffers(scope, folder));
    if (!isAnswered(answer)) return answer;
    const part = answer.value;
    if (part === 'done') return { value: scope };
    const chosenValues = await pickMany(
      createStep(3, PART_QUESTIONS[part]),
      createPartOffers(part, choices),
      scope[part],
    );
    if (chosenValues === undefined) return undefined;
    if (chosenValues !== 'back') scope = { ...scope, [part]: chosenValues.value };
  }
}

/** Asks for the proposer, and for the limit of money if its questions may cost some. */
async function askProposerAndMoney(
  choices: NightChoices,
  preselectedProposer: string | null,
  { proposer: proposerBefore }: Pick<OvernightPlan, 'proposer'>,
): Promise<StepAnswer<Pick<OvernightPlan, 'proposer' | 'maxCost'>>> {
  const questionText = 'Whom should it ask for what recipes cannot do? Nothing is sent before you agree.';
  const offers = createProposerOffers(choices, preselectedProposer ?? undefined);
  for (let proposer = proposerBefore; ; ) {
    const answer = await askProposer(questionText, offers, proposer);
    if (!isAnswered(answer)) return answer;
    proposer = answer.value;
    if (!mayCost(proposer, choices.money)) return { value: { proposer, maxCost: null } };
    const maxCost = await askMoney(choices.money.limit);
    if (maxCost === undefined) return undefined;
    if (maxCost !== 'back') return { value: { proposer, maxCost: maxCost.value } };
  }
}

/** Asks for the limit of money. Typing another amount is part of this question. */
async function askMoney(limit: number): Promise<StepAnswer<number>> {
  const answer = await pickOne(
    createStep(4, 'How much money may its questions cost, by your prices?'),
    createMoneyOffers(limit),
  );
  if (!isAnswered(answer)) return answer;
  if (answer.value !== null) return { value: answer.value };
  const typedAnswer = await askForText(createStep(4, '2.50'), parseAmount, 'Type an amount above 0, such as 2.50.');
  return typedAnswer === 'back' ? askMoney(limit) : typedAnswer;
}

/** Asks for the end. Typing another time is part of this question. */
async function askEnd(): Promise<StepAnswer<number>> {
  for (;;) {
    const answer = await pickOne(createStep(1, 'How long may it work?'), createEndOffers(Date.now()));
    if (!isAnswered(answer)) return answer;
    if (answer.value !== null) return { value: answer.value };
    const step = { ...createStep(1, '06:30, or 90m'), canGoBack: true };
    const typedAnswer = await askForText(
      step,
      (text) => parseEnd(text, Date.now()),
      'Type a time of day, such as 06:30, or a duration, such as 8h or 90m.',
    );
    if (typedAnswer !== 'back') return typedAnswer;
  }
}

/** Asks for the proposer. Adding a model or its file is part of this question. */
async function askProposer(
  questionText: string,
  offers: readonly OvernightOffer<string | null>[],
  lastProposer: string | null,
): Promise<StepAnswer<string | null>> {
  for (;;) {
    const answer = await pickOne(createStep(4, questionText), offers, lastProposer);
    const missingPart = isAnswered(answer) ? findMissingPart(answer.value) : null;
    if (!missingPart) return answer;
    const completedChoice = await askMissing(missingPart);
    if (completedChoice !== 'back') return completedChoice;
  }
}

/**
 * Asks for the missing part of a proposer's name. Returns the complete name, or `back` if no file was chosen or no
 * address typed.
 */
async function askMissing(missingPart: MissingPart): Promise<StepAnswer<string>> {
  if (missingPart.part !== 'model') {
    const name = missingPart.part === 'file' ? await askForFile(missingPart.kind) : await askForAddress(TITLE);
    return name === undefined ? 'back' : { value: name };
  }
  return askForText(
    createStep(4, `The name of the model, as ${missingPart.kind} calls it`),
    (text) => (text.trim() === '' ? null : completeName(missingPart, text)),
    'Type the name of a model.',
  );
}

/** Shows the summary of the plan, and asks whether to start. */
async function confirmRun(choices: NightChoices, plan: OvernightPlan, folder: string): Promise<StepAnswer<true>> {
  const detail = formatPlanSummary(plan, folder, choices, Date.now());
  const answer = await vscode.window.showInformationMessage(
    'Start an unattended run?',
    { modal: true, detail },
    START,
    BACK,
  );
  return answer === START ? { value: true } : answer === BACK ? 'back' : undefined;
}

/** Starts the run, after the person has agreed to every destination of code. Undefined if they decline or cancel. */
async function startRun(context: ClientContext, plan: OvernightPlan): Promise<CommandOutcome | undefined> {
  const { until, maxChanges, proposer, maxCost, scope } = plan;
  const params: RunOvernightParams = {
    until,
    maxChanges,
    places: scope.places,
    excluded: scope.excluded,
    ...(scope.kinds.length === 0 ? {} : { kinds: scope.kinds }),
    ...(maxCost === null ? {} : { maxCost }),
    ...(proposer === null ? {} : { proposer }),
  };
  const outcome = await withConsents(
    (agreed) =>
      runOnce('start a night', () =>
        withProgress(context, TITLE, 'runOvernight', { ...params, ...(agreed === undefined ? {} : { agreed }) }),
      ),
    askToSendCode,
  );
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}

/** The texts of one step. There are four steps before the confirmation. */
function createStep(step: number, placeholder: string): DialogStep {
  return { title: TITLE, placeholder, step, steps: 4 };
}

function isAnswered<T>(answer: StepAnswer<T>): answer is { readonly value: T } {
  return answer !== undefined && answer !== 'back';
}
