// Work after an answer: in turn, once for all that wait, and its end is waited for.

import { expect, test } from 'vitest';
import { createAfterwork } from '../../../server/src/core/run/afterwork.ts';

test('work runs in turn, what waits runs once, and a failure ends nothing', async () => {
  const failures: unknown[] = [];
  const afterwork = createAfterwork((error) => failures.push(error));
  const done: string[] = [];
  let release = () => {};
  afterwork.start(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    done.push('first');
    throw new Error('first');
  });
  await Promise.resolve();
  afterwork.start(async () => void done.push('second'));
  afterwork.start(async () => void done.push('third'));
  expect(done).toEqual([]);
  release();
  await afterwork.finish();
  expect([done, failures]).toEqual([['first', 'second'], [new Error('first')]]);
  afterwork.start(async () => void done.push('fourth'));
  await afterwork.finish();
  expect(done).toEqual(['first', 'second', 'fourth']);
});

test('cancelled work is aborted or never starts, and is no failure', async () => {
  const failures: unknown[] = [];
  const afterwork = createAfterwork((error) => failures.push(error));
  const done: string[] = [];
  afterwork.start(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Cancelled.')))),
  );
  await Promise.resolve();
  afterwork.start(async () => void done.push('waiting'));
  afterwork.cancel();
  afterwork.start(async () => void done.push('later'));
  await afterwork.finish();
  expect([done, failures]).toEqual([['later'], []]);
});
