// A run whose time was up before its branch was ready: it has a start in the report, and a process that died before it
// loses nothing.

import type { Run } from '../../core/run/nightTypes.ts';
import { freeName, nightToContinue, recordStart, releasedOnError, type BegunRun } from './beginRun.ts';
import { handOver } from './handOver.ts';
import { learnFromRun } from './memory.ts';
import { parkHeld } from './moveNight.ts';
import { nightsIn, type NightContext } from './night.ts';
import { withTreeOpen } from './open/openTree.ts';

/** `hasTree`: the tree of the run may hold changes that are not on the user's branch yet. */
export interface LateRun extends BegunRun {
  readonly hasTree: boolean;
}

/**
 * Records the start, so that the report names the run: on the branch of the undecided night if the name is still its
 * own, otherwise on a new one. A run whose process died is continued.
 */
export async function begunTooLate(context: NightContext): Promise<LateRun> {
  const { branch, repository } = context;
  const head = await branch.head();
  const last = (await nightsIn(repository.ledger)).at(-1);
  const open = await nightToContinue(context, last, head);
  const night = open?.night ?? (last?.decided === null && (await branch.tip(last.branch)) !== null ? last : null);
  if (night) {
    const begun = () => recordStart(context, night.branch, night.base, lostRun(night.runs));
    const started = open?.isReserved ? await releasedOnError(branch, night.branch, begun) : await begun();
    return { ...started, hasTree: open?.hasTree ?? false };
  }
  const name = await freeName(context, Date.now());
  const started = await releasedOnError(branch, name, () => recordStart(context, name, head, null));
  return { ...started, hasTree: false };
}

function lostRun(runs: readonly Run[]): Run | null {
  const last = runs.at(-1);
  return last?.endedAt === null ? last : null;
}

/** Hands over what a process that died has made and not handed over yet. */
export async function handedOverLate(context: NightContext, begun: BegunRun): Promise<void> {
  await withTreeOpen(context, begun, async ({ session, own }) => {
    await handOver(context, session, begun);
    await learnFromRun(own, context.repository);
  });
  await parkHeld(context, begun);
}
