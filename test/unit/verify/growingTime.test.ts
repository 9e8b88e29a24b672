// Calls whose time grows with their argument, and calls that do not end.

import { expect, test } from 'vitest';
import { growsWithNumber, takesLongerWithSize } from '../../../server/src/adapters/harness/breaking/growingTime.ts';
import type { ProbeAnswer } from '../../../server/src/adapters/harness/sideProcesses.ts';

/** Milliseconds, or null for more than three seconds. */
const limited = (millis: number) => Promise.resolve(millis > 3000 ? null : millis);

test.each([
  ['doubles its work with each step', (n: number) => 2 ** n / 1e6, 64, true],
  ['is a recursion of two branches', (n: number) => 1.6 ** n / 1e5, 50, true],
  ['needs more with the square of the number', (n: number) => n * n, 100, true],
  ['ends at once for all smaller numbers', () => 0.1, 12, false],
  ['never ends for odd numbers', (n: number) => (n % 2 === 1 && n > 1 ? Infinity : 0.1), 13, false],
  ['never ends', () => Infinity, 20, false],
])('a call that %s', async (_, millisOf, limit, expected) => {
  expect(await growsWithNumber(limit, (number) => limited(millisOf(number)))).toBe(expected);
});

test('only whole numbers from 4 on are made smaller', async () => {
  const asked: unknown[] = [];
  const ask = (_: unknown, args: unknown) => {
    asked.push(args);
    return Promise.resolve({ probed: { held: true } } as unknown as ProbeAnswer);
  };
  expect(await takesLongerWithSize({ kind: 'breaks', of: 0, result: null }, ['a', 3, 0.5, -7], { ask })).toBe(false);
  expect(asked).toEqual([]);
});
