// Vectors, and the store of chunks.

import type { WrittenChunk } from '../model.ts';

/**
 * Vectors of terms: the vector of a text is a weighted sum of the rows of its terms. The shipped model is of this kind.
 */
export interface TermTable {
  /** Identifies the space. */
  readonly profile: string;
  readonly dimensions: number;
  /** Row of a term as `termsOf` spells it, or -1. */
  row(term: string): number;
  /** Those of terms that a blank separates. */
  rowsOf(terms: string): Int32Array;
  /** The sum of weights[i] × row rows[i] for the first `count`, in a vector that is given or new. */
  sum(rows: ArrayLike<number>, weights: ArrayLike<number>, count: number, into?: Float32Array): Float32Array;
}

export interface Embedder {
  /** Identifies the vector space: vectors of different profiles never share a table. */
  readonly profile: string;
  readonly dimensions: number;
  /**
   * `terms`: the vectors follow from the terms of a text, which ranking weighs by itself. `model`: they say more, and
   * are a signal of their own.
   */
  readonly source: 'terms' | 'model';
  /** For the source `terms`: vectors of chunks whose terms are known already, as chunks carry them. */
  embedTerms?(terms: readonly string[]): readonly Float32Array[];
  /** For the source `terms`: the table that the vectors are made by, if they are made by one. */
  readonly table?: TermTable | undefined;
  /** Unit-length vectors, one per text. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

export interface ChunkHit {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** A chunk as it is stored, without its text (which is in the file). */
export interface StoredChunk {
  readonly id: string;
  readonly terms: string;
  readonly vector: Float32Array;
}

/** Stored chunks with terms and vectors. LanceDB, or the lexical store where its binary does not load. */
export interface ChunkStore {
  readonly kind: 'lancedb' | 'lexical';
  /** Other machines write here too: what this tree does not name may be named by theirs. */
  readonly shared: boolean;
  /** Starts afresh when the profile differs. */
  open(profile: string, dimensions: number): Promise<void>;
  /** Another one after every change of what is stored, found without a look at the rows; null = cannot be told. */
  revision(): Promise<string | null>;
  ids(): Promise<ReadonlySet<string>>;
  /** Those of the rows that are there, in no order. */
  get(ids: readonly string[]): Promise<readonly StoredChunk[]>;
  /** Every row once, in batches of some thousand, in no order; for the index in memory. */
  rows(signal: AbortSignal): AsyncIterable<readonly StoredChunk[]>;
  upsert(chunks: readonly WrittenChunk[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Best `limit` by terms and, where supported, by vector: two ranked lists, fused by the caller. */
  search(query: {
    readonly terms: string;
    readonly vector: Float32Array;
    readonly limit: number;
  }): Promise<{ readonly lexical: readonly ChunkHit[]; readonly dense: readonly ChunkHit[] }>;
  /**
   * Compacts and frees what is old; called when idle. `thoroughly`: also what another process may still be reading; it
   * begins again.
   */
  optimise(how?: { readonly thoroughly: boolean }): Promise<void>;
  close(): Promise<void>;
}
