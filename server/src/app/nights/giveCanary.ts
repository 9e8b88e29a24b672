// From time to time, gives the proposer of a run a task that cannot be solved (a canary). A proposer that “solves” it
// is no longer trusted.

import type { AskedData } from '../../core/model/asks.ts';
import type { Proposal } from '../../core/model.ts';
import type { Operation } from '../../core/operation.ts';
import { isHeld, isOfHeldOrder } from '../../core/run/heldChanges.ts';
import type { Session } from '../../core/session.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import { requireNight, type NightContext } from './night.ts';

/**
 * By session: the number of its questions when the last attempt to give such a task failed. The next attempt comes
 * `night.canaryEvery` questions later.
 */
const questionCountAtFailure = new WeakMap<Session, number>();

/**
 * Gives such a task if enough questions were sent since the last one, and records the outcome. If the task cannot be
 * given, the run gets a note. Throws `cancelled`, and errors that are not a `SelfwareError`.
 */
export async function giveCanary(
  { request, repository }: NightContext,
  { branch: night, run, proposer }: BegunRun,
  session: Session,
  settings: Pick<Settings, 'night.canaryEvery'>,
  operation: Operation,
): Promise<void> {
  const questionsBetween = settings['night.canaryEvery'];
  if (proposer === null || questionsBetween === 0) return;
  const questions = (await session.ledger.query({ types: ['asked'] })).map(({ data }) => data as AskedData);
  const questionsUpToCanary = questions.findLastIndex(({ task }) => task.kind === 'canary') + 1;
  if (questions.length - Math.max(questionsUpToCanary, questionCountAtFailure.get(session) ?? 0) < questionsBetween)
    return;
  request.onEvent({ type: 'trying', title: 'A task that cannot be solved' });
  const note = (text: string) => request.onEvent({ type: 'note', text });
  const noteNotGiven = (reason: string) => {
    questionCountAtFailure.set(session, questions.length);
    note(`No task that cannot be solved was given. ${reason}`);
  };
  try {
    const outcome = await session.questions.canary({
      proposer,
      ...operation,
      onOutcome: async (judgedOutcome) => {
        await repository.ledger.record({ type: 'nightCanary', data: { night, run, ...judgedOutcome } });
      },
    });
    if (!outcome.asked) noteNotGiven(outcome.reason);
    else if (outcome.solved)
      note(`${outcome.proposer} has “solved” a task that cannot be solved. Its proposals of this run wait for you.`);
  } catch (error) {
    throwIfCancelled(operation.signal);
    if (!(error instanceof SelfwareError)) throw error;
    noteNotGiven(describeError(error));
  }
}

/** The proposer that this run may ask. Null if there is none, or if it has “solved” a task that cannot be solved. */
export async function chooseTrustedProposer(
  { repository }: NightContext,
  { branch, run, proposer }: BegunRun,
): Promise<string | null> {
  return isHeld(await requireNight(repository.ledger, branch), run) ? null : proposer;
}

/**
 * Creates a function that is true for proposals that wait for a person: no recipe made them, and the proposer of their
 * order is not trusted.
 */
export async function createHeldTest(
  { repository }: NightContext,
  { branch }: Pick<BegunRun, 'branch'>,
): Promise<(proposal: Proposal) => boolean> {
  const night = await requireNight(repository.ledger, branch);
  return (proposal) => isOfHeldOrder(night, proposal);
}
