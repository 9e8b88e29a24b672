// Stores inspected files: first new chunks with their vectors, then the records that refer to them.

import type { Chunk, WrittenChunk } from '../model.ts';
import type { IndexedFileResult } from './inspect.ts';
import { computePackedVector } from './terms/packedVectors.ts';
import type { SearchedFile } from './search/searcher.ts';
import { spellTerms } from './terms/spellTerms.ts';
import type { PackedFile } from './terms/termPacker.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { ChunkStore, Embedder } from '../ports/search.ts';

/**
 * A chunk of an inspected file. `position`: its index in the file. `packed`: the counted terms of the file's chunks, if they
 * are packed.
 */
interface NewChunk {
  readonly chunk: Chunk;
  readonly packed: PackedFile | undefined;
  readonly position: number;
}

/** The ports that storing uses. */
export interface StoreContext {
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
}

/**
 * Stores the files. `storedIds`: ids of the chunks in the store; new ids are added to it. Returns the number of embedded
 * chunks, and the files in the form that the index in memory expects.
 */
export async function storeInspected(
  { chunks, catalogue, embedder }: StoreContext,
  inspectedFiles: readonly IndexedFileResult[],
  storedIds: Set<string>,
  signal: AbortSignal,
): Promise<{ readonly embedded: number; readonly files: readonly SearchedFile[] }> {
  const { table } = embedder;
  const allChunks: NewChunk[] = inspectedFiles.flatMap(({ chunks: fileChunks, packed }) =>
    fileChunks.map((chunk, index) => ({ chunk, packed, position: index })),
  );
  const newChunks = allChunks.filter(({ chunk: { id } }) => !storedIds.has(id));
  const vectors = new Map<string, Float32Array>();
  /** Ids of the chunks whose vectors come from the shipped table. */
  const shippedIds = new Set<string>();
  if (newChunks.length > 0) {
    // Chunks whose vectors cannot be computed from counted terms and the shipped table.
    const chunksToEmbed: NewChunk[] = [];
    // One array for all vectors, because an array per vector would double the memory.
    const newVectors = new Float32Array(newChunks.length * (table?.dimensions ?? 0));
    for (const [index, newChunk] of newChunks.entries()) {
      const { chunk, packed, position } = newChunk;
      if (!table || !packed) chunksToEmbed.push(newChunk);
      else {
        vectors.set(
          chunk.id,
          computePackedVector(
            table,
            packed.batch,
            packed.first + position,
            newVectors.subarray(index * table.dimensions, (index + 1) * table.dimensions),
          ),
        );
        shippedIds.add(chunk.id);
      }
    }
    if (chunksToEmbed.length > 0) {
      const newVectorList =
        (embedder.source === 'terms'
          ? embedder.embedTerms?.(chunksToEmbed.map((newChunk) => Buffer.from(termsOf(newChunk)).toString()))
          : undefined) ??
        (await embedder.embed(
          chunksToEmbed.map(({ chunk }) => createEmbeddedText(chunk)),
          signal,
        ));
      chunksToEmbed.forEach(({ chunk: { id } }, index) => vectors.set(id, newVectorList[index]!));
    }
    await chunks.upsert(newChunks.map((newChunk) => toWrittenChunk(newChunk, vectors.get(newChunk.chunk.id)!)));
    for (const { chunk } of newChunks) storedIds.add(chunk.id);
  }
  await catalogue.put(inspectedFiles.map(({ record }) => record));
  if (newChunks.length < allChunks.length)
    for (const { id, vector } of await chunks.get(
      allChunks.filter(({ chunk: { id } }) => !vectors.has(id)).map(({ chunk: { id } }) => id),
    ))
      vectors.set(id, vector);
  const toSearchedChunk = ({ id, terms }: Chunk) => {
    const vector = vectors.get(id) ?? null;
    return vector && shippedIds.has(id) ? { id, terms, vector, shipped: vector } : { id, terms, vector };
  };
  return {
    embedded: newChunks.length,
    files: inspectedFiles.map(({ record, chunks: fileChunks, packed }) => ({
      record,
      packed,
      chunks: fileChunks.map(toSearchedChunk),
    })),
  };
}

/** The terms of a chunk as words that are separated by spaces, as text or as UTF-8. */
function termsOf({ chunk, packed, position }: NewChunk): string | Uint8Array {
  return packed ? spellTerms(packed.batch, packed.first + position) : chunk.terms;
}

function toWrittenChunk(newChunk: NewChunk, vector: Float32Array): WrittenChunk {
  const { id, path, startLine, endLine, symbol } = newChunk.chunk;
  return { id, path, startLine, endLine, symbol, terms: termsOf(newChunk), vector };
}

/** The text that is embedded for a chunk. It begins with the path, which is as informative as the content. */
function createEmbeddedText({ path, symbol, text }: Chunk): string {
  return `${path} ${symbol ?? ''}\n${text}`;
}
