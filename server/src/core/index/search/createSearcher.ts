// Creates the searcher: an index in memory that answers queries and is updated file by file.

import { exportImage, restoreIndex } from './image.ts';
import { measureChunks } from './measure.ts';
import { parseQuery } from './searchQuery.ts';
import { rankChunks } from './rank.ts';
import { addFile, compactIndex, createRankingIndex, setSignals, removeFile } from './rankingIndex.ts';
import { createScratch } from './scratch.ts';
import type { Searcher } from './searcher.ts';
import { proseWeights, symbolWeights } from './weights.ts';
import type { TermTable } from '../../ports/search.ts';

/**
 * After files were put, the index is compacted if the number of removed chunks exceeds `MAX_REMOVED` × the remaining
 * chunks + `SPARE_CHUNKS`.
 */
const MAX_REMOVED = 2;
/** The factor that applies instead of `MAX_REMOVED` after a walk of the whole tree. */
const MAX_REMOVED_WHEN_IDLE = 0.3;
/**
 * Number of removed chunks that never cause compaction, so that a small index is not compacted for a handful of
 * chunks.
 */
const SPARE_CHUNKS = 1_000;

/** Creates the index. `table`: the shipped term vectors; null to rank without them. */
export function createSearcher({ table }: { readonly table: TermTable | null }): Searcher {
  const scratch = createScratch();
  let index = createRankingIndex(table);
  const remove = (paths: readonly string[]): void => {
    for (const path of paths) removeFile(index, path);
  };
  /** Compacts the index if enough chunks were removed, because compacting takes about 50 ms per 10,000 chunks. */
  const compactIfRemovedExceed = (maxRemoved: number): void => {
    if (index.chunks.length - index.chunkCount <= maxRemoved) return;
    index = compactIndex(index, table);
  };

  return {
    put(files) {
      for (const file of files) {
        removeFile(index, file.record.path);
        addFile(index, file);
      }
      compactIfRemovedExceed(MAX_REMOVED * index.chunkCount + SPARE_CHUNKS);
    },
    remove,
    setSignals(signals) {
      compactIfRemovedExceed(MAX_REMOVED_WHEN_IDLE * index.chunkCount + SPARE_CHUNKS);
      setSignals(index, signals);
    },
    exportImage: (use) => exportImage(index, use, table),
    importImage(image, profile, findRecord) {
      const restoredIndex = restoreIndex(image, { profile, table, findRecord });
      if (!restoredIndex) return null;
      index = restoredIndex.index;
      remove(restoredIndex.stalePaths);
      return {
        treeHash: restoredIndex.stalePaths.length === 0 ? restoredIndex.treeHash : null,
        paths: [...index.byPath.keys()],
      };
    },
    search({ text, vector, top }) {
      const query = parseQuery(text);
      if (query.terms.length === 0 || top <= 0 || index.chunkCount === 0) return [];
      const measuredChunks = measureChunks(index, query, vector, scratch);
      return rankChunks(measuredChunks, query.isSymbol ? symbolWeights : proseWeights, top).map(
        ({ chunk: { file, position }, score }) => {
          const { path, startLine, endLine, symbol } = file.record.chunks[position]!;
          return { path, startLine, endLine, symbol, score, resolution: 'body' };
        },
      );
    },
    get fileCount() {
      return index.byPath.size;
    },
    get chunkCount() {
      return index.chunkCount;
    },
  };
}
