// Computes the confidence interval of a mean by a bootstrap: values are drawn with replacement many times.

import { unitOf } from './random.ts';
import { mean, percentile } from './statistics.ts';

const DRAWS = 4000;

/** The mean and its 95 % interval, which are the same for the same seed. NaN if there are no values. */
export function bootstrapMean(
  values: readonly number[],
  seed: number,
): { readonly mean: number; readonly low: number; readonly high: number } {
  const means = Array.from({ length: DRAWS }, (_, draw) =>
    mean(values.map((_value, at) => values[Math.floor(unitOf(`${seed}/${draw}/${at}`) * values.length)]!)),
  );
  return { mean: mean(values), low: percentile(means, 0.025), high: percentile(means, 0.975) };
}
