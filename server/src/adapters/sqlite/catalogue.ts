// Stores the records of all files in one SQLite file: current records, and a shelf of replaced ones for switching back.
// The catalogue is a cache: a damaged file is moved aside and rebuilt.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskFullAction, SelfwareError } from '../../util/typedError.ts';
import { closeDatabase, waitWhenBusy } from './olderNode.ts';
import { MAX_BLOCKING_MS, retryWhileBusy } from './busyRetry.ts';
import { parseRow, pack, toRow, unpack, type RecordRow } from './packedRecords.ts';
import { isOutOfSpace } from './sqliteErrors.ts';
import { yieldNow } from '../../util/yieldNow.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Catalogue, DerivedTables, FileRecord } from '../../core/ports/catalogue.ts';
import { runInTransaction } from './transaction.ts';

/** Version of the layout of the rows. A file with another version is emptied when it is opened. */
const LAYOUT_VERSION = 5;
/** Maximum size of the shelf as a share of the number of files. The oldest records are dropped first. */
const SHELF_SHARE = 0.5;
/** Number of records that the shelf may always contain, however few files there are. */
const MIN_SHELF = 500;
/** Number of rows that are unpacked before other work gets a turn. */
const ROWS_AT_ONCE = 500;
const COLUMNS = 'path, hash, size, mtime_ms, facts, checksum, rest';
const COLUMN_TYPES =
  'path TEXT NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, mtime_ms REAL NOT NULL, facts TEXT NOT NULL, checksum INTEGER NOT NULL, rest BLOB NOT NULL';
/** SQLite's primary result codes for a damaged file: error in its schema, corrupt, not a database. */
const DAMAGE_CODES = new Set([1, 11, 26]);

/** Creates the catalogue. `file` may be `:memory:`. Nothing is accessed before `open`. */
export function createCatalogue(file: string, log?: Log): Catalogue {
  let database: DatabaseSync | null = null;
  let cache: { readonly version: number; readonly records: Map<string, FileRecord> } | null = null;

  const requireDatabase = (): DatabaseSync => {
    if (!database) throw new SelfwareError('internal', 'The catalogue is not open.');
    return database;
  };
  const write = async (work: (database: DatabaseSync) => void): Promise<void> => {
    try {
      await retryWhileBusy(() => {
        const openDatabase = requireDatabase();
        runInTransaction(openDatabase, () => work(openDatabase));
      });
    } catch (cause) {
      throw isOutOfSpace(cause, file) ? createCatalogueError(cause, file, 'written') : cause;
    }
  };
  /** Parsed records stay in memory until another process writes to the file. */
  const loadRecords = (): Map<string, FileRecord> => {
    const version = (requireDatabase().prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
    if (cache?.version !== version) {
      cache = { version, records: readAllRecords(requireDatabase()) };
    }
    return cache.records;
  };

  return {
    async open(profile) {
      database?.close();
      cache = null;
      let isDamaged = false;
      try {
        database = await openDatabase(file);
        checkIntact(database);
        loadRecords();
      } catch (cause) {
        if (!isDamage(cause)) throw createCatalogueError(cause, file, 'opened');
        isDamaged = true;
        log?.write('warn', `The catalogue ${file} is damaged; it is moved aside and made again.`, cause);
        closeQuietly(database, log);
        moveAside(file);
        database = await openDatabase(file);
      }
      const currentVersion = `${LAYOUT_VERSION}/${profile}`;
      const storedProfile = database.prepare("SELECT value FROM meta WHERE name = 'profile'").get() as
        | { value: string }
        | undefined;
      if (storedProfile?.value === currentVersion) return { isNew: isDamaged };
      await write((db) => {
        db.exec('DELETE FROM records; DELETE FROM shelf; DELETE FROM derived; DELETE FROM meta;');
        db.prepare(
          "INSERT INTO meta (name, value) VALUES ('profile', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        ).run(currentVersion);
      });
      cache = null;
      return { isNew: true };
    },
    async all() {
      return [...loadRecords().values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async put(addedRecords) {
      await write((db) => {
        const recordsByPath = loadRecords();
        const insert = db.prepare(`INSERT OR REPLACE INTO records (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
        for (const record of addedRecords) {
          const replaced = recordsByPath.get(record.path);
          if (replaced && replaced.hash !== record.hash) shelveRecord(db, record.path);
          const { path, hash, size, mtime_ms, facts, checksum, rest } = toRow(record);
          insert.run(path, hash, size, mtime_ms, facts, checksum, rest);
        }
      });
      const recordsByPath = loadRecords();
      for (const record of addedRecords) recordsByPath.set(record.path, record);
    },
    async remove(paths) {
      await write((db) => {
        const remove = db.prepare('DELETE FROM records WHERE path = ?');
        for (const path of paths) {
          shelveRecord(db, path);
          remove.run(path);
        }
      });
      const recordsByPath = loadRecords();
      for (const path of paths) recordsByPath.delete(path);
    },
    async findReplacedRecord(path, hash) {
      const row = requireDatabase()
        .prepare(`SELECT ${COLUMNS} FROM shelf WHERE path = ? AND hash = ?`)
        .get(path, hash) as RecordRow | undefined;
      return row ? parseRow(row) : null;
    },
    async trimShelf() {
      const shelfSize = Math.max(MIN_SHELF, Math.floor(loadRecords().size * SHELF_SHARE));
      await write((db) =>
        db
          .prepare('DELETE FROM shelf WHERE rowid NOT IN (SELECT rowid FROM shelf ORDER BY rowid DESC LIMIT ?)')
          .run(shelfSize),
      );
      const rows = requireDatabase().prepare(`SELECT ${COLUMNS} FROM shelf`).all() as unknown as RecordRow[];
      return new Set(rows.flatMap((row) => parseRow(row).chunks.map(({ id }) => id)));
    },
    async settled() {
      const row = requireDatabase().prepare("SELECT value FROM meta WHERE name = 'settled'").get() as
        | { value: string }
        | undefined;
      return row?.value ?? null;
    },
    async settle(mark) {
      await write((db) => {
        if (mark === null) db.exec("DELETE FROM meta WHERE name = 'settled'");
        else db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('settled', ?)").run(mark);
      });
    },
    async derived<K extends keyof DerivedTables>(kind: K) {
      const packed = requireDatabase()
        .prepare('SELECT row FROM derived WHERE kind = ? AND shelved = 0 ORDER BY path')
        .all(kind) as { row: Uint8Array }[];
      const rows: DerivedTables[K][] = [];
      for (const { row } of packed) {
        rows.push(unpack<DerivedTables[K]>(row));
        if (rows.length % ROWS_AT_ONCE === 0) await yieldNow();
      }
      return rows;
    },
    async shelvedDerived<K extends keyof DerivedTables>(kind: K, path: string, hash: string) {
      const rowFound = requireDatabase()
        .prepare('SELECT row FROM derived WHERE kind = ? AND path = ? AND hash = ?')
        .get(kind, path, hash) as { row: Uint8Array } | undefined;
      return rowFound ? unpack<DerivedTables[K]>(rowFound.row) : null;
    },
    async putDerived<K extends keyof DerivedTables>(
      kind: K,
      rows: readonly DerivedTables[K][],
      removedPaths: readonly string[],
    ) {
      await write((db) => {
        const shelveRow = db.prepare('UPDATE derived SET shelved = 1 WHERE kind = ? AND path = ?');
        const insert = db.prepare(
          'INSERT OR REPLACE INTO derived (kind, path, hash, shelved, row) VALUES (?, ?, ?, 0, ?)',
        );
        for (const path of removedPaths) shelveRow.run(kind, path);
        for (const row of rows) {
          shelveRow.run(kind, row.path);
          insert.run(kind, row.path, row.hash, pack(row));
        }
        const { count } = db
          .prepare('SELECT count(*) AS count FROM derived WHERE kind = ? AND shelved = 0')
          .get(kind) as { count: number };
        const shelfSize = Math.max(MIN_SHELF, Math.floor(count * SHELF_SHARE));
        db.prepare(
          'DELETE FROM derived WHERE kind = ? AND shelved = 1 AND rowid NOT IN (SELECT rowid FROM derived WHERE kind = ? AND shelved = 1 ORDER BY rowid DESC LIMIT ?)',
        ).run(kind, kind, shelfSize);
      });
    },
    async close() {
      database?.close();
      database = null;
      cache = null;
    },
  };
}

async function openDatabase(file: string): Promise<DatabaseSync> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    waitWhenBusy(database, MAX_BLOCKING_MS);
    await retryWhileBusy(() => createTables(database));
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function createTables(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  dropOldLayout(database);
  database.exec(`CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS records (${COLUMN_TYPES}, PRIMARY KEY (path)) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS shelf (${COLUMN_TYPES}, UNIQUE (path, hash)) STRICT;
      CREATE TABLE IF NOT EXISTS derived (kind TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, shelved INTEGER NOT NULL, row BLOB NOT NULL, UNIQUE (kind, path, hash)) STRICT;
      CREATE INDEX IF NOT EXISTS derived_shelf ON derived (kind, shelved);`);
}

/** Drops the tables of an old layout (with a column `record`), which `IF NOT EXISTS` would keep. */
function dropOldLayout(database: DatabaseSync): void {
  const columns = database.prepare("SELECT name FROM pragma_table_info('records')").all() as { name: string }[];
  if (columns.some(({ name }) => name === 'record'))
    database.exec('DROP TABLE IF EXISTS records; DROP TABLE IF EXISTS shelf; DROP TABLE IF EXISTS meta;');
}

/**
 * Throws if the file is damaged. Reads everything once, so that damage shows here and not in the middle of the work.
 */
function checkIntact(database: DatabaseSync): void {
  const [first] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  if (first?.quick_check !== 'ok') throw new SelfwareError('damaged', `quick_check says: ${first?.quick_check}`);
}

function readAllRecords(database: DatabaseSync): Map<string, FileRecord> {
  const rows = database.prepare(`SELECT ${COLUMNS} FROM records ORDER BY path`).all() as unknown as RecordRow[];
  return new Map(rows.map((row) => [row.path, parseRow(row)]));
}

/** Copies the current record of `path`, which is about to be replaced or removed, to the top of the shelf. */
function shelveRecord(database: DatabaseSync, path: string): void {
  database.prepare(`INSERT OR REPLACE INTO shelf (${COLUMNS}) SELECT ${COLUMNS} FROM records WHERE path = ?`).run(path);
}

function isDamage(error: unknown): boolean {
  if (error instanceof SelfwareError) return error.reason === 'damaged';
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && DAMAGE_CODES.has(code & 0xff);
}

function moveAside(file: string): void {
  if (file === ':memory:' || !existsSync(file)) return;
  renameSync(file, `${file}.damaged`);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function closeQuietly(database: DatabaseSync | null, log: Log | undefined): void {
  try {
    if (database) closeDatabase(database);
  } catch (cause) {
    log?.write('debug', 'The damaged catalogue could not be closed.', cause);
  }
}

function createCatalogueError(cause: unknown, file: string, action: 'opened' | 'written'): SelfwareError {
  const message = `The catalogue ${file} cannot be ${action}`;
  if (isOutOfSpace(cause, file))
    return new SelfwareError('diskFull', `${message}: the disk is full.`, { action: diskFullAction(file), cause });
  return new SelfwareError('unavailable', `${message}.`, { cause });
}
