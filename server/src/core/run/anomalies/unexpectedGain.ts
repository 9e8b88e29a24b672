// Recognises a change that gains far more points than any earlier change of its rule: the measurement may be wrong or
// manipulated.

import { type Anomaly, type ObservedCommit, type RunFacts, rulePhrase } from './facts.ts';
import { roundToHundredths } from '../../../util/values/roundToHundredths.ts';

/** Minimum number of earlier changes of the rule that gained points. Fewer do not show what is usual. */
const MIN_CHANGES = 5;
/** A gain is unusual only if it exceeds the mean of earlier gains by more than this number of standard deviations. */
const MAX_DEVIATIONS = 5;
/** Minimum standard deviation as a share of the mean of earlier gains, because equal gains have a deviation of 0. */
const MIN_DEVIATION_SHARE = 0.1;
/** A gain is unusual only if it also exceeds the largest earlier gain multiplied by this factor. */
const MAX_FACTOR_OF_LARGEST = 2;

/** The anomaly; null if no gain of this run is unusual, or if its rule has too few earlier gains. */
export function findUnexpectedGain({ commits, run, since }: RunFacts): Anomaly | null {
  for (const [index, commit] of commits.entries()) {
    const gain = computeGain(commit);
    if (commit.run !== run || commit.at <= since || gain === null) continue;
    const { rule, title } = commit.change;
    const earlierGains = commits
      .slice(0, index)
      .filter(({ change }) => change.rule === rule)
      .flatMap((earlierCommit) => computeGain(earlierCommit) ?? [])
      // A change that claims something other than points need not gain any, so it does not show what is usual.
      .filter((points) => points > 0);
    if (earlierGains.length < MIN_CHANGES || gain <= computeLimit(earlierGains)) continue;
    const reason =
      `“${title}” gains ${roundToHundredths(gain)} points; ` +
      `the ${earlierGains.length} earlier changes ${rulePhrase(rule)} that gained any gained at most ${roundToHundredths(Math.max(...earlierGains))}.`;
    return { kind: 'unexpectedGain', reason };
  }
  return null;
}

/** The gain in points above which a change is unusual. `gains`: the points of the earlier changes. */
function computeLimit(gains: readonly number[]): number {
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  const deviation = Math.max(Math.sqrt(variance), MIN_DEVIATION_SHARE * Math.abs(mean));
  return Math.max(mean + MAX_DEVIATIONS * deviation, MAX_FACTOR_OF_LARGEST * Math.max(...gains));
}

/** The gain of a change in points; null if it was not measured. */
function computeGain({ change: { points } }: ObservedCommit): number | null {
  return points && points.after - points.before;
}
