// The catalogue of file records in one SQLite file. A cache: what is damaged is moved aside and made again.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Catalogue, FileRecord } from '../../core/indexPorts.ts';
import type { Log } from '../../core/ports.ts';
import { SelfwareError } from '../../util/typedError.ts';

/** Layout of the table; another number starts it afresh. */
const LAYOUT = 1;
const BUSY_MS = 10_000;

/** `file` may be `:memory:`. Nothing is touched before `open`. */
export function createCatalogue(file: string, log?: Log): Catalogue {
  let database: DatabaseSync | null = null;
  let known: { readonly version: number; readonly records: Map<string, FileRecord> } | null = null;

  const opened = (): DatabaseSync => {
    if (!database) throw new SelfwareError('internal', 'The catalogue is not open.');
    return database;
  };
  /** Parsed records stay in memory until another process writes to the file. */
  const records = (): Map<string, FileRecord> => {
    const version = (opened().prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
    if (known?.version !== version) {
      const rows = opened().prepare('SELECT record FROM files ORDER BY path').all() as { record: string }[];
      const parsed = rows.map(({ record }) => JSON.parse(record) as FileRecord);
      known = { version, records: new Map(parsed.map((record) => [record.path, record])) };
    }
    return known.records;
  };

  return {
    async open(profile) {
      database?.close();
      known = null;
      let damaged = false;
      try {
        database = openDatabase(file);
        checkIntact(database);
      } catch (cause) {
        if (!isDamage(cause)) throw new SelfwareError('unavailable', `The catalogue ${file} cannot be opened.`, { cause });
        damaged = true;
        log?.write('warn', `The catalogue ${file} is damaged; it is moved aside and made again.`, cause);
        closeQuietly(database, log);
        moveAside(file);
        database = openDatabase(file);
      }
      const wanted = `${LAYOUT}/${profile}`;
      const stored = database.prepare("SELECT value FROM meta WHERE name = 'profile'").get() as { value: string } | undefined;
      if (stored?.value === wanted) return { fresh: damaged };
      inTransaction(database, (db) => {
        db.exec('DELETE FROM files');
        db.prepare("INSERT INTO meta (name, value) VALUES ('profile', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value").run(wanted);
      });
      return { fresh: true };
    },
    async all() {
      return [...records().values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async put(added) {
      const cached = records();
      inTransaction(opened(), (db) => {
        const statement = db.prepare('INSERT INTO files (path, record) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET record = excluded.record');
        for (const record of added) statement.run(record.path, JSON.stringify(record));
      });
      for (const record of added) cached.set(record.path, record);
    },
    async remove(paths) {
      const cached = records();
      inTransaction(opened(), (db) => {
        const statement = db.prepare('DELETE FROM files WHERE path = ?');
        for (const path of paths) statement.run(path);
      });
      for (const path of paths) cached.delete(path);
    },
    async close() {
      database?.close();
      database = null;
      known = null;
    },
  };
}

function openDatabase(file: string): DatabaseSync {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT; CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID;');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Reads everything once: a page that is torn or a record that is no JSON shows here and not in the middle of the work. */
function checkIntact(database: DatabaseSync): void {
  const [first] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  if (first?.quick_check !== 'ok') throw new SelfwareError('damaged', `quick_check says: ${first?.quick_check}`);
  const bad = database.prepare('SELECT path FROM files WHERE NOT json_valid(record) LIMIT 1').get() as { path: string } | undefined;
  if (bad) throw new SelfwareError('damaged', `The record of ${bad.path} is no JSON.`);
}

/** SQLite's primary result codes for a file that is not what it should be: error in its schema, corrupt, not a database. */
const damageCodes = new Set([1, 11, 26]);

function isDamage(error: unknown): boolean {
  if (error instanceof SelfwareError) return error.reason === 'damaged';
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && damageCodes.has(code & 0xff);
}

function moveAside(file: string): void {
  if (file === ':memory:' || !existsSync(file)) return;
  renameSync(file, `${file}.damaged`);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function closeQuietly(database: DatabaseSync | null, log: Log | undefined): void {
  try {
    if (database?.isOpen) database.close();
  } catch (cause) {
    log?.write('debug', 'The damaged catalogue could not be closed.', cause);
  }
}

function inTransaction(database: DatabaseSync, work: (database: DatabaseSync) => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work(database);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
