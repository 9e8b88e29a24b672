// Computes vectors without a model: signed feature hashing of terms and of the trigrams of identifiers. Weinberger et
// al., "Feature Hashing for Large Scale Multitask Learning", 2009.

import { extractTerms } from '../../core/index/terms/terms.ts';
import { splitIdentifier } from '../../util/identifiers.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { normaliseVector } from './unitLength.ts';
import type { Embedder } from '../../core/ports/search.ts';

/** Length of a vector. It is part of the profile. */
const DIMENSIONS = 256;
/** The weight of a term. */
const WORD_WEIGHT = 1;
/** The weight of a trigram of an identifier. */
const TRIGRAM_WEIGHT = 0.35;
/** Number of cached words after which the cache is emptied. */
const MAX_CACHED_WORDS = 100_000;
/** Maximum number of trigrams of one part of a word. Further trigrams add little information. */
const MAX_TRIGRAMS = 16;
const WORD_PATTERN = /[\p{L}\p{N}]+/gu;

/**
 * Creates the embedder. It is deterministic; its only state is a cache. Every vector has length 1, even the vector of
 * an empty text.
 */
export function createHashedEmbedder(): Embedder {
  const features = new Map<string, Int32Array>();
  return {
    source: 'terms',
    profile: `hashed-${DIMENSIONS}-1`,
    dimensions: DIMENSIONS,
    async embed(texts, signal) {
      throwIfCancelled(signal);
      return texts.map((text) => embedText(text, features));
    },
  };
}

function embedText(text: string, features: Map<string, Int32Array>): Float32Array {
  const counts = new Map<string, number>();
  for (const word of text.match(WORD_PATTERN) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  const vector = new Float32Array(DIMENSIONS);
  for (const [word, count] of counts) {
    const weight = 1 + Math.log(count);
    const hashes = computeFeatures(word, features);
    for (let index = 0; index < hashes.length; index++) {
      const hash = hashes[index]!;
      // The lowest bit is the sign, the next one distinguishes words from trigrams.
      vector[(hash >>> 2) % DIMENSIONS]! += (hash & 1 ? -weight : weight) * (hash & 2 ? WORD_WEIGHT : TRIGRAM_WEIGHT);
    }
  }
  return normaliseVector(vector);
}

/** The hashes of the terms and trigrams of a word. The second lowest bit is set for terms. */
function computeFeatures(word: string, cache: Map<string, Int32Array>): Int32Array {
  const cached = cache.get(word);
  if (cached) return cached;
  const hashes: number[] = [];
  for (const term of extractTerms(word)) hashes.push(hashText(term) | 2);
  for (const part of splitIdentifier(word)) {
    const padded = `^${part}$`;
    for (let index = 0; index + 3 <= padded.length && index < MAX_TRIGRAMS; index++)
      hashes.push(hashText(padded.slice(index, index + 3)) & ~2);
  }
  const hashArray = Int32Array.from(hashes);
  if (cache.size >= MAX_CACHED_WORDS) cache.clear();
  cache.set(word, hashArray);
  return hashArray;
}

/**
 * The hash of a text: FNV-1a with 32 bits, and a final mix so that the low bits are distributed as evenly as the high
 * ones.
 */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let offset = 0; offset < text.length; offset++) hash = Math.imul(hash ^ text.charCodeAt(offset), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
