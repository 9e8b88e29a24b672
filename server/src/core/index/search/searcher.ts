// The index in memory that answers questions: what it is given, what it is asked.

import type { Commit, FileRecord, Jobs } from '../../indexPorts.ts';
import type { SearchHit } from '../../session.ts';

/** A chunk as far as ranking needs it; its place is in the record. */
export interface SearchedChunk {
  readonly id: string;
  /** As `Chunk.terms`: separated by blanks. */
  readonly terms: string;
  /** Of the configured embedder; null = none yet. */
  readonly vector: Float32Array | null;
}

export interface SearchedFile {
  readonly record: FileRecord;
  /** In the order of `record.chunks`. */
  readonly chunks: readonly SearchedChunk[];
  /** Soon to be replaced: found by its terms alone, for vectors cost more than all the rest. */
  readonly provisional?: boolean;
}

/** What is known of files beside their content; by path, absent = unknown. */
export interface RepositorySignals {
  /** Number of files that import each file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** The history, newest first. */
  readonly commits: readonly Commit[];
  /** How much each file is worked on lately: a sum over its commits. */
  readonly activity: ReadonlyMap<string, number>;
}

export interface Searcher {
  /** Adds files, or replaces those with the same path. */
  put(files: readonly SearchedFile[]): void;
  remove(paths: readonly string[]): void;
  describe(signals: RepositorySignals): void;
  /** Learns term vectors from what is there, on another thread. Returns at once while little has changed since the last time. */
  learn(jobs: Jobs, signal: AbortSignal): Promise<void>;
  /** What was learned, to be kept for the next start; null = nothing yet. */
  exportLearned(): Uint8Array | null;
  /** False when the bytes are of another version or damaged: learn again. */
  importLearned(bytes: Uint8Array): Promise<boolean>;
  /** Best first; at most `top`. `vector`: of the question, by the configured embedder. */
  search(query: { readonly text: string; readonly vector: Float32Array | null; readonly top: number }): SearchHit[];
  readonly files: number;
  readonly chunks: number;
}
