// Provides the embedder and the term table that a session has with default settings.

import { createEmbedders } from '../../../server/src/app/embedders.ts';
import type { SearchedFile } from '../../../server/src/core/index/search/searcher.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** The embedder and the term table. */
export const { embedder, termTable } = await createEmbedders({
  settings: defaultSettings,
  trusted: false,
  env: {},
  log: { write: () => undefined },
});

/** The vectors of chunks, by the embedder. */
export function embedChunks(chunks: readonly Chunk[], signal: AbortSignal): Promise<readonly Float32Array[]> {
  return embedder.embed(
    chunks.map(({ path, symbol, text }) => `${path} ${symbol ?? ''}\n${text}`),
    signal,
  );
}

/**
 * Files in the form in which a session passes them to its searcher. With `model`, they have vectors of the embedder.
 */
export async function createSearchedFiles(
  files: readonly { readonly record: FileRecord; readonly chunks: readonly Chunk[] }[],
  source: 'terms' | 'model',
  signal: AbortSignal,
): Promise<SearchedFile[]> {
  const results: SearchedFile[] = [];
  for (const { record, chunks } of files) {
    const vectors = source === 'model' ? await embedChunks(chunks, signal) : [];
    results.push({
      record,
      chunks: chunks.map(({ id, terms }, index) => ({ id, terms, vector: vectors[index] ?? null })),
    });
  }
  return results;
}
