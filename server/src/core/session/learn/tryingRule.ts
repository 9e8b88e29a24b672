// Tries a rule: recorded tasks are answered again with and without it, and the checks judge the answers.

import { throwIfStopped } from '../../ledger/stopped.ts';
import { ruleLine, type WrittenRule } from '../../learn/ruleBook.ts';
import { rulesFor } from '../../learn/ruleRoutes.ts';
import { judgeTrial } from '../../learn/ruleTrial.ts';
import { datasetOf, type DatasetExample } from '../../learn/training/dataset.ts';
import { MIN_EXAMPLES } from '../../learn/training/evaluation.ts';
import { estimatedTokens, type AskedTask } from '../../model/asks.ts';
import type { RuleTrial } from '../../model/feedback.ts';
import type { Operation } from '../../operation.ts';
import type { Message, Proposer } from '../../ports/proposers.ts';
import { accountOf } from '../../proposers/accounts.ts';
import { priceOf } from '../../proposers/prices.ts';
import { agreedRules } from '../../proposers/prompt.ts';
import { counted } from '../../../util/counted.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { thousands } from '../../../util/thousands.ts';
import { runOf } from '../ask/asking.ts';
import { send } from '../ask/askOnce.ts';
import { openProposers } from '../ask/openProposer.ts';
import { accountEvents } from '../ask/pastAttempts.ts';
import type { SessionContext } from '../context.ts';
import { examplesIn } from '../training/examples.ts';
import { judgeAnswers } from '../training/judging.ts';
import type { UnjudgedAnswer } from '../training/training.ts';
import type { TrialRequest } from './learned.ts';
import { allRules, existingRule, switchRule } from './writtenRules.ts';

/**
 * Tries a rule on the newest recorded tasks. The answers cost what questions cost and count for the limits of the day.
 * Throws `notFound` for an unknown rule, `forbidden` if the limit of the day is reached or Selfware is stopped,
 * `unavailable` if the proposer does not answer, `cancelled`, and what opening a proposer throws.
 */
export async function tryRule(context: SessionContext, request: TrialRequest): Promise<RuleTrial> {
  const rule = await existingRule(context, request.rule);
  const [proposer] = await openProposers(context, request.proposer, 'opportunity');
  if (!proposer) throw new SelfwareError('usage', 'No model is named.', { action: 'Give one with --proposer.' });
  if (proposer.hasTree || proposer.leave)
    throw new SelfwareError('usage', `${proposer.name} does not answer recorded questions at once.`, {
      action: 'Name a language model.',
    });
  const tasks = (await recordedTasks(context)).slice(0, request.tasks);
  if (tasks.length < MIN_EXAMPLES) return tooFew(rule, proposer.name, tasks.length);
  const { without, withRule, tokens } = await answersOf(context, rule, proposer, tasks, request);
  const figures = await judged(context, tasks, without, withRule, request);
  const trial: RuleTrial = { rule: rule.id, proposer: proposer.name, tokens, ...figures };
  await context.ledger.record({ type: 'ruleTried', data: trial });
  const isOn = (await existingRule(context, rule.id)).state === 'on';
  if (trial.outcome === 'harmful' && isOn) await switchRule(context, rule.id, 'off', 'trial');
  return trial;
}

/** Kept changes with their questions, newest first. */
async function recordedTasks(context: SessionContext): Promise<readonly DatasetExample[]> {
  const { examples } = await examplesIn(context);
  const kept = examples.filter(({ kind }) => kind === 'kept' || kind === 'corrected');
  const { train, heldOut } = datasetOf(kept);
  const order = new Map(kept.map(({ proposal }, at) => [proposal, at]));
  return [...train, ...heldOut].toSorted((a, b) => order.get(b.proposal)! - order.get(a.proposal)!);
}

function tooFew({ id }: WrittenRule, proposer: string, tasks: number): RuleTrial {
  const reason = `This repository has ${counted(tasks, 'recorded task')} with a kept change; it takes ${MIN_EXAMPLES}.`;
  const nothing = { gain: null, low: null, high: null, without: 0, with: 0, tokens: 0 };
  return { rule: id, proposer, outcome: 'unknown', reason, tasks, ...nothing };
}

interface Answers {
  readonly without: readonly UnjudgedAnswer[];
  readonly withRule: readonly UnjudgedAnswer[];
  readonly tokens: number;
}

/** Each task is asked about on both sides before the next one, so that a limit ends both at the same task. */
async function answersOf(
  context: SessionContext,
  rule: WrittenRule,
  proposer: Proposer,
  tasks: readonly DatasetExample[],
  { tokens: limit, signal, report }: TrialRequest,
): Promise<Answers> {
  const routed = { kind: 'opportunity', isAgent: false, paths: [] } as const;
  const others = rulesFor(await allRules(context), routed).filter(({ id }) => id !== rule.id);
  const plain = others.map(ruleLine);
  const without: UnjudgedAnswer[] = [];
  const withRule: UnjudgedAnswer[] = [];
  let tokens = 0;
  for (const task of tasks) {
    if (tokens >= limit) break;
    await throwIfStopped(context.ledger);
    await requireBudget(context);
    const message = `Trying a rule: ${without.length} of ${counted(tasks.length, 'task')}`;
    report?.({ stage: 'realising', done: without.length, total: tasks.length, message });
    for (const [answers, rules] of [
      [without, plain],
      [withRule, [...plain, rule.text]],
    ] as const) {
      const { reply, used } = await replyTo(context, proposer, task, rules, { signal });
      tokens += used;
      answers.push({ id: task.id, reply, logProbability: null, tokens: null });
    }
  }
  return { without, withRule, tokens };
}

/** Throws `forbidden` if the questions of the last 24 hours have used up the limit of the day. */
async function requireBudget(context: SessionContext): Promise<void> {
  const { settings, ports } = context;
  const { dayTokens, dayMoney } = accountOf(await accountEvents(context), '', runOf(context), ports.clock.now());
  const money = settings['models.costPerDay'] || null;
  if (dayTokens < settings['models.tokensPerDay'] && (money === null || dayMoney < money)) return;
  throw new SelfwareError('forbidden', `The limit of the day is reached: ${thousands(dayTokens)} tokens were used.`, {
    action: 'Try again tomorrow, or raise selfware.models.tokensPerDay.',
  });
}

async function replyTo(
  context: SessionContext,
  proposer: Proposer,
  { id, prompt }: DatasetExample,
  rules: readonly string[],
  operation: Operation,
): Promise<{ readonly reply: string; readonly used: number }> {
  const messages = withRules(prompt, rules);
  const promptTokens = messages.reduce((sum, { content }) => sum + estimatedTokens(content), 0);
  const key = `trial ${sha256(`${id}\n${rules.join('\n')}`).slice(0, 16)}`;
  const task: AskedTask = { kind: 'opportunity', id: key, opportunity: null, path: null };
  const sent = await send(
    context,
    {
      proposer,
      task,
      messages,
      promptTokens,
      maxTokens: context.settings['models.replyTokens'],
      price: priceOf(context.settings['models.prices'], proposer.name),
      run: runOf(context),
      fresh: true,
      sample: null,
    },
    operation,
  );
  throwIfCancelled(operation.signal);
  if (!('reply' in sent))
    throw new SelfwareError('unavailable', `The trial ended: ${'failed' in sent ? sent.failed : 'no answer came.'}`, {
      action: 'Check that the model answers: `selfware models`.',
    });
  // Nothing is filed, and it is no attempt at a task of the repository.
  const reason = 'It was asked in a trial of a rule.';
  await context.ledger.record({ type: 'answered', data: { ...sent.answered, outcome: 'spare', reason } });
  const { usage } = sent.answered;
  return { reply: sent.reply.finished ? sent.reply.text : '', used: usage === null ? 0 : usage.input + usage.output };
}

/** The question with rules where questions have them: before everything else that a person says. */
function withRules(prompt: readonly Message[], rules: readonly string[]): readonly Message[] {
  const first = prompt.findIndex(({ role }) => role === 'user');
  const parts = agreedRules(rules);
  return prompt.map((message, at) =>
    at === first ? { ...message, content: [...parts, message.content].join('\n\n') } : message,
  );
}

/** Judges both sides. Equal replies are judged once. */
async function judged(
  context: SessionContext,
  tasks: readonly DatasetExample[],
  without: readonly UnjudgedAnswer[],
  withRule: readonly UnjudgedAnswer[],
  { signal, report }: TrialRequest,
) {
  const operation = report ? { signal, report } : { signal };
  const before = await judgeAnswers(context, tasks, without, operation);
  const known = new Map(before.map(({ id, reply, success }) => [id, { reply, success }]));
  const isSame = ({ id, reply }: UnjudgedAnswer) => known.get(id)?.reply === reply;
  const others = await judgeAnswers(
    context,
    tasks,
    withRule.filter((one) => !isSame(one)),
    operation,
  );
  const same = withRule.filter(isSame).map((one) => ({ ...one, success: known.get(one.id)!.success }));
  return judgeTrial(before, [...others, ...same]);
}
