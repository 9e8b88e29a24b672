// Records a run whose time was over before its branch was ready: its start is recorded for the report, and the work of
// a process that died earlier is handed over.

import type { Run } from '../../core/run/nightTypes.ts';
import { reserveBranchName, findNightToContinue, recordStart, releaseOnError, type BegunRun } from './beginRun.ts';
import { handOver } from './handOver.ts';
import { copyEventsFromRun } from './sharedKnowledge.ts';
import { parkHeld } from './moveNight.ts';
import { loadNights, type NightContext } from './night.ts';
import { withOpenTree } from './open/openTree.ts';

/**
 * A run that began too late. `hasTree`: true if the tree of the run may contain changes that are not on the user's
 * branch yet.
 */
export interface LateRun extends BegunRun {
  readonly hasTree: boolean;
}

/**
 * Records the start, so that the report names the run: on the branch of the undecided night if the name is still its
 * own, otherwise on a new one. A run whose process died is continued.
 */
export async function recordLateRun(context: NightContext): Promise<LateRun> {
  const { branch, repository } = context;
  const head = await branch.head();
  const lastNight = (await loadNights(repository.ledger)).at(-1);
  const continuable = await findNightToContinue(context, lastNight, head);
  const night =
    continuable?.night ??
    (lastNight?.decided === null && (await branch.tip(lastNight.branch)) !== null ? lastNight : null);
  if (night) {
    const recordLostRun = () => recordStart(context, night.branch, night.base, findLostRun(night.runs));
    const startedRun = continuable?.isReserved
      ? await releaseOnError(branch, night.branch, recordLostRun)
      : await recordLostRun();
    return { ...startedRun, hasTree: continuable?.hasTree ?? false };
  }
  const name = await reserveBranchName(context, Date.now());
  const startedRun = await releaseOnError(branch, name, () => recordStart(context, name, head, null));
  return { ...startedRun, hasTree: false };
}

/** The newest run, if its process died before it could record the end; otherwise null. */
function findLostRun(runs: readonly Run[]): Run | null {
  const lastRun = runs.at(-1);
  return lastRun?.endedAt === null ? lastRun : null;
}

/** Hands over the changes that a process made before it died. */
export async function handOverLate(context: NightContext, begunRun: BegunRun): Promise<void> {
  await withOpenTree(context, begunRun, async ({ session, ledgerOfRun }) => {
    await handOver(context, session, begunRun);
    await copyEventsFromRun(ledgerOfRun, context.repository);
  });
  await parkHeld(context, begunRun);
}
