// Gives the proposer of a run a task that cannot be solved, now and then.

import type { AskedData } from '../../core/model/asks.ts';
import type { Operation } from '../../core/operation.ts';
import { isHeld } from '../../core/run/nights.ts';
import type { Session } from '../../core/session.ts';
import type { Settings } from '../../settings/schema.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import { nightOn, type NightContext } from './night.ts';

/**
 * Asks if enough questions were sent since the last such task, and records what came of it. Never throws because of the
 * proposer. Throws `cancelled`.
 */
export async function giveCanary(
  { request, repository }: NightContext,
  { branch: night, run, proposer }: BegunRun,
  session: Session,
  settings: Pick<Settings, 'night.canaryEvery'>,
  operation: Operation,
): Promise<void> {
  const every = settings['night.canaryEvery'];
  if (proposer === null || every === 0 || (await questionsSince(session)) < every) return;
  request.onEvent({ type: 'trying', title: 'A task that cannot be solved' });
  try {
    const outcome = await session.proposals.canary({ proposer, ...operation });
    if (!outcome.asked) {
      request.onEvent({ type: 'note', text: `No task that cannot be solved was given. ${outcome.reason}` });
      return;
    }
    const { asked: _asked, ...data } = outcome;
    await repository.ledger.record({ type: 'nightCanary', data: { night, run, ...data } });
    if (outcome.solved)
      request.onEvent({
        type: 'note',
        text: `${outcome.proposer} has “solved” a task that cannot be solved. Its proposals of this run wait for you.`,
      });
  } catch (error) {
    throwIfCancelled(operation.signal);
    if (!(error instanceof SelfwareError)) throw error;
    request.onEvent({ type: 'note', text: `No task that cannot be solved was given. ${describeError(error)}` });
  }
}

/** The proposer that this run may ask; null for none, also once it has “solved” a task that cannot be solved. */
export async function trustedProposer(
  { repository }: NightContext,
  { branch, run, proposer }: BegunRun,
): Promise<string | null> {
  return isHeld(await nightOn(repository.ledger, branch), run) ? null : proposer;
}

/** Questions that were sent since the last task that cannot be solved. */
async function questionsSince(session: Session): Promise<number> {
  const asked = (await session.ledger.query({ types: ['asked'] })).map(({ data }) => data as AskedData);
  return asked.length - 1 - asked.findLastIndex(({ task }) => task.kind === 'canary');
}
