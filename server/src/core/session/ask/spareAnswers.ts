// Stores promising answers that are not needed yet (spare answers). If the checks refuse the best answer to a question,
// the next best one follows without another question. They are stored until the session ends; their cost is in the
// ledger.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { AnsweredData, AskedTask } from '../../model/asks.ts';
import type { RankedAnswer } from '../../proposers/bestAnswer.ts';
import type { SessionContext } from '../context.ts';
import { proposeEdits } from '../propose/proposingEdits.ts';
import type { ExternalEdits } from '../propose/requests.ts';
import type { AskOutcome } from './askTypes.ts';

/** A promising answer that was not filed yet. */
export interface SpareAnswer extends RankedAnswer {
  readonly externalEdits: ExternalEdits;
  /** The answer as it was recorded. */
  readonly answered: AnsweredData;
}

/** Reasons of errors that depend on the answer. Another answer may succeed. */
export const RETRIABLE_REASONS: ReadonlySet<SelfwareError['reason']> = new Set([
  'usage',
  'forbidden',
  'conflict',
  'stale',
]);

/** Marks an answer as a duplicate if the error says that its edits were turned down before, or already wait. */
export function markDuplicate({ reason }: Pick<SelfwareError, 'reason'>): Pick<AnsweredData, 'duplicate'> {
  return reason === 'conflict' ? { duplicate: true } : {};
}

/** By session and id of the task: the spare answers, best first. */
const sparesBySession = new WeakMap<SessionContext, Map<string, readonly SpareAnswer[]>>();

/** The spare answers of a session, by id of the task. */
function getSparesByTask(context: SessionContext): Map<string, readonly SpareAnswer[]> {
  const spares = sparesBySession.get(context) ?? new Map<string, readonly SpareAnswer[]>();
  sparesBySession.set(context, spares);
  return spares;
}

/** Replaces the spare answers for a task. `spares`: best first. */
export function storeSpareAnswers(context: SessionContext, taskKey: string, spares: readonly SpareAnswer[]): void {
  if (spares.length === 0) getSparesByTask(context).delete(taskKey);
  else getSparesByTask(context).set(taskKey, spares);
}

/** Number of spare answers for a task. */
export function countSpares(context: SessionContext, task: string): number {
  return getSparesByTask(context).get(task)?.length ?? 0;
}

/**
 * Files the best spare answer for the task; null if no answer is left. An answer that can no longer be filed, for
 * example because its files have changed, is recorded as refused and skipped.
 */
export async function fileSpareAnswer(
  context: SessionContext,
  { id }: AskedTask,
  signal: AbortSignal,
): Promise<AskOutcome | null> {
  for (;;) {
    const [spare, ...otherSpares] = getSparesByTask(context).get(id) ?? [];
    if (!spare) return null;
    storeSpareAnswers(context, id, otherSpares);
    const { externalEdits, answered } = spare;
    const { model, usage } = answered;
    try {
      const proposal = await proposeEdits(context, externalEdits, signal);
      await record(context, { ...answered, outcome: 'proposed', proposal: proposal.id });
      // The usage was reported with the question that led to this answer.
      return { proposal, refused: null, final: false, left: otherSpares.length, model, usage: null };
    } catch (error) {
      throwIfCancelled(signal);
      if (!(error instanceof SelfwareError) || !RETRIABLE_REASONS.has(error.reason)) throw error;
      await record(context, {
        ...{ ...answered, outcome: 'refused', reason: error.message, usage },
        ...markDuplicate(error),
      });
    }
  }
}

/** Records the data about an answer. */
async function record({ ledger }: SessionContext, data: AnsweredData): Promise<void> {
  await ledger.record({ type: 'answered', data });
}
