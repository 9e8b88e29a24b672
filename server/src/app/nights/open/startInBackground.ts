// Starts an unattended run in the background, and waits until it has begun.

import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfStopped } from '../../../core/ledger/stopped.ts';
import type { Log } from '../../../core/ports/system.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { loadNights } from '../night.ts';
import { resolveNightFolders } from '../nightFolders.ts';
import { readNights } from '../readNights.ts';
import { openLedger } from '../sharedKnowledge.ts';
import { startSupervised, supervisorLogPath, type SupervisedRun } from '../supervised.ts';

/** Maximum number of milliseconds until the run begins. A busy machine may need this long to start two processes. */
const BEGINS_WITHIN_MS = 60_000;
/** Milliseconds between two checks whether the run has begun. */
const LOOK_MS = 250;

/** A run in the background. */
export interface StartedRun {
  /** The process that supervises it. */
  readonly supervisor: number;
  /** The night of the run; null if it has not begun within a minute, or before `signal` was aborted. */
  readonly night: Night | null;
}

/**
 * Starts the run, and waits until it has begun. `isApart` is passed to `startSupervised`. Throws the errors of that
 * function, `forbidden` while Selfware is stopped, and `unavailable` if the run ended before it began.
 */
export async function startInBackground(
  run: SupervisedRun & { readonly log: Log; readonly signal: AbortSignal },
  isApart = false,
): Promise<StartedRun> {
  const { rootDir, env, log, signal } = run;
  const repository = await openLedger(resolveNightFolders(rootDir, env).state, log);
  let before: number;
  try {
    await throwIfStopped(repository.ledger);
    before = countSteps(await loadNights(repository.ledger));
  } finally {
    await repository.close();
  }
  const supervisor = await startSupervised(run, isApart);
  const giveUpAt = performance.now() + BEGINS_WITHIN_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const nights = await readNights(rootDir, env, log);
    if (countSteps(nights) > before) return { supervisor, night: nights.at(-1)! };
    if (!exists(supervisor))
      throw new SelfwareError('unavailable', 'The unattended run ended before it began.', {
        action: `Its log says why: ${supervisorLogPath(rootDir, env)}`,
      });
    await sleep(LOOK_MS);
  }
  return { supervisor, night: null };
}

/** A number that increases with each start and each continuation of a run. */
function countSteps(nights: readonly Night[]): number {
  return nights.flatMap(({ runs }) => runs).reduce((sum, { resumed }) => sum + 1 + resumed, 0);
}

/** True if the process exists. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
