// A double click on Apply, Improve or Roll back: asked once, and free again when it is done or has failed.

import { expect, test } from 'vitest';
import { once } from '../../../client/src/once.ts';

test('what runs is not begun again; afterwards it can be', async () => {
  let begun = 0;
  let end = (_: string): void => {};
  const done = new Promise<string>((resolve) => (end = resolve));
  const work = () => (begun++, done);
  const both = [once('apply p1', work), once('apply p1', work)];
  expect(await once('apply p2', async () => 'another')).toBe('another');
  end('applied');
  expect([await Promise.all(both), begun]).toEqual([['applied', undefined], 1]);
  const failing = once('apply p1', () => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
  expect(await once('apply p1', async () => 'again')).toBe('again');
});
