// The chunk store without a native binary: rows in SQLite, BM25 and vectors in memory. Serves where LanceDB does not load, and in tests.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ChunkHit, ChunkStore, StoredChunk } from '../../core/indexPorts.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { createBm25Index, type Bm25Index } from './bm25Index.ts';

const LAYOUT = 1;
const BUSY_MS = 10_000;
const ROWS_AT_ONCE = 4_096;

type Place = Omit<ChunkHit, 'score'>;

interface Memory {
  /** SQLite's counter of writes by others; another value means that this is out of date. */
  readonly version: number;
  readonly lexical: Bm25Index;
  readonly places: Map<string, Place>;
  readonly vectors: Map<string, Float32Array>;
}

interface Row {
  readonly id: string;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly symbol: string | null;
  readonly terms: string;
  readonly vector: Uint8Array;
}

/** `file` may be `:memory:`. A damaged file is made again: it is a cache. */
export async function createLexicalStore(file: string): Promise<ChunkStore> {
  let database: DatabaseSync | null = null;
  let memory: Memory | null = null;

  const opened = (): DatabaseSync => {
    if (!database) throw new SelfwareError('internal', 'The chunk store is not open.');
    return database;
  };
  const version = (): number => (opened().prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
  const loaded = (): Memory => {
    const now = version();
    if (memory?.version !== now) {
      memory = { version: now, lexical: createBm25Index(), places: new Map(), vectors: new Map() };
      for (const row of opened().prepare('SELECT * FROM chunks ORDER BY id').iterate() as Iterable<unknown>) {
        const { id, path, start_line, end_line, symbol, terms, vector } = row as Row;
        memory.places.set(id, { id, path, startLine: start_line, endLine: end_line, symbol });
        memory.lexical.add(id, terms);
        memory.vectors.set(id, new Float32Array(vector.slice().buffer));
      }
    }
    return memory;
  };

  return {
    kind: 'lexical',
    async open(profile, dimensions) {
      memory = null;
      database?.close();
      database = openOrMakeAgain(file);
      const wanted = `${LAYOUT}/${dimensions}/${profile}`;
      const stored = database.prepare("SELECT value FROM meta WHERE name = 'profile'").get() as { value: string } | undefined;
      if (stored?.value === wanted) return;
      database.exec('DELETE FROM chunks');
      database.prepare("INSERT INTO meta (name, value) VALUES ('profile', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value").run(wanted);
    },
    async ids() {
      return new Set((opened().prepare('SELECT id FROM chunks').all() as { id: string }[]).map(({ id }) => id));
    },
    async *rows(signal) {
      let batch: StoredChunk[] = [];
      for (const row of opened().prepare('SELECT id, terms, vector FROM chunks').iterate() as Iterable<unknown>) {
        const { id, terms, vector } = row as Row;
        batch.push({ id, terms, vector: new Float32Array(vector.slice().buffer) });
        if (batch.length < ROWS_AT_ONCE) continue;
        throwIfCancelled(signal);
        yield batch;
        batch = [];
      }
      yield batch;
    },
    async upsert(chunks) {
      const insert = opened().prepare('INSERT OR REPLACE INTO chunks (id, path, start_line, end_line, symbol, terms, vector) VALUES (?, ?, ?, ?, ?, ?, ?)');
      transaction(opened(), () => {
        for (const { id, path, startLine, endLine, symbol, terms, vector } of chunks) insert.run(id, path, startLine, endLine, symbol, terms, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      });
      if (!memory) return;
      for (const { id, path, startLine, endLine, symbol, terms, vector } of chunks) {
        memory.places.set(id, { id, path, startLine, endLine, symbol });
        memory.lexical.add(id, terms);
        memory.vectors.set(id, vector);
      }
    },
    async remove(ids) {
      const statement = opened().prepare('DELETE FROM chunks WHERE id = ?');
      transaction(opened(), () => {
        for (const id of ids) statement.run(id);
      });
      for (const id of memory ? ids : []) {
        memory!.places.delete(id);
        memory!.lexical.remove(id);
        memory!.vectors.delete(id);
      }
    },
    async search({ terms, vector, limit }) {
      const { lexical, places, vectors } = loaded();
      const hit = ({ id, score }: { id: string; score: number }): ChunkHit => ({ ...places.get(id)!, score });
      return {
        lexical: lexical.search(terms.split(' ').filter((term) => term !== ''), limit).map(hit),
        dense: nearest(vectors, vector, limit).map(hit),
      };
    },
    async optimise() {
      opened().exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize;');
    },
    async close() {
      database?.close();
      database = null;
      memory = null;
    },
  };
}

function nearest(vectors: ReadonlyMap<string, Float32Array>, wanted: Float32Array, limit: number): { id: string; score: number }[] {
  const scored: { id: string; score: number }[] = [];
  for (const [id, vector] of vectors) {
    let score = 0;
    for (let index = 0; index < wanted.length; index++) score += wanted[index]! * vector[index]!;
    scored.push({ id, score });
  }
  return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

function openOrMakeAgain(file: string): DatabaseSync {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  try {
    return openDatabase(file);
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (code !== 11 && code !== 26 && code !== 1) throw new SelfwareError('unavailable', `The chunk store ${file} cannot be opened.`, { cause: error });
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return openDatabase(file);
  }
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec(`CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS chunks (id TEXT PRIMARY KEY, path TEXT NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, symbol TEXT, terms TEXT NOT NULL, vector BLOB NOT NULL) STRICT;`);
    database.prepare('SELECT id, path, start_line, end_line, symbol, terms, vector FROM chunks LIMIT 1').get();
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function transaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
