// Runs work in a transaction of SQLite.

import type { DatabaseSync } from 'node:sqlite';
import { rollBack } from './olderNode.ts';

/** The result of `work`, which runs in a transaction; it is rolled back if `work` throws. */
export function runInTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has ended the transaction already.
    rollBack(database);
    throw error;
  }
}
