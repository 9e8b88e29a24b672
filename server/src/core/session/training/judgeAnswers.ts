// Judges a model's answers to held-out examples: by comparison with the kept change, or by the gates on the tree before
// it.

import { throwIfStopped } from '../../ledger/stopped.ts';
import type { DatasetExample } from '../../learn/training/dataset.ts';
import type { ModelAnswer } from '../../learn/training/evaluation.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { readReply } from '../../proposers/reply/read.ts';
import { resolveEdits } from '../../proposers/reply/resolve.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { identifyContent } from '../ask/answerEdits.ts';
import { judgeInstead } from '../verify/provingAgain.ts';
import type { UnjudgedAnswer } from './trainingTypes.ts';

/**
 * The answers with their success, in the same order. Skips answers to unknown examples. Throws `forbidden` while
 * Selfware is stopped, and `cancelled`.
 */
export async function judgeAnswers(
  context: SessionContext,
  examples: readonly DatasetExample[],
  answers: readonly UnjudgedAnswer[],
  { signal, report }: Operation,
): Promise<readonly ModelAnswer[]> {
  const exampleById = new Map(examples.map((example) => [example.id, example]));
  const judgedAnswers: ModelAnswer[] = [];
  for (const answer of answers) {
    throwIfCancelled(signal);
    await throwIfStopped(context.ledger);
    const example = exampleById.get(answer.id);
    if (!example) continue;
    report?.({ stage: 'verifying', done: judgedAnswers.length, total: answers.length, message: 'Judging answers' });
    judgedAnswers.push({ ...answer, success: await determineSuccess(context, example, answer.reply, { signal }) });
  }
  return judgedAnswers;
}

/**
 * True if the reply makes the kept change or passes the gates; false if it makes no usable edits or fails a gate; null
 * if that is unknown, or if the example is not about a change.
 */
async function determineSuccess(
  context: SessionContext,
  { proposal: id }: DatasetExample,
  reply: string | null,
  operation: Operation,
): Promise<boolean | null> {
  const change = id === null || reply === null ? null : await context.ledger.proposal(id);
  if (!change || change.edits.length === 0) return null;
  const answerEdits = findEdits(reply ?? '', change.edits);
  if (answerEdits === null) return false;
  if (identifyContent(answerEdits) === identifyContent(change.edits)) return true;
  return passesGates(context, change, answerEdits, operation);
}

/** The edits of a reply, based on the files before the change; null if it has none, or if one does not apply. */
function findEdits(reply: string, keptEdits: readonly FileEdit[]): readonly FileEdit[] | null {
  const parsedReply = readReply(reply, true);
  if ('refused' in parsedReply) return null;
  const before = new Map(keptEdits.map((edit) => [edit.path, edit.before]));
  const resolved = resolveEdits(
    parsedReply.edits,
    (path) => before.get(path) ?? null,
    (path) => (before.has(path) ? 'current' : 'nothing'),
  );
  return 'refused' in resolved ? null : resolved.edits;
}

/** True if the edits pass the gates on the tree before the change; null if that cannot be shown. */
async function passesGates(
  context: SessionContext,
  change: Proposal,
  edits: readonly FileEdit[],
  operation: Operation,
): Promise<boolean | null> {
  // Nothing of an untrusted repository runs, including its tests.
  if (!context.trusted) return null;
  try {
    const verdicts = await judgeInstead(context, change, edits, operation);
    if (verdicts === null) return null;
    if (verdicts.some(({ outcome }) => outcome === 'failed')) return false;
    // Without tests, nothing has shown that the change works.
    return verdicts.some(({ gate, outcome }) => gate === 'tests' && outcome === 'passed') ? true : null;
  } catch (error) {
    throwIfCancelled(operation.signal);
    if (!(error instanceof SelfwareError)) throw error;
    context.ports.log.write('warn', `A held-out answer could not be judged: ${describeError(error)}`, error);
    return null;
  }
}
