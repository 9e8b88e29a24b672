// Computes Wilson's confidence interval of a success rate, which is also valid for few tries, and if none or all
// succeeded: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.

/** The quantile of the standard normal distribution for a 95 % interval. */
const Z_SCORE = 1.96;

/** The 95 % interval of the success rate after `successes` of `tries`; 0 to 1 without tries. */
export function computeWilsonInterval(
  successes: number,
  tries: number,
): { readonly low: number; readonly high: number } {
  if (tries === 0) return { low: 0, high: 1 };
  const rate = successes / tries;
  const middle = rate + Z_SCORE ** 2 / (2 * tries);
  const spread = Z_SCORE * Math.sqrt((rate * (1 - rate)) / tries + Z_SCORE ** 2 / (4 * tries ** 2));
  const scale = 1 + Z_SCORE ** 2 / tries;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
