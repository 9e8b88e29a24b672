// One writer per repository state. The operating system holds the lock, so it is free the moment its process is gone.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Lock } from '../../core/ports.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { writeTrouble } from './durableFile.ts';

/** Result code of SQLite, see sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;

/**
 * Locks are open write transactions on empty databases in `stateDir`/locks: SQLite takes a lock of the operating system on
 * every platform, also against other connections of this process. Nothing is ever written, so there is nothing to clean up
 * and no process id to mistake. Throws `readOnly`, `diskFull` or `writeFailed` when the folder cannot hold a lock.
 */
export function createLock(stateDir: string): Lock {
  const dir = join(stateDir, 'locks');
  return {
    async acquire(name) {
      const place = join(dir, `${name}.lock`);
      const { DatabaseSync } = await import('node:sqlite');
      let database: DatabaseSync | undefined;
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        database = new DatabaseSync(place);
        // IMMEDIATE, not EXCLUSIVE: of two that race for the reserved lock exactly one gets it, and readers do not matter.
        database.exec('BEGIN IMMEDIATE');
      } catch (error) {
        database?.close();
        if (isBusy(error)) return null;
        throw isSqlite(error) ? new SelfwareError('writeFailed', `The lock ${place} cannot be taken.`, { action: 'Check that the state folder is writable.', cause: error }) : writeTrouble(error, place);
      }
      return { release: releaseOnce(database) };
    },
  };
}

function releaseOnce(database: DatabaseSync): () => Promise<void> {
  return async () => {
    if (database.isOpen) database.close();
  };
}

function isSqlite(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error;
}

function isBusy(error: unknown): boolean {
  return isSqlite(error) && (error.errcode & 0xff) === SQLITE_BUSY;
}
