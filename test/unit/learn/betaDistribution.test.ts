// The beta distribution against values of other programs and against its own closed forms.

import { expect, test } from 'vitest';
import { computeBetaQuantile, computeBetaShare } from '../../../server/src/core/learn/betaDistribution.ts';

test.each([
  // Closed forms: uniform, power, and their mirror image.
  { x: 0.3, a: 1, b: 1, share: 0.3 },
  { x: 0.5, a: 3, b: 1, share: 0.125 },
  { x: 0.5, a: 1, b: 3, share: 0.875 },
  // Binomial tails: I_x(a, b) = P(X >= a) of n = a + b - 1 tries.
  { x: 0.2, a: 2, b: 4, share: 1 - 0.8 ** 5 - 5 * 0.2 * 0.8 ** 4 },
  { x: 0.9, a: 5, b: 2, share: 0.9 ** 6 + 6 * 0.9 ** 5 * 0.1 },
  // The arcsine distribution.
  { x: 0.25, a: 0.5, b: 0.5, share: (2 / Math.PI) * Math.asin(0.5) },
])('the share of Beta($a, $b) below $x', ({ x, a, b, share }) => {
  expect(computeBetaShare(x, a, b)).toBeCloseTo(share, 10);
});

test('a quantile is the inverse of the share, also for many tries', () => {
  for (const [a, b] of [
    [0.4, 1.6],
    [1, 1],
    [7, 3],
    [300, 20],
    [2, 900],
  ] as const)
    for (const p of [0.001, 0.025, 0.5, 0.975, 0.999])
      expect(computeBetaShare(computeBetaQuantile(p, a, b), a, b)).toBeCloseTo(p, 8);
});
