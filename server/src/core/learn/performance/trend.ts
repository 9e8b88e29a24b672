// Determines whether a figure of Selfware's own performance rises or falls over time: its baseline, and a rank test for
// a trend.

import type { Millis } from '../../model.ts';
import { computeMedian } from '../../../util/median.ts';
import { computeNormalCdf } from '../../../util/values/normalDistribution.ts';

/** One measurement of a figure. */
export interface Sample {
  readonly at: Millis;
  readonly value: number;
}

/** The first measurements of a figure. */
export interface Baseline {
  /** Their median. */
  readonly value: number;
  readonly samples: number;
  /** The time of the last one of them. */
  readonly until: Millis;
}

/** The change of a figure over time. */
export interface Trend {
  /** `steady`: chance explains the order of the measurements, or the change is less than half a percent. */
  readonly direction: 'better' | 'worse' | 'steady';
  /** Probability of an order as clear as this one, or clearer, if nothing has changed (two-sided). */
  readonly p: number;
  /** Change from the first to the last measurement by the median slope, as a share of the median; null if that is 0. */
  readonly change: number | null;
  readonly samples: number;
  readonly from: Millis;
}

/** Number of first measurements from which the baseline is computed. */
const BASELINE_SAMPLES = 5;
/** Minimum number of measurements for a trend. From about here on, the normal approximation of the test holds. */
export const MIN_TREND_SAMPLES = 8;
/** Number of newest measurements in which a trend is looked for: they make at most 1,225 pairs. */
const MAX_TREND_SAMPLES = 50;
/** A trend counts only if the probability of its score is smaller than this for values without a trend. */
const SIGNIFICANCE_LEVEL = 0.05;
/** Minimum change of a trend, as a share. A smaller change rounds to 0 %. */
const MIN_CHANGE = 0.005;

/** The baseline of these measurements, oldest first; null if no later ones could be compared with it. */
export function computeBaseline(samples: readonly Sample[]): Baseline | null {
  const first = samples.slice(0, BASELINE_SAMPLES);
  if (samples.length <= BASELINE_SAMPLES) return null;
  return { value: computeMedian(first.map(({ value }) => value)), samples: first.length, until: first.at(-1)!.at };
}

/**
 * The trend of the newest measurements, which are in the order of their times; null if there are too few. H. B. Mann,
 * "Nonparametric Tests Against Trend", Econometrica 13 (1945), with the correction for ties; the slope by P. K. Sen,
 * "Estimates of the Regression Coefficient Based on Kendall's Tau", Journal of the American Statistical Association 63
 * (1968), over the order of the measurements and not over time, because measurements come in bursts.
 */
export function computeTrend(samples: readonly Sample[], better: 'more' | 'less'): Trend | null {
  const newest = samples.slice(-MAX_TREND_SAMPLES);
  if (newest.length < MIN_TREND_SAMPLES) return null;
  const values = newest.map(({ value }) => value);
  const { score, slopes } = comparePairs(values);
  const p = computeProbability(values, score);
  const middle = computeMedian(values);
  const change = middle === 0 ? null : (computeMedian(slopes) * (values.length - 1)) / middle;
  const isSignificant = p < SIGNIFICANCE_LEVEL && (change === null || Math.abs(change) >= MIN_CHANGE);
  const isMore = score > 0 === (better === 'more');
  return {
    direction: !isSignificant ? 'steady' : isMore ? 'better' : 'worse',
    p,
    change,
    samples: values.length,
    from: newest[0]!.at,
  };
}

/**
 * Compares each measurement with all later ones. `score`: the number of rising pairs minus that of falling ones.
 * `slopes`: for each pair, the change per measurement.
 */
function comparePairs(values: readonly number[]): { readonly score: number; readonly slopes: readonly number[] } {
  const slopes = values.flatMap((earlier, index) =>
    values.slice(index + 1).map((later, distance) => (later - earlier) / (distance + 1)),
  );
  return { score: slopes.reduce((sum, slope) => sum + Math.sign(slope), 0), slopes };
}

/**
 * The two-sided probability that values without a trend have a score at least this far from 0 (Mann's test, corrected
 * for ties).
 */
function computeProbability(values: readonly number[], score: number): number {
  const computeTieWeight = (count: number) => count * (count - 1) * (2 * count + 5);
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const tieWeight = [...counts.values()].reduce((sum, count) => sum + computeTieWeight(count), 0);
  const variance = (computeTieWeight(values.length) - tieWeight) / 18;
  if (!(variance > 0)) return 1;
  return 2 * (1 - computeNormalCdf(Math.max(0, Math.abs(score) - 1) / Math.sqrt(variance)));
}
