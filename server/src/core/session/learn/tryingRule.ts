// Tries a rule: a model answers recorded tasks with and without it, and the checks judge the answers.

import { throwIfStopped } from '../../ledger/stopped.ts';
import type { WrittenRule } from '../../learn/ruleBook.ts';
import { formatRuleLine } from '../../learn/renderRules.ts';
import { isShownToModels, selectRules, type RoutedTask } from '../../learn/ruleRoutes.ts';
import { judgeTrial } from '../../learn/ruleTrial.ts';
import { createDataset, type DatasetExample } from '../../learn/training/dataset.ts';
import { MIN_EXAMPLES, type ModelAnswer } from '../../learn/training/evaluation.ts';
import type { RuleTrial } from '../../model/feedback.ts';
import type { Proposer } from '../../ports/proposers.ts';
import { findPackagesAround, readProject, type ReadableTree } from '../../verify/detect/project.ts';
import { detectTests } from '../../verify/detect/testCommand.ts';
import { formatCount } from '../../../util/counted.ts';
import { describeError, SelfwareError } from '../../../util/typedError.ts';
import { openProposers } from '../ask/openProposer.ts';
import type { SessionContext } from '../context.ts';
import { collectTrainingExamples } from '../training/examples.ts';
import { judgeAnswers } from '../training/judgeAnswers.ts';
import type { TrialRequest } from './learnTypes.ts';
import { askForTrial } from './trialAnswer.ts';
import { readAllRules, requireRule, switchRule } from './writtenRules.ts';

/**
 * Number of consecutive failed questions after which the trial ends, because the model probably does not answer at all.
 */
const MAX_FAILURES = 3;

/**
 * Tries a rule on the newest recorded tasks whose questions would contain it, and records the result. A harmful rule is
 * switched off. Questions count for the limits of tokens and money. A task without both answers is skipped; after
 * `MAX_FAILURES` such tasks in a row, or at a limit, the trial ends early. If it is cancelled, the answers that were
 * judged until then are recorded. With fewer than `MIN_EXAMPLES` such tasks, the result is `unknown`, and nothing is
 * recorded. Throws `notFound` for an unknown rule, `usage`, `forbidden` if a limit is reached at the start or Selfware
 * is stopped, `unavailable` if nothing can judge or nobody answers, `cancelled`, and the errors of opening a proposer.
 */
export async function tryRule(context: SessionContext, request: TrialRequest): Promise<RuleTrial> {
  if (request.tasks < MIN_EXAMPLES)
    throw new SelfwareError('usage', `A trial takes at least ${MIN_EXAMPLES} tasks. With fewer, it says nothing.`);
  const rule = await requireRule(context, request.rule);
  const [proposer] = await openProposers(context, request.proposer, 'opportunity');
  if (!proposer) throw new SelfwareError('usage', 'No model is named.', { action: 'Give one with --proposer.' });
  if (proposer.hasTree || proposer.fileQuestion)
    throw new SelfwareError('usage', `${proposer.name} does not answer recorded questions at once.`, {
      action: 'Name a language model.',
    });
  if (!isShownToModels(rule))
    throw new SelfwareError('usage', `Rules of ${rule.file} are told to agents only, so a model cannot try them.`);
  const tasks = (await findRecordedTasks(context, rule)).slice(0, request.tasks);
  if (tasks.length < MIN_EXAMPLES) return createTrialWithTooFewTasks(rule, proposer.name, tasks.length);
  await requireTests(context, tasks);
  const trial: Trial = { answersWithoutRule: [], answersWithRule: [], tokens: 0, ended: null };
  try {
    await answerAll(context, rule, proposer, { tasks, trial, request });
  } catch (error) {
    trial.ended = describeError(error);
    if (trial.answersWithRule.length > 0)
      await context.ledger.record({ type: 'ruleTried', data: createResult(rule, proposer, trial) });
    throw error;
  }
  const result = createResult(rule, proposer, trial);
  await context.ledger.record({ type: 'ruleTried', data: result });
  const isOn = (await requireRule(context, rule.id)).state === 'on';
  if (result.outcome === 'harmful' && isOn) await switchRule(context, rule.id, 'off', 'trial');
  return result;
}

/** The answers that were judged so far, without and with the rule, to the same tasks. */
interface Trial {
  readonly answersWithoutRule: ModelAnswer[];
  readonly answersWithRule: ModelAnswer[];
  /** Number of tokens that the trial has used. */
  tokens: number;
  /** The reason why the trial ended before its last task, as a sentence; null if it did not end early. */
  ended: string | null;
}

/** The result of the trial so far. */
function createResult(
  { id }: WrittenRule,
  { name }: Proposer,
  { answersWithoutRule, answersWithRule, tokens, ended }: Trial,
): RuleTrial {
  const figures = judgeTrial(answersWithoutRule, answersWithRule);
  const reason = ended === null ? figures.reason : `${figures.reason} It ended early: ${ended}`;
  return { rule: id, proposer: name, tokens, ...figures, reason };
}

/** Describes a task for a model without tools, about these files. */
function createModelTask(paths: readonly string[]): RoutedTask {
  return { kind: 'opportunity', isAgent: false, paths };
}

/** True if a question about these files would contain the rule, if the rule were on. */
function appliesTo(rule: WrittenRule, paths: readonly string[]): boolean {
  return selectRules([{ ...rule, state: 'on' }], createModelTask(paths)).length > 0;
}

/** The file that the question is about, as an array. */
function collectPaths({ groups }: DatasetExample): readonly string[] {
  return groups.slice(0, 1);
}

/** The newest first: kept changes with their questions, if the questions would contain the rule. */
async function findRecordedTasks(context: SessionContext, rule: WrittenRule): Promise<readonly DatasetExample[]> {
  const { examples } = await collectTrainingExamples(context);
  const keptExamples = examples.filter(({ kind }) => kind === 'kept' || kind === 'corrected');
  const { train, heldOut } = createDataset(keptExamples);
  const orderByProposal = new Map(keptExamples.map(({ proposal }, index) => [proposal, index]));
  return [...train, ...heldOut]
    .filter((task) => appliesTo(rule, collectPaths(task)))
    .toSorted((a, b) => orderByProposal.get(b.proposal)! - orderByProposal.get(a.proposal)!);
}

function createTrialWithTooFewTasks({ id, place }: WrittenRule, proposer: string, tasks: number): RuleTrial {
  const scopeText = place === null ? 'This repository' : `For ${place}, this repository`;
  const reason = `${scopeText} has ${formatCount(tasks, 'recorded task')} with a kept change; it takes ${MIN_EXAMPLES}.`;
  const emptyFigures = { gain: null, low: null, high: null, without: 0, with: 0, tokens: 0 };
  return { rule: id, proposer, outcome: 'unknown', reason, tasks, ...emptyFigures };
}

/** Throws `unavailable` if no test command is known, because then no answer could be judged. */
async function requireTests({ ports, settings }: SessionContext, tasks: readonly DatasetExample[]): Promise<void> {
  const tree: ReadableTree = {
    read: (path) => ports.files.read(path),
    exists: async (path) => (await ports.files.stat(path)) !== null,
  };
  const root = await readProject(tree);
  if (detectTests(root, settings['verify.testCommand'])) return;
  for (const folder of await findPackagesAround(tree, tasks.flatMap(collectPaths)))
    if (detectTests(await readProject(tree, folder, root), '')) return;
  throw new SelfwareError('unavailable', 'No tests were found, so nothing can judge the answers of a trial.', {
    action: 'Set `selfware.verify.testCommand`.',
  });
}

/** The data of a trial in progress. */
interface TrialInProgress {
  readonly tasks: readonly DatasetExample[];
  /** Filled while the tasks are answered. */
  readonly trial: Trial;
  readonly request: TrialRequest;
}

/**
 * Answers and judges each task both without and with the rule before the next task, so that an early end leaves
 * complete pairs of answers.
 */
async function answerAll(
  context: SessionContext,
  rule: WrittenRule,
  proposer: Proposer,
  { tasks, trial, request }: TrialInProgress,
): Promise<void> {
  const { tokens: limit, signal, report } = request;
  const otherRules = (await readAllRules(context)).filter(({ id }) => id !== rule.id);
  let failures = 0;
  for (const [taskIndex, task] of tasks.entries()) {
    if (trial.tokens >= limit) {
      trial.ended = `It used ${formatCount(trial.tokens, 'token')}.`;
      return;
    }
    await throwIfStopped(context.ledger);
    const message = `Trying a rule: ${taskIndex} of ${formatCount(tasks.length, 'task')}`;
    report?.({ stage: 'realising', done: taskIndex, total: tasks.length, message });
    const otherRuleTexts = selectRules(otherRules, createModelTask(collectPaths(task))).map(formatRuleLine);
    const pair = await collectReplyPair(context, proposer, task, {
      otherRuleLines: otherRuleTexts,
      ruleLine: formatRuleLine(rule),
      trial,
      signal,
    });
    if ('stop' in pair) {
      if (trial.answersWithRule.length === 0) throw new SelfwareError('forbidden', pair.stop);
      trial.ended = pair.stop;
      return;
    }
    if ('failed' in pair) {
      failures += 1;
      if (failures < MAX_FAILURES) continue;
      if (trial.answersWithRule.length === 0)
        throw new SelfwareError('unavailable', `The trial ended: ${pair.failed}`, {
          action: 'Check that the model answers: `selfware models`.',
        });
      trial.ended = pair.failed;
      return;
    }
    failures = 0;
    await judgePair(context, task, pair.replies, { trial, signal });
  }
}

/** The data for asking about one task. */
interface PairRequest {
  /** The lines of the other rules. */
  readonly otherRuleLines: readonly string[];
  /** The line of the rule that is tried. */
  readonly ruleLine: string;
  readonly trial: Trial;
  readonly signal: AbortSignal;
}

/** The replies without and with the rule, in this order; or the reason why one of them is missing. */
async function collectReplyPair(
  context: SessionContext,
  proposer: Proposer,
  task: DatasetExample,
  { otherRuleLines, ruleLine, trial, signal }: PairRequest,
): Promise<{ readonly stop: string } | { readonly failed: string } | { readonly replies: readonly string[] }> {
  const collectedReplies: string[] = [];
  for (const rules of [otherRuleLines, [...otherRuleLines, ruleLine]]) {
    const answer = await askForTrial(context, proposer, task, rules, { signal });
    if (!('reply' in answer)) return answer;
    trial.tokens += answer.used;
    collectedReplies.push(answer.reply);
  }
  return { replies: collectedReplies };
}

/** Judges both replies, and adds the judgements to the trial. Equal replies are judged once. */
async function judgePair(
  context: SessionContext,
  task: DatasetExample,
  [before, after]: readonly string[],
  { trial, signal }: Pick<PairRequest, 'trial' | 'signal'>,
): Promise<void> {
  const judgeReply = async (reply: string | undefined) => {
    const answer = { id: task.id, reply: reply ?? '', logProbability: null, tokens: null };
    return (await judgeAnswers(context, [task], [answer], { signal }))[0]!;
  };
  const judgementWithoutRule = await judgeReply(before);
  const judgementWithRule = after === before ? judgementWithoutRule : await judgeReply(after);
  trial.answersWithoutRule.push(judgementWithoutRule);
  trial.answersWithRule.push(judgementWithRule);
}
