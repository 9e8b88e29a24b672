// Comparisons whose limit has moved: inputs that agree do not prove that such a change keeps behaviour.

import { expect, test } from 'vitest';
import { findMovedLimits } from '../../../server/src/core/verify/differential/limits.ts';

test.each([
  ['another strictness', 'f(a) >= 3', 'f(a) > 3', 'where both sides are equal'],
  ['the other way round', 'a < b', 'b >= a', 'where both sides are equal'],
  ['another number', 'a < 4.5', 'a < 4.6', 'between these numbers'],
  ['another number on the left', '-2 <= a', '-1 <= a', 'between these numbers'],
])('%s is a limit that has moved', (_name, before, after, where) => {
  expect(findMovedLimits(`if (${before}) g();`, `const x = 1; if (${after}) g();`)).toEqual([
    `\`${before}\` became \`${after}\`: that makes a difference only ${where}, and no input is known to have been there.`,
  ]);
});

test.each([
  ['written the other way round', 'a < b', 'b > a'],
  ['whole numbers', 'a > 3', 'a >= 4'],
  ['an opposite', 'a < b', '!(a >= b)'],
  ['an equality', 'a.length > 0', 'a.length !== 0'],
  ['no comparison of numbers', 'a < b', 'a < c'],
  ['the same comparison elsewhere', 'a < b', 'h() && a < b'],
])('%s is no limit that has moved', (_name, before, after) => {
  expect(findMovedLimits(`if (${before}) g();`, `if (${after}) g();`)).toEqual([]);
});

test('a comparison counts as often as it is made', () => {
  expect(findMovedLimits('a < b; a < b; a <= b;', 'a < b; a <= b; a <= b;')).toHaveLength(1);
  expect(findMovedLimits('a < b; a <= b;', 'a <= b; a < b;')).toEqual([]);
});
