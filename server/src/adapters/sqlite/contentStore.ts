// Stores texts by their hash in one SQLite file: the complete contents of edited files, of which the ledger contains
// only the hash.

import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sha256 } from '../../util/hash.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { openDatabase } from './openDatabase.ts';
import { retryWhileBusy } from './busyRetry.ts';
import { toSqliteError } from './sqliteErrors.ts';
import type { ContentStore } from '../../core/ports/ledger.ts';

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL, at INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID';
/** Adds the time of storing, which files of older versions lack. */
const ADDED_COLUMN = 'ALTER TABLE contents ADD COLUMN at INTEGER NOT NULL DEFAULT 0';
/** Minimum age in milliseconds of a text that is removed. */
const MIN_AGE_MS = 3_600_000;

/**
 * Creates the store. The file is opened at its first use, so that a damaged one only affects callers who need it. A
 * text is durable when `put` returns. Throws `damaged`, `diskFull`, `readOnly`, `locked`, `writeFailed`.
 */
export async function createContentStore(
  file: string,
  now: () => number = Date.now,
): Promise<ContentStore & { close(): Promise<void> }> {
  const { DatabaseSync } = await import('node:sqlite');
  const action = `Move ${file} away to start afresh; proposals whose texts were in it have to be made again.`;
  let database: DatabaseSync | null = null;

  async function withDatabase<T>(work: (db: DatabaseSync) => T): Promise<T> {
    try {
      if (!database) {
        const newDatabase = await openDatabase(DatabaseSync, file);
        await retryWhileBusy(() => {
          newDatabase.exec(SCHEMA);
          addColumn(newDatabase);
        });
        database = newDatabase;
      }
      const openDb = database;
      return await retryWhileBusy(() => work(openDb));
    } catch (error) {
      throw toSqliteError(error, `The store of texts ${file}`, action, file);
    }
  }

  return {
    async put(text) {
      const bytes = Buffer.from(text, 'utf8');
      const hash = sha256(bytes);
      // An existing text is replaced, which repairs bytes that were damaged on disk.
      await withDatabase((db) =>
        db
          .prepare(
            'INSERT INTO contents (hash, bytes, at) VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET bytes = excluded.bytes, at = excluded.at',
          )
          .run(hash, deflateRawSync(bytes), now()),
      );
      return hash;
    },

    async get(hash) {
      const row = (await withDatabase((db) => db.prepare('SELECT bytes FROM contents WHERE hash = ?').get(hash))) as
        | { bytes: Uint8Array }
        | undefined;
      if (!row) return null;
      const bytes = inflateOrNull(row.bytes);
      if (!bytes || sha256(bytes) !== hash)
        throw new SelfwareError('damaged', `A stored text (${hash.slice(0, 12)}) is damaged.`, { action });
      // TextDecoder would drop a byte-order mark.
      return bytes.toString('utf8');
    },

    async sizes() {
      const rows = (await withDatabase((db) =>
        db.prepare('SELECT hash, length(bytes) AS size FROM contents').all(),
      )) as { hash: string; size: number }[];
      return new Map(rows.map(({ hash, size }) => [hash, size]));
    },

    async remove(hashes) {
      // The age is checked in the same statement, so that a text stored by another process at this moment stays.
      const cutoff = now() - MIN_AGE_MS;
      return withDatabase((db) => {
        const statement = db.prepare('DELETE FROM contents WHERE hash = ? AND at <= ?');
        return hashes.reduce((removedCount, hash) => removedCount + Number(statement.run(hash, cutoff).changes), 0);
      });
    },

    async close() {
      database?.close();
      database = null;
    },
  };
}

function addColumn(db: DatabaseSync): void {
  const columns = db.prepare("SELECT name FROM pragma_table_info('contents')").all() as { name: string }[];
  if (!columns.some(({ name }) => name === 'at')) db.exec(ADDED_COLUMN);
}

/** The stored text; null if these bytes were not written by `put`. */
function inflateOrNull(bytes: Uint8Array): Buffer | null {
  try {
    return inflateRawSync(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') || code?.startsWith('ERR_')) return null;
    throw error;
  }
}
