// The ports for embeddings, and for the store of chunks.

import type { WrittenChunk } from '../model.ts';

/**
 * Vectors of terms. The vector of a text is a weighted sum of the rows of its terms. The shipped model is of this kind.
 */
export interface TermTable {
  /** Identifies the vector space. */
  readonly profile: string;
  readonly dimensions: number;
  /** Row of a term in the spelling of `extractTerms`; -1 if the table lacks it. */
  row(term: string): number;
  /** Rows of several terms, which are separated by spaces. */
  rowsOf(terms: string): Int32Array;
  /** The sum of weights[i] × row rows[i] for the first `count` items, in `into` or a new vector. */
  sum(rows: ArrayLike<number>, weights: ArrayLike<number>, count: number, into?: Float32Array): Float32Array;
}

/** Computes vectors of texts. */
export interface Embedder {
  /** Identifies the vector space: vectors of different profiles never share a table. */
  readonly profile: string;
  readonly dimensions: number;
  /**
   * The source of the vectors. `terms`: they are computed from the terms of a text, which ranking weighs separately.
   * `model`: they carry more information, and are a signal of their own.
   */
  readonly source: 'terms' | 'model';
  /**
   * For the source `terms`: vectors of chunks whose terms are already known, in the form in which chunks store them.
   */
  embedTerms?(terms: readonly string[]): readonly Float32Array[];
  /** For the source `terms`: the table from which the vectors are computed, if there is one. */
  readonly table?: TermTable | undefined;
  /** Unit-length vectors, one per text. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** A chunk that a search found. */
export interface ChunkHit {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  /** Higher is better. Comparable only within one result. */
  readonly score: number;
}

/** A chunk as it is stored, without its text (which is in the file). */
export interface StoredChunk {
  readonly id: string;
  readonly terms: string;
  readonly vector: Float32Array;
}

/** Stores chunks with terms and vectors: LanceDB, or the lexical store if LanceDB's binary does not load. */
export interface ChunkStore {
  readonly kind: 'lancedb' | 'lexical';
  /**
   * True if other machines write to this store, too. Chunks that this tree does not refer to may then belong to
   * another machine.
   */
  readonly shared: boolean;
  /** Empties the store if the profile differs. */
  open(profile: string, dimensions: number): Promise<void>;
  /** A value that differs after every change of the store, found without reading the rows; null if unknown. */
  revision(): Promise<string | null>;
  ids(): Promise<ReadonlySet<string>>;
  /** The existing rows with these ids, in no particular order. */
  get(ids: readonly string[]): Promise<readonly StoredChunk[]>;
  /** Every row once, in batches of some thousand, in no particular order; used to build the index in memory. */
  rows(signal: AbortSignal): AsyncIterable<readonly StoredChunk[]>;
  upsert(chunks: readonly WrittenChunk[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** The best `limit` chunks by terms and, if supported, by vector: two ranked lists, which the caller fuses. */
  search(query: {
    readonly terms: string;
    readonly vector: Float32Array;
    readonly limit: number;
  }): Promise<{ readonly lexical: readonly ChunkHit[]; readonly dense: readonly ChunkHit[] }>;
  /**
   * Compacts the store and frees old data; called when idle. `thoroughly`: true to also free data that another process
   * may still be reading; that process then starts again.
   */
  optimise(how?: { readonly thoroughly: boolean }): Promise<void>;
  close(): Promise<void>;
}
