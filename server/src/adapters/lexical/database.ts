// Manages the SQLite file of the lexical store: opens it, recreates it if it is damaged, and turns its errors into
// typed ones.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskFullAction, SelfwareError } from '../../util/typedError.ts';
import { waitWhenBusy } from '../sqlite/olderNode.ts';
import { MAX_BLOCKING_MS } from '../sqlite/busyRetry.ts';
import { isOutOfSpace } from '../sqlite/sqliteErrors.ts';

/** Result codes of SQLite (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5,
  READ_ONLY = 8,
  INPUT_OUTPUT = 10,
  SQLITE_CORRUPT = 11,
  CANNOT_OPEN = 14,
  NOT_A_DATABASE = 26;

/**
 * Opens the file, or creates it if it is missing or damaged. Throws `readOnly`, `diskFull`, `locked`, `unavailable`.
 */
export function openLexicalDatabase(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
    return openFile(file);
  } catch (error) {
    if (isDamage(error)) return createDatabase(file);
    throw toStoreError(error, `The chunk store ${file} cannot be opened.`, file);
  }
}

/** Creates an empty database, and replaces any content of the file. */
export function createDatabase(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return openFile(file);
  } catch (error) {
    throw toStoreError(error, `The chunk store ${file} cannot be made.`, file);
  }
}

/** True for an error of SQLite that means damage. */
export function isDamage(error: unknown): boolean {
  return [SQLITE_CORRUPT, NOT_A_DATABASE].includes(readErrorCode(error));
}

/** True if a table does not exist. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('no such table: ');
}

/** Converts an error of SQLite. `message`: a complete sentence about the action that failed. */
export function toStoreError(cause: unknown, message: string, file: string): SelfwareError {
  if (cause instanceof SelfwareError) return cause;
  const code = readErrorCode(cause);
  const { code: name = '' } = cause as NodeJS.ErrnoException;
  if (isDamage(cause))
    return new SelfwareError('damaged', `${message} Its file was damaged and has been made again, empty.`, {
      action: 'Index again.',
      cause,
    });
  if (isOutOfSpace(cause, file))
    return new SelfwareError('diskFull', `${message} The disk is full.`, { action: diskFullAction(file), cause });
  if ([READ_ONLY, CANNOT_OPEN].includes(code) || ['EROFS', 'EACCES', 'EPERM'].includes(name))
    return new SelfwareError('readOnly', `${message} Permission denied.`, {
      action: 'Make the state folder writable, or set SELFWARE_HOME.',
      cause,
    });
  // The cause may be a limit on the size of files (ulimit -f); the system gives no details.
  if (code === INPUT_OUTPUT)
    return new SelfwareError('writeFailed', `${message} The disk refused.`, {
      action: 'Check the limit on the size of files.',
      cause,
    });
  if (code === SQLITE_BUSY)
    return new SelfwareError('locked', `${message} Another process is writing.`, { action: 'Try again.', cause });
  return new SelfwareError('unavailable', message, { cause });
}

function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    waitWhenBusy(database, MAX_BLOCKING_MS);
    // The first two must precede any data: they let the file shrink, and let several rows of 2 to 3 KB share a page.
    database.exec(
      'PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;',
    );
    database.exec('CREATE TABLE IF NOT EXISTS profiles (name TEXT PRIMARY KEY) STRICT');
    database.prepare('SELECT name FROM profiles LIMIT 1').get();
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function readErrorCode(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}
