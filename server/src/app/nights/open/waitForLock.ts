// Waits for the lock of runs, which other commands hold briefly.

import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../../adapters/files/lock.ts';

/** Milliseconds for which a check of a run, or the end of another command, may hold the lock. */
const MOMENT_MS = 1_000;
const [RETRY_MS, LONG_RETRY_MS] = [50, 500];

type HeldLock = NonNullable<Awaited<ReturnType<typeof acquireLock>>>;

/**
 * Takes the lock; null if another process holds it for longer than a moment. `mayWait`: called then; the wait lasts as
 * long as it returns true.
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
