// How the old and the new answer of a call are shortened, so that a reader sees where they differ.

import { expect, test } from 'vitest';
import { shortenAroundDifference } from '../../../server/src/core/verify/differential/shortenToDifference.ts';

test('short answers stay as they are', () => {
  expect(shortenAroundDifference('returns 1', 'returns 2')).toEqual({ before: 'returns 1', after: 'returns 2' });
});

test('of long answers that begin alike, the place where they differ is shown', () => {
  const alike = `.parse(${'a'.repeat(500)}) returns { count: `;
  const { before, after } = shortenAroundDifference(`${alike}1 }`, `${alike}2${'b'.repeat(400)} }`);
  expect(before).toMatch(/^\.parse\(a+…a* ?.*returns \{ count: 1 \}$/);
  expect(after).toMatch(/^\.parse\(a+….*returns \{ count: 2b+…$/);
  for (const text of [before, after]) expect(text.length).toBeLessThanOrEqual(300);
});

test('long answers that differ at once show their beginnings', () => {
  const { before, after } = shortenAroundDifference(`1${'a'.repeat(400)}`, `2${'a'.repeat(400)}`);
  expect([before[0], after[0], before.length, after.length]).toEqual(['1', '2', 300, 300]);
});
