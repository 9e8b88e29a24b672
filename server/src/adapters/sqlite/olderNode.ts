// Adds the features that the `node:sqlite` of the oldest supported Node, 22.13, lacks (VS Code 1.101 runs on 22.15):
// `isTransaction` and the option `timeout` (both 22.16), and `isOpen` (22.15). Their absence causes no error there.

import type { DatabaseSync } from 'node:sqlite';
import { findResultCode } from './sqliteErrors.ts';

/** SQLite's primary result code for general errors, such as "no transaction is active". */
const ERROR_CODE = 1;

/** Rolls back the open transaction, if there is one: some errors have ended it already. */
export function rollBack(database: Pick<DatabaseSync, 'exec' | 'isTransaction'>): void {
  const isOpen = database.isTransaction as boolean | undefined;
  if (isOpen === false) return;
  try {
    database.exec('ROLLBACK');
  } catch (error) {
    if (isOpen || findResultCode(error) !== ERROR_CODE) throw error;
  }
}

/** Closes the database unless it is closed. */
export function closeDatabase(database: Pick<DatabaseSync, 'close' | 'isOpen'>): void {
  const isOpen = database.isOpen as boolean | undefined;
  if (isOpen === false) return;
  try {
    database.close();
  } catch (error) {
    if (isOpen || (error as NodeJS.ErrnoException).code !== 'ERR_INVALID_STATE') throw error;
  }
}

/** Sets how long a call waits for other processes before it fails as busy. */
export function waitWhenBusy(database: Pick<DatabaseSync, 'exec'>, millis: number): void {
  database.exec(`PRAGMA busy_timeout = ${millis}`);
}
