// Opens a night that has ended: for decisions about it, and to judge it again.

import { takeLock } from '../../adapters/files/lock.ts';
import { createStateFolder, stateFolderFor } from '../../adapters/files/stateFolder.ts';
import { openNightBranch } from '../../adapters/git/nightBranch.ts';
import { inProgressError } from '../../core/run/inProgress.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { openLedger, type OpenLedger } from './memory.ts';
import { nightsIn, quietnessOf, rootOfRun, type NightContext, type NightRequest } from './night.ts';
import { nightPlaces } from './places.ts';

/** The parts of a request that decisions about a night need. */
export type NightDecisionRequest = Omit<NightRequest, 'plan' | 'waits'>;

/** A night that was opened. */
export interface OpenedNight {
  readonly context: NightContext;
  readonly night: Night;
  /** The ledger of the run. */
  readonly own: OpenLedger;
}

/**
 * Opens a night for `work`, and holds the lock of runs meanwhile. `branchName` null: the newest night. Throws `locked`
 * while a run is in progress, and `notFound` if there is no such night.
 */
export async function withOpenNight<T>(
  asked: NightDecisionRequest,
  branchName: string | null,
  work: (morning: OpenedNight) => Promise<T>,
): Promise<T> {
  const places = nightPlaces(asked.rootDir, asked.env);
  await createStateFolder(places.state);
  const held = await takeLock(places.lock);
  if (!held) throw inProgressError('End it first: `selfware stop`, then `selfware resume`.');
  const repository = await openLedger(places.state, asked.log);
  try {
    const nights = await nightsIn(repository.ledger);
    const night = branchName === null ? nights.at(-1) : nights.find((one) => one.branch === branchName);
    if (!night)
      throw new SelfwareError(
        'notFound',
        branchName === null ? 'There was no night yet.' : `No night on ${branchName}.`,
        {
          action: 'Run `selfware report --all`.',
        },
      );
    const branch = await openNightBranch(asked.rootDir, places.scratch, asked.log);
    const plan = night.runs.at(-1)!.plan;
    const isQuiet = quietnessOf(asked.env);
    const context: NightContext = { request: { ...asked, plan, waits: false }, places, branch, repository, isQuiet };
    const own = await openLedger(stateFolderFor(rootOfRun(context), places.env), asked.log);
    try {
      return await work({ context, night, own });
    } finally {
      await own.close();
    }
  } finally {
    await repository.close();
    await held.release();
  }
}
