// Computes the churn of each file (how often it changes) from the commits. Recent commits weigh more, and commits with
// many files weigh less.

import type { Commit } from '../ports/git.ts';
import { DAY_MS } from '../../util/timing/durations.ts';

/** The churn of a file. `commits`: the number of commits that touched it. */
export interface Churn {
  readonly commits: number;
  /** The sum of 2^(−age ÷ half-life) ÷ √(number of files of the commit) over the commits. */
  readonly weight: number;
}

/**
 * Half-life of the weight of a commit, in days. It makes older commits count less, because files that changed often
 * long ago have usually become stable.
 */
const HALF_LIFE_DAYS = 90;

/**
 * The churn of each file, by path. Ages count from the newest commit, not from today, so that an inactive repository
 * keeps its hot spots.
 */
export function computeChurn(commits: readonly Commit[]): ReadonlyMap<string, Churn> {
  const newestTime = commits.reduce((latest, { atMs }) => Math.max(latest, atMs), -Infinity);
  const churnByPath = new Map<string, { commits: number; weight: number }>();
  for (const { atMs, paths } of commits) {
    const weight = 2 ** (-(newestTime - atMs) / (HALF_LIFE_DAYS * DAY_MS)) / Math.sqrt(paths.length);
    for (const path of paths) {
      const churnOfFile = churnByPath.get(path);
      if (churnOfFile) {
        churnOfFile.commits++;
        churnOfFile.weight += weight;
      } else churnByPath.set(path, { commits: 1, weight });
    }
  }
  return churnByPath;
}
