// Opens an SQLite file that several processes write to and whose commits must survive a power cut.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { waitWhenBusy } from './olderNode.ts';
import { resultCode } from './sqliteTrouble.ts';

const BUSY_MS = 10_000;
const BUSY = 5;

/**
 * Write-ahead log, a sync at every commit. The constructor is passed in, so that `node:sqlite` is loaded by whoever
 * needs it. `inspect` sees the database before anything about the file is changed, and throws when it is to be left
 * alone.
 */
export async function openDatabase(
  constructor: typeof DatabaseSync,
  file: string,
  inspect?: (database: DatabaseSync) => void,
): Promise<DatabaseSync> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new constructor(file);
  try {
    waitWhenBusy(database, BUSY_MS);
    inspect?.(database);
    await switchToWriteAhead(database);
    database.exec('PRAGMA synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Processes that open a new file at the same time get in each other's way here, and SQLite does not wait by itself. */
async function switchToWriteAhead(database: DatabaseSync): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCode(error) !== BUSY || tries >= 100) throw error;
      await wait(20);
    }
  }
}
