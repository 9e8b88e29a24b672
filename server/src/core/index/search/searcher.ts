// The interface of the index in memory that answers queries.

import type { PackedFile } from '../terms/termPacker.ts';
import type { SearchHit } from './hit.ts';
import type { Commit } from '../../ports/git.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** The parts of a chunk that ranking needs; the others are in the record. */
export interface SearchedChunk {
  readonly id: string;
  /** The terms of the chunk, separated by spaces; empty if they are packed. */
  readonly terms: string;
  /** Vector of the configured embedder; null until it is computed. */
  readonly vector: Float32Array | null;
  /** Vector from the shipped table, if it has been computed already. */
  readonly shipped?: Float32Array;
}

/** A file as the index receives it. */
export interface SearchedFile {
  readonly record: FileRecord;
  /**
   * The chunks in the order of `record.chunks`. May be empty if `packed` contains their terms and there are no vectors.
   */
  readonly chunks: readonly SearchedChunk[];
  /** The counted terms of the chunks, if they have been counted already. */
  readonly packed?: PackedFile | undefined;
  /**
   * True for a placeholder that a complete entry will replace. It has no vectors, because they cost more than
   * everything else, so it is found only by its terms.
   */
  readonly provisional?: boolean;
}

/** The facts about files beyond their content, by path. A missing path means unknown. */
export interface RepositorySignals {
  /** The history, newest commit first. */
  readonly commits: readonly Commit[];
  /** The recent work on each file, as a sum over its commits. */
  readonly activity: ReadonlyMap<string, number>;
  /**
   * Folders called `vendor` that the product's own imports reach, so their code is not from third parties; null keeps
   * the previous value.
   */
  readonly ownVendors: readonly string[] | null;
}

/** The state for which an image of the index is valid. */
export interface ImageKey {
  /** Profile of the records and the embedder. */
  readonly profile: string;
  /** Hash of the tree from which the image was made. */
  readonly treeHash: string;
}

/** The result of restoring an image. */
export interface LoadedImage {
  /** Hash of the tree, if the whole image is still valid; otherwise null. */
  readonly treeHash: string | null;
  /** Files that are in the index now. */
  readonly paths: readonly string[];
}

/** The index in memory. */
export interface Searcher {
  /** Adds files, or replaces those with the same path. */
  put(files: readonly SearchedFile[]): void;
  /** Removes these files. Paths that are not in the index are ignored. */
  remove(paths: readonly string[]): void;
  /**
   * Replaces the facts about files beyond their content. Called after a walk of the whole tree. Also compacts the index
   * if many chunks were removed.
   */
  setSignals(signals: RepositorySignals): void;
  /** The index as bytes, without the history. Provisional files must have been replaced before. */
  exportImage(use: ImageKey): Uint8Array;
  /**
   * Fills an empty index. `findRecord` returns the record of a path if its content has this identity
   * (`computeContentIdentity`), otherwise null. Returns null for bytes of another version or profile, and for damaged
   * bytes.
   */
  importImage(
    image: Uint8Array,
    profile: string,
    findRecord: (path: string, identity: string) => FileRecord | null,
  ): LoadedImage | null;
  /** The best `top` chunks, best first. `vector`: the vector of the query, by the configured embedder. */
  search(query: { readonly text: string; readonly vector: Float32Array | null; readonly top: number }): SearchHit[];
  /** Number of files in the index. */
  readonly fileCount: number;
  /** Number of chunks in the index. */
  readonly chunkCount: number;
}
