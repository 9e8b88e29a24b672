// Waits in small steps for a database that another process keeps busy. SQLite's own wait blocks this whole process,
// which then would not react to signals.

import { setTimeout as wait } from 'node:timers/promises';
import { findResultCode } from './sqliteErrors.ts';

/** Maximum wait in milliseconds; then the error of the database is thrown. */
const MAX_WAIT_MS = 10_000;
/** Maximum number of milliseconds for which one call may block the process. */
export const MAX_BLOCKING_MS = 200;
/** Milliseconds between two attempts. */
const PAUSE_MS = 20;
/** SQLite's result code for a database that another process uses. */
const BUSY_CODE = 5;

/**
 * The result of `work`. While another process writes, `work` is started again, so it must have no effect before it gets
 * the database.
 */
export async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (findResultCode(error) !== BUSY_CODE || performance.now() > deadline) throw error;
      await wait(PAUSE_MS);
    }
  }
}
