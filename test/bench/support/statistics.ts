// Computes medians, percentiles, means and growth of measured figures.

/** The median and the range of `n` measurements. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/** The figure of these measurements. */
export function figureOf(samples: readonly number[]): Figure {
  return { median: percentile(samples, 0.5), low: Math.min(...samples), high: Math.max(...samples), n: samples.length };
}

/** The percentile with linear interpolation between ranks. `share`: 0–1. NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  return below === undefined || above === undefined ? Number.NaN : below + (above - below) * (at - Math.floor(at));
}

/** The mean of the values; NaN if there are none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The exponent b of cost = a · size^b between two measured sizes; 1 is linear growth. */
export function growth(
  small: { readonly size: number; readonly cost: number },
  big: { readonly size: number; readonly cost: number },
): number {
  return Math.log(big.cost / small.cost) / Math.log(big.size / small.size);
}
