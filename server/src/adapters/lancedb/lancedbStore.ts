// Chunks in LanceDB: rows with pre-split terms (full-text index) and vectors (flat search).

import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkHit, ChunkStore } from '../../core/indexPorts.ts';
import type { Log } from '../../core/ports.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { setUpLibrary } from './environment.ts';

const LAYOUT = 1;
/** Old versions are kept this long, for a reader that is in the middle of a query. */
const KEEP_VERSIONS_MS = 60_000;
/** Each write is a version with files of its own; after so many they are compacted, whoever calls `optimise` or not. */
const WRITES_BETWEEN_COMPACTIONS = 60;
/** Flat search stays exact and fast up to about this many rows. */
const FLAT_ROWS = 50_000;
const DELETE_AT_ONCE = 500;
const columns = ['id', 'path', 'startLine', 'endLine', 'symbol'];

type Lancedb = typeof import('@lancedb/lancedb');

/** Loads the native binary (call only after the probe has passed) and opens the database in `dir`. Throws `unavailable`. */
export async function createLancedbStore(dir: string, log?: Log, keepVersionsMs = KEEP_VERSIONS_MS): Promise<ChunkStore> {
  setUpLibrary(process.env);
  const { lancedb } = await attempt('LanceDB could not be loaded.', () => import('./library.ts'));
  await mkdir(dir, { recursive: true });
  const connection = await attempt('LanceDB could not be opened.', () => lancedb.connect(dir));
  let table: Table | null = null;
  /** Whether the terms are indexed; null = not looked yet. Searches that come together wait for one answer. */
  let indexed: Promise<boolean> | null = null;

  const opened = (): Table => {
    if (!table) throw new SelfwareError('internal', 'The chunk store is not open.');
    return table;
  };

  const ensureIndexed = async (): Promise<boolean> => {
    indexed ??= ensureTermsIndex(lancedb, opened());
    try {
      const done = await indexed;
      // An empty table cannot be indexed: ask again next time.
      if (!done) indexed = null;
      return done;
    } catch (error) {
      indexed = null;
      throw error;
    }
  };

  /** Null = not counted yet; a table may come with the versions of many short runs. */
  let writes: number | null = null;
  const compact = async (): Promise<void> => {
    writes = 0;
    try {
      await opened().optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) });
    } catch (cause) {
      // Another process at the same work; what is written stays written, and the next turn comes.
      log?.write('warn', 'The chunk table could not be compacted.', cause);
    }
  };
  const written = async (): Promise<void> => {
    writes = writes === null ? (await opened().listVersions()).length : writes + 1;
    if (writes > WRITES_BETWEEN_COMPACTIONS) await compact();
  };

  return {
    kind: 'lancedb',
    async open(profile, dimensions) {
      // The name carries the profile, so that vectors of two profiles never share a table and two processes that start at once make the same one.
      const name = `chunks-${createHash('sha256').update(`${LAYOUT}/${dimensions}/${profile}`).digest('hex').slice(0, 16)}`;
      const existing = await connection.tableNames();
      for (const other of existing) if (other !== name) await connection.dropTable(other);
      table = existing.includes(name) ? await openExisting(connection, name, log) : null;
      if (!table) {
        await rm(join(dir, `${name}.lance`), { recursive: true, force: true });
        table = await attempt('The chunk table could not be made.', async () => connection.createEmptyTable(name, await chunkSchema(dimensions), { mode: 'create', existOk: true }));
      }
      // Without it two processes that merge the same rows make duplicates.
      if (!(await hasPrimaryKey(table))) await table.setUnenforcedPrimaryKey('id');
      indexed = null;
      writes = null;
    },
    async ids() {
      await opened().checkoutLatest();
      const rows = await opened().query().select(['id']).toArray();
      return new Set(rows.map((row: { id: string }) => row.id));
    },
    async *rows(signal) {
      await opened().checkoutLatest();
      for await (const batch of opened().query().select(['id', 'terms', 'vector'])) {
        throwIfCancelled(signal);
        const rows = batch.toArray() as unknown as { id: string; terms: string; vector: Iterable<number> }[];
        yield rows.map(({ id, terms, vector }) => ({ id, terms, vector: Float32Array.from(vector) }));
      }
    },
    async upsert(chunks) {
      if (chunks.length === 0) return;
      const rows = chunks.map(({ id, path, startLine, endLine, symbol, terms, vector }) => ({ id, path, startLine, endLine, symbol: symbol ?? '', terms, vector }));
      await opened().mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(lancedb.makeArrowTable(rows, { schema: await chunkSchema(chunks[0]!.vector.length) }));
      await written();
    },
    async remove(ids) {
      for (let at = 0; at < ids.length; at += DELETE_AT_ONCE) {
        const list = ids.slice(at, at + DELETE_AT_ONCE).map((id) => `'${id.replaceAll("'", "''")}'`);
        await opened().delete(`id IN (${list.join(', ')})`);
        await written();
      }
    },
    async search({ terms, vector, limit }) {
      await opened().checkoutLatest();
      const [lexical, dense] = await Promise.all([terms && (await ensureIndexed()) ? findTerms(lancedb, opened(), terms, limit) : [], findNearest(opened(), vector, limit)]);
      return { lexical, dense };
    },
    async optimise() {
      const rows = await opened().countRows();
      if (rows === 0) return;
      await ensureIndexed();
      if (rows > FLAT_ROWS && !(await hasIndex(opened(), 'vector'))) {
        await opened().createIndex('vector', { config: lancedb.Index.ivfFlat({ distanceType: 'dot' }) });
      }
      await compact();
    },
    async close() {
      table?.close();
      table = null;
      connection.close();
    },
  };
}

/** Null when the table is damaged: it is a cache, and the caller makes it again. */
async function openExisting(connection: Connection, name: string, log: Log | undefined): Promise<Table | null> {
  try {
    const table = await connection.openTable(name);
    await table.countRows();
    return table;
  } catch (cause) {
    log?.write('warn', 'The chunk table is damaged; it is made again.', cause);
    return null;
  }
}

/** False while there is nothing to index. */
async function ensureTermsIndex(lancedb: Lancedb, table: Table): Promise<boolean> {
  if (await hasIndex(table, 'terms')) return true;
  if ((await table.countRows()) === 0) return false;
  try {
    await table.createIndex('terms', { config: lancedb.Index.fts({ baseTokenizer: 'whitespace', stem: false, removeStopWords: false, asciiFolding: false, lowercase: false, withPosition: false, maxTokenLength: 64 }) });
  } catch (error) {
    // Another process may have made it meanwhile.
    await table.checkoutLatest();
    if (!(await hasIndex(table, 'terms'))) throw error;
  }
  return true;
}

async function hasIndex(table: Table, wanted: string): Promise<boolean> {
  return (await table.listIndices()).some(({ columns: [column] }) => column === wanted);
}

async function findTerms(lancedb: Lancedb, table: Table, terms: string, limit: number): Promise<ChunkHit[]> {
  const rows = await table.query().fullTextSearch(new lancedb.MatchQuery(terms, 'terms')).select([...columns, '_score']).limit(limit).toArray();
  return rows.map((row: Row) => toHit(row, row._score!));
}

async function findNearest(table: Table, vector: Float32Array, limit: number): Promise<ChunkHit[]> {
  const rows = await table.query().nearestTo(vector).column('vector').distanceType('dot').select([...columns, '_distance']).limit(limit).toArray();
  return rows.map((row: Row) => toHit(row, 1 - row._distance!));
}

interface Row {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  readonly _score?: number;
  readonly _distance?: number;
}

function toHit({ id, path, startLine, endLine, symbol }: Row, score: number): ChunkHit {
  return { id, path, startLine, endLine, symbol: symbol === '' ? null : symbol, score };
}

/** The key is kept in the metadata of its column. */
async function hasPrimaryKey(table: Table): Promise<boolean> {
  const { fields } = await table.schema();
  return fields.some(({ name, metadata }) => name === 'id' && [...metadata.keys()].some((key) => key.includes('primary-key')));
}

async function chunkSchema(dimensions: number): Promise<Schema> {
  const { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } = (await import('./library.ts')).arrow;
  return new Schema([
    ...['id', 'path', 'symbol', 'terms'].map((name) => new Field(name, new Utf8(), false)),
    ...['startLine', 'endLine'].map((name) => new Field(name, new Int32(), false)),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
  ]);
}

async function attempt<T>(message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new SelfwareError('unavailable', message, { cause });
  }
}
