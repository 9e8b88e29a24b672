// Work that is repeated while a process lives.

import { expect, test } from 'vitest';
import { repeat } from '../../../server/src/util/timing/repeatedly.ts';

test('work does not overlap; an error does not end the repetition; the end waits for work in progress', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const errors: unknown[] = [];
  let isAborted = false;
  const stop = repeat(
    async (signal) => {
      most = Math.max(most, ++running);
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 8));
      isAborted = signal.aborted;
      running -= 1;
      if (rounds === 1) throw new Error('broken');
    },
    2,
    (error) => errors.push(error),
  );
  await expect.poll(() => rounds, { interval: 2 }).toBeGreaterThan(2);
  await expect.poll(() => running, { interval: 1 }).toBe(1);
  await stop();
  expect([most, running, isAborted]).toEqual([1, 0, true]);
  expect(errors).toEqual([new Error('broken')]);
});
