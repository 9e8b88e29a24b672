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

test('what can wait begins when nobody waits, makes way for whoever comes, and begins anew', async () => {
  const operations = createOperations();
  const seen: string[] = [];
  const begun = gate();
  const last = gate();
  let starts = 0;
  const first = operations.run(async () => void seen.push('first'), never);
  operations.whenIdle(async () => void seen.push('replaced before it began'));
  operations.whenIdle(async (signal) => {
    starts += 1;
    seen.push(`idle ${starts}`);
    if (starts === 2) return last.open();
    begun.open();
    await untilCancelled(signal);
  });
  await first;
  await begun.opened;
  await operations.run(async () => void seen.push('second'), never);
  await last.opened;
  expect(seen).toEqual(['first', 'idle 1', 'second', 'idle 2']);
});

test('what can wait is not done any more once everything is cancelled', async () => {
  const operations = createOperations();
  const begun = gate();
  let starts = 0;
  operations.whenIdle(async (signal) => {
    starts += 1;
    begun.open();
    await untilCancelled(signal);
  });
  await begun.opened;
  await operations.cancelAll();
  await operations.run(async () => undefined, never);
  expect([starts, operations.busy]).toEqual([1, false]);
});
