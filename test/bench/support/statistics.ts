// Medians, percentiles and growth of measured figures.

/** Repeated measurements of one thing. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

export function figureOf(samples: readonly number[]): Figure {
  return { median: percentile(samples, 0.5), low: Math.min(...samples), high: Math.max(...samples), n: samples.length };
}

/** Linear between ranks; `share` 0–1. Not a number for no samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  return below === undefined || above === undefined ? Number.NaN : below + (above - below) * (at - Math.floor(at));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The b of cost = a · size^b between two measured sizes: 1 is linear. */
export function growth(
  small: { readonly size: number; readonly cost: number },
  big: { readonly size: number; readonly cost: number },
): number {
  return Math.log(big.cost / small.cost) / Math.log(big.size / small.size);
}
