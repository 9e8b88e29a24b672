// Computes medians, percentiles, means and growth of measured figures.

/** The median and the range of `n` measurements. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/** The figure of these measurements. */
export function summariseSamples(samples: readonly number[]): Figure {
  return {
    median: computePercentile(samples, 0.5),
    low: Math.min(...samples),
    high: Math.max(...samples),
    n: samples.length,
  };
}

/** The percentile with linear interpolation between ranks. `share`: 0–1. NaN without samples. */
export function computePercentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below === undefined || above === undefined
    ? Number.NaN
    : below + (above - below) * (position - Math.floor(position));
}

/** The mean of the values; NaN if there are none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The exponent b of cost = a · size^b between two measured sizes; 1 is linear growth. */
export function computeGrowthExponent(
  smaller: { readonly size: number; readonly cost: number },
  larger: { readonly size: number; readonly cost: number },
): number {
  return Math.log(larger.cost / smaller.cost) / Math.log(larger.size / smaller.size);
}
