// Decides which branch of the user a run follows.

import { followBranch, readFollowedStart } from '../../../adapters/git/followedBranch.ts';
import type { NightBranch } from '../../../adapters/git/nightBranch.ts';
import { findUnfinishedRun } from '../../../core/run/nightQueries.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import type { NightContext } from '../night.ts';

/**
 * Lets the run follow the branch that is checked out now. A run that continues after its process died keeps its earlier
 * choice, a branch or none, if its supervisor has started it again. It also keeps its earlier branch if no branch is
 * checked out now. Throws `noCommit`.
 */
export async function followStart(
  branch: NightBranch,
  lastNight: Night | undefined,
  supervisedSince: number | null,
): Promise<Pick<NightContext, 'branch' | 'follows'>> {
  // Undefined if there is no run to continue, or if it is unknown which branch it follows.
  const earlierRef =
    lastNight && lastNight.decided === null ? findUnfinishedRun(lastNight, Date.now())?.follows : undefined;
  const isSameOrder = supervisedSince !== null && lastNight !== undefined && lastNight.lastSequence > supervisedSince;
  const refExists = (ref: string) => branch.tip(ref.replace(/^refs\/heads\//, '')).then((tip) => tip !== null);
  const followEarlier = (ref: string | null, commit: string) => ({
    branch: followBranch(branch, { ref, commit }),
    ...(ref === null ? {} : { follows: ref }),
  });
  if (isSameOrder && earlierRef !== undefined && (earlierRef === null || (await refExists(earlierRef))))
    return followEarlier(earlierRef, lastNight.base);
  const start = await readFollowedStart(branch);
  if (lastNight && start.ref === null && earlierRef && (await refExists(earlierRef)))
    return followEarlier(earlierRef, lastNight.base);
  return followEarlier(start.ref, start.commit);
}
