// The end of a run by the clock, which also counts the time in which the machine slept.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createDeadline } from '../../../server/src/adapters/run/deadline.ts';

test('a deadline that passed while the machine slept is noticed at the next look', async () => {
  let now = 0;
  let looks = 0;
  const clock = () => {
    // The clock jumps while the timer waits.
    if (++looks === 3) now = 8 * 3_600_000;
    return now;
  };
  const { signal } = createDeadline(3_600_000, clock, 1);
  expect(signal.aborted).toBe(false);
  const timer = setInterval(() => undefined, 1_000);
  await once(signal, 'abort');
  clearInterval(timer);
  expect(looks).toBe(3);
});

test('a deadline that has passed is over at once', () => {
  expect(createDeadline(5, () => 5).signal.aborted).toBe(true);
});

test.each([NaN, Infinity, -Infinity])('an end of %s is refused, instead of a run without end', (until) => {
  expect(() => createDeadline(until)).toThrow(expect.objectContaining({ reason: 'usage' }));
});

test('a deadline of more than 25 days, which one timer cannot wait for, is not over', () => {
  const deadline = createDeadline(2 ** 33, () => 0);
  expect(deadline.signal.aborted).toBe(false);
  deadline.dispose();
});
