// Waits for a database that another process keeps busy, in small pieces: SQLite's own wait lets nothing else of this
// process run, so that no signal would be heard.

import { setTimeout as wait } from 'node:timers/promises';
import { resultCode } from './sqliteTrouble.ts';

const PATIENCE_MS = 10_000;
/** How long one call may keep the whole process. */
export const BUSY_MS = 200;
const PAUSE_MS = 20;
const BUSY = 5;

/** The result of the work. While another process writes, the work starts again: until then it may have done nothing. */
export async function whenFree<T>(work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (resultCode(error) !== BUSY || performance.now() > until) throw error;
      await wait(PAUSE_MS);
    }
  }
}
