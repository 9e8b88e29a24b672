// Asks a language model or an agent for one change, and files the best answer.

import { estimateTokens } from '../../../util/tokens.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { Usage } from '../../model/asks.ts';
import type { FileEdit, Millis } from '../../model.ts';
import type { Proposer } from '../../ports/proposers.ts';
import type { Account } from '../../proposers/accounts.ts';
import { explainTooLong, findStopReason, type Stop } from '../../proposers/budgets.ts';
import { findFirstOutage, findUnsentPause, createPostponement } from '../../proposers/outages.ts';
import { chooseAnswerFormat } from '../../proposers/answerFormat.ts';
import { createAgentMessages } from '../../proposers/agentPrompt.ts';
import { sortBestAnswersFirst } from '../../proposers/bestAnswer.ts';
import { findPrice } from '../../proposers/prices.ts';
import { createMessages } from '../../proposers/prompt.ts';
import { addUsage, NOTHING_USED } from '../../proposers/usage.ts';
import { requireMayApply } from '../apply/applyPause.ts';
import type { SessionContext } from '../context.ts';
import { proposeEdits } from '../propose/proposingEdits.ts';
import { createAcceptedTestEdits, createChangeFromAnswer, identifyContent, readAnswerEdits } from './answerEdits.ts';
import { readBudgetLimits, sendIfAffordable, type PreparedQuestion, type SendResult } from './askOnce.ts';
import type { AskOutcome, AskRequest } from './askTypes.ts';
import { createNobodyLeftError, openProposers, preferProposer } from './openProposer.ts';
import { describeAttempts, findWaitingChange, readAccount, readAskEvents } from './pastAttempts.ts';
import { findTestToFix } from './fixTask.ts';
import { createQuestion, identifyTask, type IdentifiedTask } from './questions.ts';
import { runQuickGates } from './quickGates.ts';
import {
  fileSpareAnswer,
  storeSpareAnswers,
  markDuplicate,
  RETRIABLE_REASONS,
  type SpareAnswer,
} from './spareAnswers.ts';
import { taskId } from './taskId.ts';
import type { CLAIM_BY_KIND } from './taskText.ts';

/**
 * Asks one question and files the best answer. A verified change that already waits for a decision about the task comes
 * first, then a promising answer to an earlier question. An unusable answer and a failure of the proposer are outcomes,
 * not errors. If a proposer of a list fails, the next one is asked. Throws `untrusted`, `usage`, `forbidden`,
 * `notFound`, `stale`, `cancelled`, `unavailable`, and with `toApply` also `paused`.
 */
export async function askQuestion(
  context: SessionContext,
  request: AskRequest,
  signal: AbortSignal,
): Promise<AskOutcome> {
  // Throws before any work on the task if nobody may be asked.
  await openProposers(context, request.proposer, 'request');
  const { task } = request;
  if (!('fix' in task) || task.isWholeName) return askAboutTask(context, request, signal);
  // Attempts are counted by the whole name of the test, even if only a part of it was given.
  const name = await findTestToFix(context, task.fix, { ...request, signal });
  if (name === null) return askAboutTask(context, request, signal);
  const foundTask = { fix: name, isWholeName: true } as const;
  const outcome = await askAboutTask(context, { ...request, task: foundTask }, signal);
  return { ...outcome, foundTask: taskId(foundTask) };
}

/** Asks one proposer after the other about a task, until one answers. */
async function askAboutTask(context: SessionContext, request: AskRequest, signal: AbortSignal): Promise<AskOutcome> {
  const taskToAsk = await identifyTask(context, request.task);
  const { kind, rule = kind } = taskToAsk.task;
  const openedProposers = await openProposers(context, request.proposer, kind, rule);
  if (openedProposers.length === 0) throw createNobodyLeftError(kind);
  const proposers = request.toApply ? await requireMayApply(context, openedProposers) : openedProposers;
  const readyChange = await findReadyChange(context, taskToAsk, request.ignoresEarlier === true, signal);
  if (readyChange) return readyChange;
  const failures: string[] = [];
  let usageOfFailures: Usage | null = null;
  let isAsked = false;
  let final: 'task' | 'all' = 'all';
  let pause: ReturnType<typeof findUnsentPause> = null;
  // Only the first question that is sent records that the task starts afresh.
  let ignoresEarlier = request.ignoresEarlier === true;
  for (const proposer of proposers) {
    const outcome = await askOne(context, {
      ...request,
      signal,
      ignoresEarlier,
      answerer: proposer,
      identifiedTask: taskToAsk,
    });
    if ('failed' in outcome) {
      // If there is no other proposer, the person reads the error itself, and no failed attempt is recorded.
      if (outcome.unsent && proposers.length === 1) throw outcome.unsent;
      if (outcome.unsent) pause ??= findUnsentPause(outcome.unsent, context.ports.clock.now());
      failures.push(outcome.failed);
      if (outcome.endsTask) final = 'task';
      isAsked ||= !outcome.unsent && !outcome.skipped;
      if (outcome.usage) usageOfFailures = addUsage(usageOfFailures ?? NOTHING_USED, outcome.usage);
      ignoresEarlier &&= outcome.unsent !== undefined || outcome.skipped === true;
      continue;
    }
    // A proposer that was not asked must not become the first of the list, because it may never be able to answer.
    if (outcome.usage === null) {
      const { unasked, ...rest } = outcome;
      const refused = [...failures, outcome.refused].join(' ');
      return { ...rest, refused, usage: usageOfFailures, ...(unasked && !isAsked ? { unasked } : {}) };
    }
    preferProposer(context, { list: request.proposer, kind }, proposers, proposer, failures);
    return usageOfFailures ? { ...outcome, usage: addUsage(usageOfFailures, outcome.usage) } : outcome;
  }
  const refused = failures.join(' ');
  if (!isAsked) return { ...createNotAskedOutcome({ reason: refused, scope: 'all' }), ...createPostponement(pause) };
  const names = proposers.map(({ name }) => name);
  const outage = findFirstOutage(await readAskEvents(context), names, context.ports.clock.now());
  const failed = { proposal: null, refused, final, left: 0, model: null } as const;
  return { ...failed, usage: usageOfFailures, ...createPostponement(outage) };
}

/**
 * The change that needs no question: one that waits for a decision, or a spare answer. Null if there is none. Throws
 * `stale` if an accepted test no longer fits its file.
 */
async function findReadyChange(
  context: SessionContext,
  taskToAsk: IdentifiedTask,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<AskOutcome | null> {
  const waitingChange = isFresh ? null : await findWaitingChange(context, taskToAsk);
  if (waitingChange) return waitingChange;
  await createAcceptedTestEdits(context, taskToAsk.acceptance ?? []);
  if (isFresh) storeSpareAnswers(context, taskToAsk.task.id, []);
  return fileSpareAnswer(context, taskToAsk.task, signal);
}

/** A request that one proposer is to answer. */
export interface QuestionRequest extends AskRequest {
  readonly answerer: Proposer;
  readonly identifiedTask: IdentifiedTask;
  readonly ignoresEarlier: boolean;
}

/**
 * A question without an answer. `failed`: the reason. `usage`: the tokens that it may have used. `endsTask`: set if the
 * time of the task is used up. `unsent`: the error, if it occurred before the question was sent. `skipped`: set if this
 * proposer may not be asked.
 */
type FailedQuestion = {
  readonly failed: string;
  readonly usage?: Usage | null;
  readonly endsTask?: true;
  readonly unsent?: SelfwareError;
  readonly skipped?: true;
};

/** Asks one proposer for as many answers as the setting `models.samples` says, and files the best. */
async function askOne(context: SessionContext, questionRequest: QuestionRequest): Promise<AskOutcome | FailedQuestion> {
  const preparation = await prepareQuestion(context, questionRequest);
  if (!('prepared' in preparation)) return preparation;
  const samples = context.settings['models.samples'];
  return samples === 1
    ? askAndFile(context, questionRequest, preparation.prepared)
    : askSeveral(context, questionRequest, preparation.prepared, samples);
}

/** Creates the question of a task. Returns an outcome or a failure if the question is not to be asked. */
export async function prepareQuestion(
  context: SessionContext,
  questionRequest: QuestionRequest,
): Promise<{ readonly prepared: PreparedQuestion } | AskOutcome | FailedQuestion> {
  const { answerer: proposer, identifiedTask, signal, task: request } = questionRequest;
  const limits = readBudgetLimits(context);
  const pricedProposer = { name: proposer.name, price: findPrice(context.settings['models.prices'], proposer.name) };
  const account = await readAccount(context, identifiedTask.task.id, questionRequest.ignoresEarlier);
  const spentAlready = findStopReason(account, limits, 0, pricedProposer);
  if (spentAlready) return createStopOutcome(spentAlready, context.ports.clock.now());
  const described = await describeAttempts(context, account.attempts);
  const attempts = [...(questionRequest.earlier ?? []), ...described.texts];
  const questionLimit = await computeQuestionLimit(proposer, signal);
  if (typeof questionLimit === 'object' && questionLimit !== null) return questionLimit;
  const findStop = (tokens: number) =>
    explainTooLong(proposer, tokens, questionLimit) ?? findStopReason(account, limits, tokens, pricedProposer) ?? null;
  const isAgent = proposer.hasTree === true;
  // A question that waits for its answer is identified by its text, so it must be the same in each run.
  const mayResearch = (tokens: number) => proposer.fileQuestion === undefined && findStop(tokens) === null;
  const limitsOfQuestion = { attempts, rounds: account.rounds, maxTokens: questionLimit, isAgent, mayResearch };
  const created = await createQuestion(context, request, identifiedTask, limitsOfQuestion, questionRequest);
  if ('refused' in created) return createNotAskedOutcome({ reason: created.refused, scope: 'task' });
  const format = chooseAnswerFormat(proposer.name, account.rounds, created.target !== undefined);
  const question = { ...created, savedTokens: described.savedTokens, format };
  const messages = proposer.hasTree ? createAgentMessages(question) : createMessages(question);
  const promptTokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const stop = findStop(promptTokens);
  if (stop) return createStopOutcome(stop, context.ports.clock.now());
  return { prepared: { question, messages, promptTokens } };
}

/**
 * The largest question of the proposer, in tokens; null if it is unknown or unlimited; a failure if it cannot be read.
 */
async function computeQuestionLimit(proposer: Proposer, signal: AbortSignal): Promise<number | null | FailedQuestion> {
  try {
    return (await proposer.maxQuestionTokens?.(signal)) ?? null;
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { failed: describeError(error), unsent: error };
  }
}

/**
 * Asks for one answer and files it immediately. It is not judged first, because all gates run on the filed proposal.
 */
async function askAndFile(
  context: SessionContext,
  questionRequest: QuestionRequest,
  prepared: PreparedQuestion,
): Promise<AskOutcome | FailedQuestion> {
  const { identifiedTask, signal } = questionRequest;
  const sent = await sendIfAffordable(context, questionRequest, prepared, null);
  if ('stopped' in sent) return createStopOutcome(sent.stopped, context.ports.clock.now());
  if ('failed' in sent) return sent;
  if ('leftAt' in sent) return createWaitingOutcome([sent.leftAt]);
  const { reply, answered } = sent;
  const { model, usage } = answered;
  const refuse = async (reason: string, eventData: object = {}): Promise<AskOutcome> => {
    await context.ledger.record({ type: 'answered', data: { ...answered, ...eventData, outcome: 'refused', reason } });
    return { proposal: null, refused: reason, final: false, left: 0, model, usage };
  };
  const answerEdits = await readAnswerEdits(context, reply, { ...prepared, ...identifiedTask });
  if ('refused' in answerEdits) return refuse(answerEdits.refused, 'phantom' in answerEdits ? { phantom: true } : {});
  const { format, rung } = answerEdits;
  try {
    const change = await createChangeFromAnswer(context, identifiedTask, answerEdits, prepared.question, signal);
    const proposal = await proposeEdits(context, { ...change, again: questionRequest.ignoresEarlier }, signal);
    const data = { ...answered, outcome: 'proposed', proposal: proposal.id, format, rung } as const;
    await context.ledger.record({ type: 'answered', data });
    return { proposal, refused: null, final: false, left: 0, model, usage };
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof SelfwareError && RETRIABLE_REASONS.has(error.reason))
      return refuse(error.message, { format, rung, ...markDuplicate(error) });
    throw error;
  }
}

/**
 * Asks for several answers to one question. Keeps those that pass the gates that run no commands, and files the best.
 */
async function askSeveral(
  context: SessionContext,
  questionRequest: QuestionRequest,
  prepared: PreparedQuestion,
  samples: number,
): Promise<AskOutcome | FailedQuestion> {
  const { identifiedTask, signal } = questionRequest;
  const round = context.ports.ids.next('ask');
  const refusals: string[] = [];
  const spares: SpareAnswer[] = [];
  const usages: Usage[] = [];
  const placesLeftAt: string[] = [];
  let model: string | null = null;
  let failed: FailedQuestion | null = null;
  for (let number = 1; number <= samples; number += 1) {
    const { attempts } = await readAccount(
      context,
      identifiedTask.task.id,
      questionRequest.ignoresEarlier && number === 1,
    );
    const reply = await sendIfAffordable(context, questionRequest, prepared, { round, number, of: samples });
    if ('stopped' in reply) {
      if (number === 1) return createStopOutcome(reply.stopped, context.ports.clock.now());
      break;
    }
    if ('failed' in reply) {
      failed = reply;
      break;
    }
    if ('leftAt' in reply) {
      placesLeftAt.push(reply.leftAt);
      continue;
    }
    model = reply.answered.model ?? model;
    if (reply.answered.usage) usages.push(reply.answered.usage);
    const judgedAnswer = await judgeAnswer(context, questionRequest, prepared, reply, { spares, attempts });
    if (typeof judgedAnswer === 'string') refusals.push(judgedAnswer);
    else spares.push(judgedAnswer);
  }
  if (failed && usages.length === 0) return failed;
  if (usages.length === 0 && placesLeftAt.length > 0) return createWaitingOutcome(placesLeftAt);
  const usage = usages.reduce(addUsage, NOTHING_USED);
  storeSpareAnswers(context, identifiedTask.task.id, sortBestAnswersFirst(spares));
  const filedAnswer = await fileSpareAnswer(context, identifiedTask.task, signal);
  if (filedAnswer) return { ...filedAnswer, usage };
  return { proposal: null, refused: joinRefusals(refusals), final: false, left: 0, model, usage };
}

/**
 * The answers with which an answer is compared: those to the same question, and those to this task since it last
 * started afresh.
 */
interface EarlierAnswers {
  readonly spares: readonly SpareAnswer[];
  readonly attempts: Account['attempts'];
}

/**
 * The answer as a spare if its edits are new and pass the gates that run no commands; otherwise the reason why not. The
 * ledger records either. Throws `cancelled`, and errors whose reason is not in `RETRIABLE_REASONS`.
 */
async function judgeAnswer(
  context: SessionContext,
  { identifiedTask, ...operation }: QuestionRequest,
  { question }: PreparedQuestion,
  { reply, answered }: Extract<SendResult, { readonly reply: unknown }>,
  { spares, attempts }: EarlierAnswers,
): Promise<SpareAnswer | string> {
  const { signal } = operation;
  const record = async (parts: Pick<SpareAnswer['answered'], 'outcome'> & Partial<SpareAnswer['answered']>) => {
    const data = { ...answered, ...parts };
    await context.ledger.record({ type: 'answered', data });
    return data;
  };
  const refuse = async (reason: string, parts: object = {}) => {
    await record({ ...parts, outcome: 'refused', reason });
    return reason;
  };
  const answerEdits = await readAnswerEdits(context, reply, { question, ...identifiedTask });
  if ('refused' in answerEdits) return refuse(answerEdits.refused, 'phantom' in answerEdits ? { phantom: true } : {});
  const { format, rung } = answerEdits;
  try {
    const answeredChange = await createChangeFromAnswer(context, identifiedTask, answerEdits, question, signal);
    const change = { ...answeredChange, again: operation.ignoresEarlier };
    const content = identifyContent(change.edits);
    const parts = { format, rung, content };
    if (spares.some((spare) => spare.answered.content === content))
      return refuse('Another answer to the same question has the same edits.', { format, rung, duplicate: true });
    const earlierAttempt = attempts.find((attempt) => attempt.outcome === 'refused' && attempt.content === content);
    if (earlierAttempt)
      return refuse(`The same edits were refused before: ${earlierAttempt.reason ?? ''}`, {
        format,
        rung,
        duplicate: true,
      });
    const { refused, gate, gain } = await runQuickGates(context, change, operation);
    const paths = change.edits.map(({ path }) => path).join(', ');
    if (refused !== null) return refuse(`It edited ${paths}. ${refused}`, { ...parts, gate });
    const { edits } = change;
    return {
      externalEdits: change,
      edits,
      gain,
      matchesClaim: fitsClaim(identifiedTask.task.kind, edits),
      answered: await record({ ...parts, outcome: 'spare' }),
    };
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof SelfwareError && RETRIABLE_REASONS.has(error.reason))
      return refuse(error.message, { format, rung, ...markDuplicate(error) });
    throw error;
  }
}

/**
 * True if the edits have the form of the claim: for `tests`, only test files; for `request`, tests and other code.
 * Edits of the other kinds always have it.
 */
function fitsClaim(kind: keyof typeof CLAIM_BY_KIND, edits: readonly FileEdit[]): boolean {
  if (kind === 'tests') return edits.every(isTestEdit);
  return kind !== 'request' || (edits.some(isTestEdit) && !edits.every(isTestEdit));
}

/** The refusals as one text, each reason once. */
function joinRefusals(refusals: readonly string[]): string {
  return [...new Set(refusals)].join(' ') || 'No answer was left to file.';
}

/**
 * A failure if only this proposer may not be asked, so that another proposer may be asked; otherwise the outcome for
 * the whole request.
 */
function createStopOutcome({ reason, scope, freeInMs }: Stop, now: Millis): AskOutcome | FailedQuestion {
  if (scope === 'proposer') return { failed: reason, skipped: true };
  const pause = freeInMs === undefined ? null : { until: freeInMs === null ? null : now + freeInMs };
  return { ...createNotAskedOutcome({ reason, scope }), ...createPostponement(pause) };
}

/** The outcome if nobody was asked. */
function createNotAskedOutcome({
  reason,
  scope,
}: {
  readonly reason: string;
  readonly scope: 'task' | 'all';
}): AskOutcome {
  return { proposal: null, refused: reason, final: scope, left: 0, model: null, usage: null, unasked: true };
}

/** The outcome if questions wait for somebody who answers later; the same command reads the answers then. */
function createWaitingOutcome(leftAt: readonly string[]): AskOutcome {
  const subject = leftAt.length === 1 ? 'The question is' : 'The questions are';
  const reason = `${subject} in ${leftAt.join(', ')}. Once it is answered, run the same command again.`;
  return { ...createNotAskedOutcome({ reason, scope: 'task' }), leftAt };
}
