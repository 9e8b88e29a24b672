// Opens an SQLite file that several processes write to and whose commits must survive a power cut.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { waitWhenBusy } from './olderNode.ts';
import { MAX_BLOCKING_MS, retryWhileBusy } from './busyRetry.ts';

/**
 * Opens `file` with a write-ahead log and a sync at every commit. The constructor is passed in, so that the caller
 * loads `node:sqlite`. `inspect` sees the database before anything in the file is changed, and throws if it must not be
 * changed.
 */
export async function openDatabase(
  Database: typeof DatabaseSync,
  file: string,
  inspect?: (database: DatabaseSync) => void,
): Promise<DatabaseSync> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new Database(file);
  try {
    waitWhenBusy(database, MAX_BLOCKING_MS);
    await retryWhileBusy(() => {
      inspect?.(database);
      // Processes that open a new file at the same time may conflict here.
      database.exec('PRAGMA journal_mode = WAL');
    });
    database.exec('PRAGMA synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
