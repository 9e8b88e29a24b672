// The interface of the index in memory that answers questions.
import type { PackedFile } from '../terms/termPacker.ts';
import type { SearchHit } from './hit.ts';
import type { Commit } from '../../ports/git.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** A chunk as far as ranking needs it; its place is in the record. */
export interface SearchedChunk {
  readonly id: string;
  /** As `Chunk.terms`. */
  readonly terms: string;
  /** Of the configured embedder; null = none yet. */
  readonly vector: Float32Array | null;
  /** By the shipped table, where somebody has made it already. */
  readonly shipped?: Float32Array;
}

export interface SearchedFile {
  readonly record: FileRecord;
  /** In the order of `record.chunks`. May be left out where `packed` tells their terms and there are no vectors. */
  readonly chunks: readonly SearchedChunk[];
  /** The terms of the chunks, where somebody has counted them already. */
  readonly packed?: PackedFile | undefined;
  /** Soon to be replaced: found by its terms alone, for vectors cost more than all the rest. */
  readonly provisional?: boolean;
}

/** What is known of files beside their content; by path, absent = unknown. */
export interface RepositorySignals {
  /** The history, newest first. */
  readonly commits: readonly Commit[];
  /** How much each file is worked on lately: a sum over its commits. */
  readonly activity: ReadonlyMap<string, number>;
  /** Folders called `vendor` that are the product's own, as its imports show; null = as told before. */
  readonly ownVendors: readonly string[] | null;
}

/** What an image of the index is good for. */
export interface ImageUse {
  /** Of the records and the embedder. */
  readonly profile: string;
  /** Of the tree that it was made of. */
  readonly treeHash: string;
}

/** What was read from an image. */
export interface LoadedImage {
  /** Of the tree that it was made of, when all of that still holds; else null. */
  readonly treeHash: string | null;
  /** Files that are in the index now. */
  readonly paths: readonly string[];
}

export interface Searcher {
  /** Adds files, or replaces those with the same path. */
  put(files: readonly SearchedFile[]): void;
  remove(paths: readonly string[]): void;
  /** After a look at the whole tree: what was removed is swept as well. */
  describe(signals: RepositorySignals): void;
  /** Everything but the history as bytes. Provisional files must have been replaced. */
  exportImage(use: ImageUse): Uint8Array;
  /**
   * Into an empty index. `recordOf`: the record that a path and an identity (see image.ts) stand for now, or null. Null
   * when the bytes are of another version or profile, or damaged.
   */
  importImage(
    image: Uint8Array,
    profile: string,
    recordOf: (path: string, identity: string) => FileRecord | null,
  ): LoadedImage | null;
  /** Best first; at most `top`. `vector`: of the question, by the configured embedder. */
  search(query: { readonly text: string; readonly vector: Float32Array | null; readonly top: number }): SearchHit[];
  readonly files: number;
  readonly chunks: number;
}
