// Asks a recorded question again for a trial, with other rules, within the limits of tokens and money.

import { estimateTokens } from '../../../util/tokens.ts';
import type { DatasetExample } from '../../learn/training/dataset.ts';
import type { AskedTask } from '../../model/asks.ts';
import type { Operation } from '../../operation.ts';
import type { Message, Proposer } from '../../ports/proposers.ts';
import { findStopReason } from '../../proposers/budgets.ts';
import { findPrice } from '../../proposers/prices.ts';
import { computeReplyLimit, computeSecondsLimit } from '../../proposers/whatIsLeft.ts';
import { ruleSection } from '../../proposers/prompt.ts';
import { sha256 } from '../../../util/hash.ts';
import { throwIfCancelled } from '../../../util/typedError.ts';
import { readBudgetLimits, checkLoadsModel, sendQuestion } from '../ask/askOnce.ts';
import { readAccount } from '../ask/pastAttempts.ts';
import { getOrCreateRunId } from '../ask/attemptRunId.ts';
import type { SessionContext } from '../context.ts';

/**
 * The answer to a question of a trial. `stop`: the reason why the trial must end, such as a used-up limit. `failed`:
 * the reason why this question has no answer. Both are sentences. `reply`: empty if the answer was cut off. `used`:
 * tokens of question and answer.
 */
export type TrialAnswer =
  | { readonly stop: string }
  | { readonly failed: string }
  | { readonly reply: string; readonly used: number };

/**
 * Asks the question with these rules. The answer is recorded as an answer that is not filed. Throws `cancelled`, and
 * errors that the proposer has not caused.
 */
export async function askForTrial(
  context: SessionContext,
  proposer: Proposer,
  { id, prompt }: DatasetExample,
  rules: readonly string[],
  operation: Operation,
): Promise<TrialAnswer> {
  const messages = addRules(prompt, rules);
  const promptTokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const key = `trial ${sha256(`${id}\n${rules.join('\n')}`).slice(0, 16)}`;
  const task: AskedTask = { kind: 'opportunity', id: key, opportunity: null, path: null };
  const pricedProposer = { name: proposer.name, price: findPrice(context.settings['models.prices'], proposer.name) };
  const loads = await checkLoadsModel(proposer, operation.signal);
  const [limits, account] = [readBudgetLimits(context), await readAccount(context, key, true)];
  const stop = findStopReason(account, limits, promptTokens, pricedProposer);
  if (stop) return stop.scope === 'task' ? { failed: stop.reason } : { stop: stop.reason };
  const maxReply = context.settings['models.replyTokens'];
  const maxTokens = computeReplyLimit(account, limits, promptTokens, { price: pricedProposer.price, maxReply });
  const { price } = pricedProposer;
  const timeLimit = computeSecondsLimit(account, limits, context.settings['models.answerSeconds']);
  const runId = getOrCreateRunId(context);
  const outgoing = {
    proposer,
    task,
    messages,
    promptTokens,
    maxTokens,
    time: timeLimit,
    loads,
    price,
    run: runId,
    ignoresEarlier: true,
  };
  const reply = await sendQuestion(context, { ...outgoing, sample: null }, operation);
  throwIfCancelled(operation.signal);
  if (!('reply' in reply)) return { failed: 'failed' in reply ? reply.failed : 'No answer came.' };
  // The outcome `spare` means that nothing is filed.
  const reason = 'It was asked in a trial of a rule.';
  await context.ledger.record({ type: 'answered', data: { ...reply.answered, outcome: 'spare', reason } });
  const { finished, text } = reply.reply;
  // The limit has cut off the answer, which shows nothing about the rule.
  if (!finished && maxTokens < maxReply) return { stop: 'The limit of tokens or money left no room for an answer.' };
  const { usage } = reply.answered;
  return { reply: finished ? text : '', used: usage === null ? 0 : usage.input + usage.output };
}

/** Inserts the section of rules before everything else in the first message of the user, as in real questions. */
function addRules(prompt: readonly Message[], rules: readonly string[]): readonly Message[] {
  const firstUserIndex = prompt.findIndex(({ role }) => role === 'user');
  const parts = ruleSection(rules);
  return prompt.map((message, index) =>
    index === firstUserIndex ? { ...message, content: [...parts, message.content].join('\n\n') } : message,
  );
}
