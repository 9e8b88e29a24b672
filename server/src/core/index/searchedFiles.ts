// Converts stored files to the form that the index in memory expects.

import type { SearchedFile } from './search/searcher.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import type { ChunkStore, StoredChunk } from '../ports/search.ts';

/**
 * The searched form of a few records. A record whose chunks are not all stored is skipped; the next refresh repairs
 * it.
 */
export async function loadSearchedFiles(chunks: ChunkStore, records: readonly FileRecord[]): Promise<SearchedFile[]> {
  const rows = await chunks.get(records.flatMap((record) => record.chunks.map(({ id }) => id)));
  return records.flatMap(createJoiner(new Map(rows.map((row) => [row.id, row]))));
}

/** The searched form of all records, by one scan of the store. Throws `cancelled`. */
export async function loadAllSearchedFiles(
  chunks: ChunkStore,
  records: readonly FileRecord[],
  signal: AbortSignal,
): Promise<SearchedFile[]> {
  const wantedIds = new Set(records.flatMap((record) => record.chunks.map(({ id }) => id)));
  const rows = new Map<string, StoredChunk>();
  for await (const batch of chunks.rows(signal))
    for (const row of batch) if (wantedIds.has(row.id)) rows.set(row.id, row);
  return records.flatMap(createJoiner(rows));
}

/**
 * Returns a function that joins a record with its stored chunks. Its result is empty if a chunk is missing. `rows`: the
 * chunks by id.
 */
function createJoiner(rows: ReadonlyMap<string, StoredChunk>): (record: FileRecord) => SearchedFile[] {
  return (record) => {
    const fileChunks = record.chunks.map(({ id }) => rows.get(id));
    return fileChunks.every((row) => row !== undefined) ? [{ record, chunks: fileChunks }] : [];
  };
}
