// Decides which branch of the user a run follows.

import { followBranch, readStart } from '../../../adapters/git/followedBranch.ts';
import type { NightBranch } from '../../../adapters/git/nightBranch.ts';
import { unfinishedRun } from '../../../core/run/nightQueries.ts';
import type { Night } from '../../../core/run/nightTypes.ts';
import type { NightContext } from '../night.ts';

/**
 * Lets the run follow the branch that is checked out now. A run that continues after its process died keeps following
 * its own branch if its supervisor has started it again, or if no branch is checked out. Throws `noCommit`.
 */
export async function followStart(
  branch: NightBranch,
  last: Night | undefined,
  supervisedSince: number | null,
): Promise<Pick<NightContext, 'branch' | 'follows'>> {
  const start = await readStart(branch);
  const earlierRef = last && last.decided === null ? (unfinishedRun(last, Date.now())?.follows ?? null) : null;
  const isSameOrder = supervisedSince !== null && last !== undefined && last.lastAt >= supervisedSince;
  if (last && earlierRef !== null && (isSameOrder || start.ref === null)) {
    const tip = await branch.tip(earlierRef.replace(/^refs\/heads\//, ''));
    if (tip !== null)
      return { branch: followBranch(branch, { ref: earlierRef, commit: last.base }), follows: earlierRef };
  }
  const follows = start.ref === null ? {} : { follows: start.ref };
  return { branch: followBranch(branch, start), ...follows };
}
