// Decides whether runs with a change need more time or memory than runs without it, by a rank test and by a difference
// that is larger than the difference between runs of the same tree.

import { computeMedian } from '../../../util/median.ts';
import { computeNormalCdf } from '../../../util/values/normalDistribution.ts';

/** Milliseconds or bytes of whole runs. The runs of the base, the candidate and the base again alternate. */
export interface Times {
  readonly base: readonly number[];
  readonly candidate: readonly number[];
  /** The base a second time: its difference from `base` is noise. */
  readonly again: readonly number[];
}

/** The difference between times with and without a change. */
export interface TimeDifference {
  /** Median of the candidate divided by the median of all base runs, minus 1: 0.1 is a tenth more. */
  readonly change: number;
  /** The same figure for the base compared with itself, or the spread of its runs, whichever is larger. */
  readonly noise: number;
  /** Probability of ranks with at least this difference if nothing had changed (two-sided). */
  readonly p: number;
  readonly verdict: 'more' | 'less' | 'same';
  /** Share of all pairs of a run without and a run with the change in which the change saves at least `MIN_GAIN`. */
  readonly confidence: number;
}

/** Minimum gain, as a share, that justifies a change. */
export const MIN_GAIN = 0.05;

/** The level of significance. It is low, because a repository runs this check many times. */
const SIGNIFICANCE_LEVEL = 0.01;

/**
 * Compares two series of times. The verdict is `more` or `less` only if the ranks show it and the difference is larger
 * than the noise; otherwise it is `same`.
 */
export function compareTimes({ base, candidate, again }: Times): TimeDifference {
  const allTimes = [...base, ...again];
  const medianTime = computeMedian(allTimes);
  const change = computeMedian(candidate) / medianTime - 1;
  // Median absolute deviation, scaled to a standard deviation (Rousseeuw & Croux 1993).
  const spread = (1.4826 * computeMedian(allTimes.map((time) => Math.abs(time - medianTime)))) / medianTime;
  const noise = Math.max(Math.abs(computeMedian(again) / computeMedian(base) - 1), spread);
  const p = computeMannWhitney(allTimes, candidate);
  const isSignificant = p < SIGNIFICANCE_LEVEL && Math.abs(change) > noise;
  return {
    change,
    noise,
    p,
    verdict: !isSignificant ? 'same' : change > 0 ? 'more' : 'less',
    confidence: computeConfidence(allTimes, candidate),
  };
}

/** The share of pairs of runs in which the change saves enough. */
function computeConfidence(base: readonly number[], candidate: readonly number[]): number {
  const pairs = base.flatMap((baseTime) =>
    candidate.map((candidateTime) => candidateTime <= baseTime * (1 - MIN_GAIN)),
  );
  return pairs.length === 0 ? 0 : pairs.filter(Boolean).length / pairs.length;
}

/**
 * Two-sided p of the U test with the normal approximation, corrected for ties and continuity: H. B. Mann and D. R.
 * Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other", Annals of
 * Mathematical Statistics 18 (1947). 1 if all values are equal.
 */
export function computeMannWhitney(left: readonly number[], right: readonly number[]): number {
  const values = [
    ...left.map((value) => ({ value, first: true })),
    ...right.map((value) => ({ value, first: false })),
  ].sort((a, b) => a.value - b.value);
  const count = values.length;
  let ranks = 0;
  let ties = 0;
  for (let offset = 0; offset < count; ) {
    let end = offset;
    while (end < count && values[end]!.value === values[offset]!.value) end += 1;
    const size = end - offset;
    // Equal values share the mean of their ranks, which start at 1.
    const rank = (offset + 1 + end) / 2;
    ranks += rank * values.slice(offset, end).filter(({ first }) => first).length;
    ties += size ** 3 - size;
    offset = end;
  }
  const [m, n] = [left.length, right.length];
  const u = ranks - (m * (m + 1)) / 2;
  const variance = ((m * n) / 12) * (count + 1 - ties / (count * (count - 1)));
  if (!(variance > 0)) return 1;
  const z = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance);
  return 2 * (1 - computeNormalCdf(z));
}
