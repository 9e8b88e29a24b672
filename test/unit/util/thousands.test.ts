// Numbers for people are written as the engine writes them.

import { expect, test } from 'vitest';
import { groupThousands } from '../../../server/src/util/thousands.ts';

test.each([
  0,
  7,
  999,
  1_000,
  12_345,
  123_456,
  1_234_567,
  -1,
  -1_000,
  -123_456,
  1_234.5,
  0.125,
  Number.MAX_SAFE_INTEGER,
  2 ** 60,
  Infinity,
  NaN,
])('%d', (n) => {
  expect(groupThousands(n)).toBe(n.toLocaleString('en-US'));
});
