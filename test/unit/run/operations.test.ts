// One operation at a time, cancellable while waiting and while running, never blocked by a failure.

import { expect, test } from 'vitest';
import { createOperations } from '../../../server/src/core/run/operations.ts';

const never = new AbortController().signal;

/** A promise that the test settles. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Rejects with the signal's reason as soon as it fires, like any port that takes a signal. */
function untilCancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

test('operations run one after the other, in order', async () => {
  const operations = createOperations();
  const seen: string[] = [];
  const first = gate();
  const a = operations.run(async () => {
    seen.push('a starts');
    await first.opened;
    seen.push('a ends');
  }, never);
  const b = operations.run(async () => void seen.push('b'), never);
  await Promise.resolve();
  expect(operations.busy).toBe(true);
  first.open();
  await Promise.all([a, b]);
  expect(seen).toEqual(['a starts', 'a ends', 'b']);
});

test('a failure reaches its caller and nobody else', async () => {
  const operations = createOperations();
  const failing = operations.run(async () => {
    throw new Error('broken');
  }, never);
  const next = operations.run(async () => 'fine', never);
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('fine');
});

test('what waits can be cancelled without having started', async () => {
  const operations = createOperations();
  const first = gate();
  const running = operations.run(() => first.opened, never);
  const cancel = new AbortController();
  let started = false;
  const waiting = operations.run(async () => void (started = true), cancel.signal);
  cancel.abort();
  first.open();
  await running;
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
  expect(started).toBe(false);
});

test('cancelAll ends what runs and what waits, and the next operation works', async () => {
  const operations = createOperations();
  const running = operations.run(untilCancelled, never);
  const waiting = operations.run(async () => 'never', never);
  const ended = operations.cancelAll();
  await expect(running).rejects.toMatchObject({ reason: 'cancelled' });
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
  await ended;
  await expect(operations.run(async () => 'again', never)).resolves.toBe('again');
});

test('who waits and cancels is told at once, while the first still runs', async () => {
  const operations = createOperations();
  const first = gate();
  const running = operations.run(() => first.opened, never);
  const cancel = new AbortController();
  const waiting = operations.run(async () => 'never', cancel.signal);
  cancel.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
  expect(operations.busy).toBe(true);
  first.open();
  await running;
  await expect(operations.run(async () => 'next', never)).resolves.toBe('next');
});
