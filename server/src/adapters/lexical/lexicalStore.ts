// Stores chunks without a native binary: rows in SQLite, terms in its full-text index (FTS5), vectors by an exact scan.
// Used if LanceDB does not load.

import { retryWhileBusy } from '../sqlite/busyRetry.ts';
import type { DatabaseSync } from 'node:sqlite';
import { dotFloat16, decodeFloat16s, encodeFloat16s } from '../../util/float16.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { isDamage, isMissingTable, createDatabase, openLexicalDatabase, toStoreError } from './database.ts';
import type { ChunkHit, ChunkStore, StoredChunk } from '../../core/ports/search.ts';
import { sha256 } from '../../util/hash.ts';
import { runInTransaction } from '../sqlite/transaction.ts';

/** Version of the columns. Increase it whenever they change. */
const LAYOUT_VERSION = 2;
/** Number of rows that a scan reads at once. */
const SCAN_PAGE_ROWS = 4_096;

interface Row {
  readonly rowid: number;
  readonly id: string;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly symbol: string | null;
  readonly terms: string;
  readonly vector: Uint8Array;
}

/** Creates the store. `file` may be `:memory:`. A damaged file is created again, because it is a cache. */
export async function createLexicalStore(file: string): Promise<ChunkStore> {
  let database: DatabaseSync | null = null;
  let dimensions = 0;
  /** Suffix of the names of this profile's tables. Rows of two profiles never mix, even if both use the file. */
  let suffix = '';

  const requireDatabase = (): DatabaseSync => {
    if (!database) throw new SelfwareError('internal', 'The chunk store is not open.');
    return database;
  };
  const prepare = (sql: string) => requireDatabase().prepare(sql);
  const makeTable = (): void => {
    requireDatabase().exec(
      `CREATE TABLE IF NOT EXISTS chunks_${suffix} (id TEXT PRIMARY KEY, path TEXT NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, symbol TEXT, terms TEXT NOT NULL, vector BLOB NOT NULL) STRICT`,
    );
    prepare('INSERT OR IGNORE INTO profiles (name) VALUES (?)').run(suffix);
  };
  /**
   * Turns SQLite's errors into typed ones. If another process has dropped the table as one of an old profile, creates
   * it again and repeats `work`. A damaged file is created again, empty, and `damaged` is thrown.
   */
  const attempt = async <T>(action: string, work: () => T): Promise<T> => {
    requireDatabase();
    try {
      return await retryWhileBusy(() => {
        try {
          return work();
        } catch (error) {
          if (!isMissingTable(error)) throw error;
          makeTable();
          return work();
        }
      });
    } catch (error) {
      if (isDamage(error)) {
        requireDatabase().close();
        database = createDatabase(file);
        makeTable();
      }
      throw toStoreError(error, action, file);
    }
  };

  const hasTermsIndex = (): boolean =>
    prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(`terms_${suffix}`) !== undefined;
  /**
   * Every character except a space is part of a word, because terms are already split. The index of terms takes half
   * the size of the rows, so it is created at its first use.
   */
  const indexTerms = (): void => {
    if (hasTermsIndex()) return;
    runInTransaction(requireDatabase(), () => {
      if (hasTermsIndex()) return;
      requireDatabase().exec(
        `CREATE VIRTUAL TABLE terms_${suffix} USING fts5(terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 categories 'L* N* P* S* M* Co'")`,
      );
      requireDatabase().exec(`INSERT INTO terms_${suffix} (rowid, terms) SELECT rowid, terms FROM chunks_${suffix}`);
    });
  };

  const findTerms = (terms: string, limit: number): ChunkHit[] => {
    // Terms are in lower case. The index ignores case, so a term with capitals would have wrong matches.
    const uniqueTerms = [...new Set(terms.split(' ').filter((term) => term !== '' && term === term.toLowerCase()))];
    if (uniqueTerms.length === 0) return [];
    indexTerms();
    const hits = prepare(
      `SELECT rowid, -rank AS score FROM terms_${suffix} WHERE terms MATCH ? ORDER BY rank LIMIT ?`,
    ).all(uniqueTerms.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR '), limit);
    return hits.map((row) => hitOf(row as unknown as Scored));
  };
  const findNearest = (query: Float32Array, limit: number): ChunkHit[] => {
    const bestRows: Scored[] = [];
    for (const row of prepare(`SELECT rowid, vector FROM chunks_${suffix}`).iterate() as Iterable<unknown>) {
      const { rowid, vector } = row as Pick<Row, 'rowid' | 'vector'>;
      const score = dotFloat16(decodeHalves(vector), query);
      if (bestRows.length === limit && score <= bestRows[limit - 1]!.score) continue;
      const insertIndex = bestRows.findIndex((row) => row.score < score);
      bestRows.splice(insertIndex < 0 ? bestRows.length : insertIndex, 0, { rowid, score });
      if (bestRows.length > limit) bestRows.pop();
    }
    return bestRows.map(hitOf);
  };
  const hitOf = ({ rowid, score }: Scored): ChunkHit => {
    const { id, path, start_line, end_line, symbol } = prepare(
      `SELECT id, path, start_line, end_line, symbol FROM chunks_${suffix} WHERE rowid = ?`,
    ).get(rowid) as unknown as Row;
    return { id, path, startLine: start_line, endLine: end_line, symbol, score };
  };

  return {
    kind: 'lexical',
    shared: false,
    async open(profile, newDimensions) {
      database?.close();
      dimensions = newDimensions;
      suffix = sha256(`${LAYOUT_VERSION}/${dimensions}/${profile}`).slice(0, 16);
      database = openLexicalDatabase(file);
      await attempt('The chunk table could not be made.', () => {
        if (!prepare('SELECT 1 FROM profiles WHERE name = ?').get(suffix)) makeTable();
      });
    },
    // Unknown, because several processes may write, and SQLite counts only the writes of each process.
    revision: async () => null,
    async ids() {
      try {
        return await attempt(
          'The chunks could not be listed.',
          () => new Set((prepare(`SELECT id FROM chunks_${suffix}`).all() as unknown as Row[]).map(({ id }) => id)),
        );
      } catch (error) {
        // At this point the file has been created again.
        if (error instanceof SelfwareError && error.reason === 'damaged') return new Set();
        throw error;
      }
    },
    async get(ids) {
      return attempt('The chunks could not be read.', () => {
        const statement = prepare(`SELECT id, terms, vector FROM chunks_${suffix} WHERE id = ?`);
        return ids.flatMap((id) => {
          const row = statement.get(id) as unknown as Row | undefined;
          return row ? [toChunk(row)] : [];
        });
      });
    },
    async *rows(signal) {
      const action = 'The chunks could not be read.';
      // Reads page by page, so that nothing stays open between pages. A replaced row keeps its number; rows added
      // meanwhile come last.
      const { last } = (await attempt(action, () =>
        prepare(`SELECT max(rowid) AS last FROM chunks_${suffix}`).get(),
      )) as {
        last: number | null;
      };
      for (let after = 0; ; ) {
        throwIfCancelled(signal);
        const page = await attempt(
          action,
          () =>
            prepare(
              `SELECT rowid, id, terms, vector FROM chunks_${suffix} WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ${SCAN_PAGE_ROWS}`,
            ).all(after, last ?? 0) as unknown as Row[],
        );
        if (page.length === 0) return;
        after = page.at(-1)!.rowid;
        yield page.map(toChunk);
      }
    },
    async upsert(chunks) {
      if (chunks.length === 0) return;
      if (chunks.some(({ vector }) => vector.length !== dimensions))
        throw new SelfwareError('internal', `A vector does not have ${dimensions} dimensions.`);
      await attempt('Chunks could not be written.', () => {
        const insert =
          prepare(`INSERT INTO chunks_${suffix} (id, path, start_line, end_line, symbol, terms, vector) VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET path = excluded.path, start_line = excluded.start_line, end_line = excluded.end_line, symbol = excluded.symbol, terms = excluded.terms, vector = excluded.vector RETURNING rowid`);
        runInTransaction(requireDatabase(), () => {
          const index = hasTermsIndex()
            ? prepare(`INSERT OR REPLACE INTO terms_${suffix} (rowid, terms) VALUES (?, ?)`)
            : null;
          for (const { id, path, startLine, endLine, symbol, terms: rawTerms, vector } of chunks) {
            const terms = typeof rawTerms === 'string' ? rawTerms : Buffer.from(rawTerms).toString();
            const { rowid } = insert.get(
              id,
              path,
              startLine,
              endLine,
              symbol,
              terms,
              toBytes(vector),
            ) as unknown as Row;
            index?.run(rowid, terms);
          }
        });
      });
    },
    async remove(ids) {
      await attempt('Chunks could not be removed.', () => {
        const statement = prepare(`DELETE FROM chunks_${suffix} WHERE id = ? RETURNING rowid`);
        runInTransaction(requireDatabase(), () => {
          const index = hasTermsIndex() ? prepare(`DELETE FROM terms_${suffix} WHERE rowid = ?`) : null;
          for (const id of ids) {
            const removedRow = statement.get(id) as unknown as Row | undefined;
            if (removedRow) index?.run(removedRow.rowid);
          }
        });
      });
    },
    async search({ terms, vector, limit }) {
      return attempt('The index could not be searched.', () => ({
        lexical: findTerms(terms, limit),
        dense: findNearest(vector, limit),
      }));
    },
    async optimise() {
      await attempt('The chunk table could not be compacted.', () => {
        dropOtherProfiles(requireDatabase(), suffix);
        if (hasTermsIndex())
          requireDatabase().exec(`INSERT INTO terms_${suffix} (terms_${suffix}) VALUES ('optimize')`);
        requireDatabase().exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize;');
      });
    },
    async close() {
      database?.close();
      database = null;
    },
  };
}

interface Scored {
  readonly rowid: number;
  readonly score: number;
}

/** Drops the rows of other profiles. A program of another version that still reads them finds none and starts again. */
function dropOtherProfiles(database: DatabaseSync, currentTable: string): void {
  for (const { name } of database.prepare('SELECT name FROM profiles WHERE name <> ?').all(currentTable) as unknown as {
    name: string;
  }[]) {
    runInTransaction(database, () => {
      database.exec(`DROP TABLE IF EXISTS chunks_${name}; DROP TABLE IF EXISTS terms_${name};`);
      database.prepare('DELETE FROM profiles WHERE name = ?').run(name);
    });
  }
}

function toChunk({ id, terms, vector }: Pick<Row, 'id' | 'terms' | 'vector'>): StoredChunk {
  return { id, terms, vector: decodeFloat16s(decodeHalves(vector)) };
}

function toBytes(vector: Float32Array): Uint8Array {
  const halves = new Uint16Array(vector.length);
  encodeFloat16s(vector, halves, 0);
  return new Uint8Array(halves.buffer);
}

function decodeHalves(bytes: Uint8Array): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}
