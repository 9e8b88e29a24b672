// Provides a lock that allows one writer per repository state. It is a lock of the operating system, so it is released
// when its process ends.

import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { diskFullAction, SelfwareError } from '../../util/typedError.ts';
import { closeDatabase } from '../sqlite/olderNode.ts';
import { isOutOfSpace } from '../sqlite/sqliteErrors.ts';
import { toWriteError } from './durableFile.ts';
import type { Lock } from '../../core/ports/system.ts';

/** Result code of SQLite for a database that is locked (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;
/** Milliseconds between two attempts to take a lock. */
const RETRY_MS = 20;

/**
 * Creates the locks of a state folder. Each is an open write transaction on an empty database in `stateDir`/locks:
 * SQLite takes a lock of the operating system on every platform, even against other connections of this process. The
 * databases stay empty, so a crash leaves nothing to repair, and no process id can be mistaken for another process. A
 * suspended process keeps its lock, because it continues writing when it wakes up. In a network folder, the lock works
 * between hosts as far as that folder's own locks do. Throws `readOnly`, `diskFull` or `writeFailed` if the folder
 * cannot hold a lock.
 */
export function createLock(stateDir: string): Lock {
  // Lock files of single proposals are deleted, because they would accumulate.
  return { acquire: (name) => acquireLock(join(stateDir, 'locks', `${name}.lock`), name.startsWith('verifying-')) };
}

/**
 * Takes the lock with the file `path`. Null if another holder has it. Throws `readOnly`, `diskFull` or `writeFailed`.
 * `isTransient`: true if the file is deleted when the lock is released, because such a lock is rarely taken again.
 */
export async function acquireLock(path: string, isTransient = false): Promise<{ release(): Promise<void> } | null> {
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    database = new DatabaseSync(path);
    // IMMEDIATE, not EXCLUSIVE: exactly one of two competing processes gets the lock, and readers are not affected.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database?.close();
    if (isBusy(error)) return null;
    if (!isSqliteError(error)) throw toWriteError(error, path);
    const [message, cause] = [`The lock ${path} cannot be taken`, error];
    if (isOutOfSpace(error, path))
      throw new SelfwareError('diskFull', `${message}: the disk is full.`, { action: diskFullAction(path), cause });
    throw new SelfwareError('writeFailed', `${message}.`, {
      action: 'Check that the state folder is writable.',
      cause,
    });
  }
  return { release: createRelease(database, isTransient ? path : null) };
}

/**
 * Runs `work` while the lock with the file `path` is held. Throws `locked` if another holder has it for more than
 * `maxWaitMs`, and the errors of `acquireLock` and of `work`.
 */
export async function withFileLock<T>(path: string, maxWaitMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + maxWaitMs;
  let lock = await acquireLock(path);
  while (!lock) {
    if (Date.now() > deadline)
      throw new SelfwareError('locked', `Another process has held ${path} for ${Math.round(maxWaitMs / 1000)} s.`, {
        action: 'End it, or try again later.',
      });
    await pause(RETRY_MS);
    lock = await acquireLock(path);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function createRelease(database: DatabaseSync, transientFile: string | null): () => Promise<void> {
  return async () => {
    // The file is deleted while the lock is still held, so another process either finds it locked or creates a new
    // file.
    if (transientFile !== null) await rm(transientFile, { force: true }).catch(() => undefined);
    closeDatabase(database);
  };
}

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error;
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY;
}
