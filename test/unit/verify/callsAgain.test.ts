// Calls are made again twice each, however many there were.

import { expect, test } from 'vitest';
import { chooseRepeatedCalls } from '../../../server/src/adapters/harness/repeatedCalls.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([0, 1, 3, 200, 399, 500])('of %i calls', (count) => {
  const again = chooseRepeatedCalls(upTo(count), 7);
  const expected = upTo(Math.min(count, 200)).flatMap((call) => [call, call]);
  expect(again.toSorted((one, other) => one - other)).toEqual(expected);
  expect(chooseRepeatedCalls(upTo(count), 7)).toEqual(again);
});

test('another seed is another order', () => {
  expect(chooseRepeatedCalls(upTo(50), 8)).not.toEqual(chooseRepeatedCalls(upTo(50), 7));
});
