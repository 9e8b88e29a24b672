// Runs work in a transaction of SQLite.

import type { DatabaseSync } from 'node:sqlite';
import { rollBack } from './olderNode.ts';

/** Runs `work` in a transaction, which is rolled back if `work` throws. */
export function runInTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // A full disk has ended the transaction already.
    rollBack(database);
    throw error;
  }
}
