// Recognises far more changes within an hour than in any hour of earlier runs.

import { formatCount } from '../../../util/counted.ts';
import type { Anomaly, ObservedCommit, RunFacts } from './facts.ts';
import { HOUR_MS } from '../../../util/timing/durations.ts';

/** Minimum number of earlier runs with a change. Fewer do not show what is usual. */
const MIN_RUNS = 3;
/** Up to this number of changes in an hour, a rate is never unusual. */
const MAX_USUAL_CHANGES = 10;
/** A rate is unusual only if it exceeds the highest rate of earlier runs multiplied by this factor. */
const MAX_GROWTH_FACTOR = 3;

/** The anomaly; null if the rate is usual, or if too few earlier runs made changes to show what is usual. */
export function findChangeRate({ commits, run, since, now }: RunFacts): Anomaly | null {
  const earlierCommits = commits.filter((commit) => commit.run !== run);
  if (new Set(earlierCommits.map((committed) => committed.run)).size < MIN_RUNS) return null;
  const maxEarlierRate = findMaxWithinAnHour(earlierCommits);
  const recentCount = commits.filter(
    (commit) => commit.run === run && commit.at > Math.max(since, now - HOUR_MS),
  ).length;
  if (recentCount <= Math.max(MAX_USUAL_CHANGES, MAX_GROWTH_FACTOR * maxEarlierRate)) return null;
  const reason = `It made ${formatCount(recentCount, 'change')} within an hour; earlier runs made at most ${maxEarlierRate}.`;
  return { kind: 'changeRate', reason };
}

/** The largest number of changes within any hour. `commits`: oldest first. */
function findMaxWithinAnHour(commits: readonly ObservedCommit[]): number {
  let firstIndex = 0;
  let maxCount = 0;
  for (const [lastIndex, commit] of commits.entries()) {
    while (commits[firstIndex]!.at <= commit.at - HOUR_MS) firstIndex += 1;
    maxCount = Math.max(maxCount, lastIndex - firstIndex + 1);
  }
  return maxCount;
}
