// Waits for the lock of runs, which other commands hold briefly.

import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../../adapters/files/lock.ts';

/**
 * Milliseconds for which other commands may hold the lock without a call of `mayWait`: to check for a run, or to end.
 */
const MOMENT_MS = 1_000;
/** Milliseconds between two attempts, within this time and after it. */
const [RETRY_MS, LONG_RETRY_MS] = [50, 500];

type HeldLock = NonNullable<Awaited<ReturnType<typeof acquireLock>>>;

/**
 * Takes the lock. If another process holds it for longer than `MOMENT_MS`, waits as long as `mayWait` returns true, and
 * then returns null.
 */
export async function waitForLock(
  path: string,
  { take = acquireLock, mayWait = () => false }: { readonly take?: typeof acquireLock; mayWait?(): boolean } = {},
): Promise<HeldLock | null> {
  const startedAt = performance.now();
  for (;;) {
    const lock = await take(path);
    if (lock) return lock;
    const isMoment = performance.now() < startedAt + MOMENT_MS;
    if (!isMoment && !mayWait()) return null;
    await sleep(isMoment ? RETRY_MS : LONG_RETRY_MS);
  }
}
