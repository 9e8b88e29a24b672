// The watchdog: work that does not end is given up, and work that ends keeps its own answer.

import { expect, test } from 'vitest';
import { withWatchdog } from '../../../server/src/util/watchdog.ts';

test('work that is never answered is given up in a sentence', async () => {
  const stuck = withWatchdog(new Promise(() => undefined), 'Writing a.ts', 10);
  await expect(stuck).rejects.toMatchObject({
    reason: 'timedOut',
    message: expect.stringContaining('Writing a.ts took longer'),
  });
});

test('an answer and a failure come through as they are', async () => {
  expect(await withWatchdog(Promise.resolve('done'), 'Writing a.ts')).toBe('done');
  await expect(withWatchdog(Promise.reject(new Error('own')), 'Writing a.ts')).rejects.toThrow('own');
});
