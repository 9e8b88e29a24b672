// Wilson's interval of a share, which also holds for few tries and for none or all of them.

const Z = 1.96;

/** The 95 % interval of the rate behind `successes` of `tries`; 0 to 1 without any tries. */
export function wilson(successes: number, tries: number): { readonly low: number; readonly high: number } {
  if (tries === 0) return { low: 0, high: 1 };
  const rate = successes / tries;
  const middle = rate + Z ** 2 / (2 * tries);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / tries + Z ** 2 / (4 * tries ** 2));
  const scale = 1 + Z ** 2 / tries;
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
