// Computes the cumulative distribution function of the standard normal distribution.

/**
 * The probability that a value is at most `z`, which must be 0 or more. The approximation is formula 26.2.17 of
 * Abramowitz and Stegun (1964); its error is below 7.5e-8.
 */
export function computeNormalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return 1 - density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
}
