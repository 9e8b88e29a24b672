// Computes the confidence interval of a mean by a bootstrap: values are drawn with replacement many times.

import { hashToUnit } from './random.ts';
import { mean, computePercentile } from './statistics.ts';

const DRAWS = 4000;

/** The mean and its 95 % interval, which are the same for the same seed. NaN if there are no values. */
export function computeBootstrapMean(
  values: readonly number[],
  seed: number,
): { readonly mean: number; readonly low: number; readonly high: number } {
  const means = Array.from({ length: DRAWS }, (_, draw) =>
    mean(values.map((_value, index) => values[Math.floor(hashToUnit(`${seed}/${draw}/${index}`) * values.length)]!)),
  );
  return { mean: mean(values), low: computePercentile(means, 0.025), high: computePercentile(means, 0.975) };
}
