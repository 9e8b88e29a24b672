// Opens a night whose run has ended, to decide on it or to judge it again.

import { createStateFolder, resolveStateFolder } from '../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../adapters/git/nightBranch.ts';
import { createInProgressError } from '../../core/run/inProgress.ts';
import { findNight } from '../../core/run/nightQueries.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { openLedger, type OpenLedger } from './sharedKnowledge.ts';
import { loadNights, createQuietCheck, rootOfRun, type NightContext, type NightRequest } from './night.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { waitForLock } from './open/waitForLock.ts';

/** The parts of a request that decisions about a night need. */
export type NightDecisionRequest = Omit<NightRequest, 'plan' | 'waits'>;

/** A night that was opened. */
export interface OpenedNight {
  readonly context: NightContext;
  readonly night: Night;
  /** The branch of the newest other night that has changes and waits for a decision; null if there is none. */
  readonly otherBranch: string | null;
  /** The ledger of the run. */
  readonly ledgerOfRun: OpenLedger;
}

/**
 * Opens a night for `work`, which runs under the lock of runs. `name`: its branch or the id of a run; null for the
 * newest night. Throws `locked`
 * while a run is in progress, and `notFound` if there is no such night.
 */
export async function withOpenNight<T>(
  request: NightDecisionRequest,
  name: string | null,
  work: (morning: OpenedNight) => Promise<T>,
): Promise<T> {
  const places = resolveNightFolders(request.rootDir, request.env);
  await createStateFolder(places.state);
  const lock = await waitForLock(places.lock);
  if (!lock) throw createInProgressError('End it first: `selfware night stop`.');
  const repository = await openLedger(places.state, request.log);
  try {
    const nights = await loadNights(repository.ledger);
    const night = findNight(nights, name);
    if (!night)
      throw new SelfwareError('notFound', name === null ? 'There was no night yet.' : `No night on ${name}.`, {
        action: 'Run `selfware report --all`.',
      });
    const branch = await openNightBranch(request.rootDir, places.scratch, request.log);
    const plan = night.runs.at(-1)!.plan;
    const isQuiet = createQuietCheck(request.env);
    const context: NightContext = { request: { ...request, plan, waits: false }, places, branch, repository, isQuiet };
    const ledgerOfRun = await openLedger(resolveStateFolder(rootOfRun(context), places.env), request.log);
    try {
      const undecided = nights.filter(
        (candidate) => candidate !== night && candidate.decided === null && candidate.changes.length > 0,
      );
      return await work({ context, night, otherBranch: undecided.at(-1)?.branch ?? null, ledgerOfRun });
    } finally {
      await ledgerOfRun.close();
    }
  } finally {
    await repository.close();
    await lock.release();
  }
}
