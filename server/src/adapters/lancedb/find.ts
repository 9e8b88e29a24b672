// Queries a table of chunks, and creates the indexes that make queries fast.

import type { Table } from '@lancedb/lancedb';
import { decodeTexts, toStored } from './rows.ts';
import type { ChunkHit, StoredChunk } from '../../core/ports/search.ts';

type Lancedb = typeof import('@lancedb/lancedb');

/** The columns that `toStored` needs. */
export const storedColumns = ['id', 'terms', 'vector'];
/** The columns that `toHit` needs, apart from the score. */
const HIT_COLUMNS = ['id', 'path', 'startLine', 'endLine', 'symbol'];
/** Maximum number of characters of a term in the index. Longer terms are not indexed. */
const MAX_TERM_LENGTH = 64;

/**
 * Creates the index of a column unless it exists: a full-text index of the terms (which are already split), a B-tree of
 * the ids, or groups of similar vectors.
 */
export async function ensureIndex(lancedb: Lancedb, table: Table, column: 'terms' | 'id' | 'vector'): Promise<void> {
  if (await hasIndex(table, column)) return;
  const { Index } = lancedb;
  const config = {
    terms: () =>
      Index.fts({
        baseTokenizer: 'whitespace',
        stem: false,
        removeStopWords: false,
        asciiFolding: false,
        lowercase: false,
        withPosition: false,
        maxTokenLength: MAX_TERM_LENGTH,
      }),
    id: () => Index.btree(),
    vector: () => Index.ivfFlat({ distanceType: 'dot' }),
  }[column]();
  try {
    await table.createIndex(column, { config });
  } catch (error) {
    // Another machine may have created the index meanwhile.
    await table.checkoutLatest();
    if (!(await hasIndex(table, column))) throw error;
  }
}

/** True if the table has an index of this column. */
export async function hasIndex(table: Table, name: string): Promise<boolean> {
  return (await table.listIndices()).some(({ columns: [column] }) => column === name);
}

/** The chunks that match best by their terms, best first. */
export async function findTerms(lancedb: Lancedb, table: Table, terms: string, limit: number): Promise<ChunkHit[]> {
  const rows = await table
    .query()
    .fullTextSearch(new lancedb.MatchQuery(terms, 'terms'))
    .select([...HIT_COLUMNS, '_score'])
    .limit(limit)
    .toArray();
  return rows.map((row: Row) => toHit(row, row._score!));
}

/** The chunks with the most similar vectors, best first. */
export async function findNearest(table: Table, vector: Float32Array, limit: number): Promise<ChunkHit[]> {
  const rows = await table
    .query()
    .nearestTo(vector)
    .column('vector')
    .distanceType('dot')
    .select([...HIT_COLUMNS, '_distance'])
    .limit(limit)
    .toArray();
  return rows.map((row: Row) => toHit(row, 1 - row._distance!));
}

/** Ids of the rows that fulfil the condition; null for all rows. */
export async function findRowIds(table: Table, filter: string | null): Promise<Set<string>> {
  const query = table.query().select(['id']);
  const ids = new Set<string>();
  for await (const batch of filter === null ? query : query.where(filter))
    for (const id of decodeTexts(batch, 'id')) ids.add(id);
  return ids;
}

/** The rows with these ids. */
export async function readRows(table: Table, ids: readonly string[]): Promise<StoredChunk[]> {
  const rows: StoredChunk[] = [];
  for await (const batch of table.query().where(createIdCondition(ids)).select(storedColumns))
    rows.push(...toStored(batch));
  return rows;
}

/** The SQL condition that the id of a row is one of these. */
export function createIdCondition(ids: readonly string[]): string {
  return `id IN (${ids.map((id) => `'${id.replaceAll("'", "''")}'`).join(', ')})`;
}

/** A result of a query. `_score`: score of the full-text search. `_distance`: distance in the search for vectors. */
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
