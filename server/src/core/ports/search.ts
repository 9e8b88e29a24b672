// The ports for embeddings, and for the store of chunks.

import type { WrittenChunk } from '../model.ts';

/**
 * A table with one row, a vector, for each term. The vector of a text is a weighted sum of the rows of its terms. The
 * shipped model is of this kind.
 */
export interface TermTable {
  /** Identifies the vector space. */
  readonly profile: string;
  readonly dimensions: number;
  /** Index of the row of a term, in the spelling of `extractTerms`; -1 if the table lacks the term. */
  row(term: string): number;
  /** Indexes of the rows of several terms, which are separated by spaces in `terms`. */
  rowsOf(terms: string): Int32Array;
  /**
   * The sum of the rows with the indexes `rows[i]`, each multiplied by `weights[i]`, for the first `count` items. It is
   * written to `into` or a new vector.
   */
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
   * For the source `terms`: vectors of chunks whose terms are already known. `terms`: the terms of each chunk, in the
   * form in which chunks store them.
   */
  embedTerms?(terms: readonly string[]): readonly Float32Array[];
  /** For the source `terms`: the table from which the vectors are computed, if there is one. */
  readonly table?: TermTable | undefined;
  /** Computes vectors of length 1, one for each text. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** A chunk that a search found. */
export interface ChunkHit {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  /** A higher score is better. Scores can be compared only within one result. */
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
   * True if other machines also write to this store. A chunk to which this tree does not refer may then belong to
   * another machine.
   */
  readonly shared: boolean;
  /** Opens the store. Empties it if its profile differs. */
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
  /** The best `limit` chunks by terms and, if supported, by vector: two ranked lists, which the caller merges. */
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
