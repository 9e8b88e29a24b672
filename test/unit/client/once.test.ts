// A double click on Apply, Improve or Roll back: asked once, and free again when it is done or has failed.

import { expect, test } from 'vitest';
import { runOnce } from '../../../client/src/runOnce.ts';

test('what runs is not begun again; afterwards it can be', async () => {
  let begun = 0;
  let end = (_: string): void => {};
  const done = new Promise<string>((resolve) => (end = resolve));
  const work = () => (begun++, done);
  const both = [runOnce('apply p1', work), runOnce('apply p1', work)];
  expect(await runOnce('apply p2', async () => 'another')).toBe('another');
  end('applied');
  expect([await Promise.all(both), begun]).toEqual([['applied', undefined], 1]);
  const failing = runOnce('apply p1', () => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
  expect(await runOnce('apply p1', async () => 'again')).toBe('again');
});
