// Writes what was found in files: new chunks with their vectors first, then the records that name them.

import type { Chunk } from '../model.ts';
import type { Catalogue, ChunkStore, Embedder } from '../indexPorts.ts';
import type { Inspected } from './inspect.ts';
import type { SearchedFile } from './search/searcher.ts';

export interface StoreContext {
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
}

/** `stored`: ids of the chunks that are in the store; what is added here is added there. Answers the files as the index in memory takes them. */
export async function storeInspected({ chunks, catalogue, embedder }: StoreContext, inspected: readonly Inspected[], stored: Set<string>, signal: AbortSignal): Promise<{ readonly embedded: number; readonly files: readonly SearchedFile[] }> {
  const all = inspected.flatMap((file) => file.chunks);
  const fresh = all.filter(({ id }) => !stored.has(id));
  const vectors = new Map<string, Float32Array>();
  if (fresh.length > 0) {
    const made = (embedder.source === 'terms' ? embedder.embedTerms?.(fresh.map(({ terms }) => terms)) : undefined) ?? (await embedder.embed(fresh.map(embeddedText), signal));
    fresh.forEach(({ id }, index) => vectors.set(id, made[index]!));
    await chunks.upsert(fresh.map((chunk, index) => ({ ...chunk, vector: made[index]! })));
    for (const { id } of fresh) stored.add(id);
  }
  await catalogue.put(inspected.map(({ record }) => record));
  if (fresh.length < all.length) for (const { id, vector } of await chunks.get(all.filter(({ id }) => !vectors.has(id)).map(({ id }) => id))) vectors.set(id, vector);
  return { embedded: fresh.length, files: inspected.map(({ record, chunks: own }) => ({ record, chunks: own.map(({ id, terms }) => ({ id, terms, vector: vectors.get(id) ?? null })) })) };
}

/** What a chunk's vector is made of: its place says as much as its text. */
function embeddedText({ path, symbol, text }: Chunk): string {
  return `${path} ${symbol ?? ''}\n${text}`;
}
