// The types of a measured search system, Selfware or a peer, and of its input.

import type { Chunk } from '../../../server/src/core/model.ts';
import type { Place } from '../quality/measures.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** A repository in memory, and its folder for a system that reads files on disk. */
export interface Corpus {
  readonly name: string;
  /** Absolute path; null if the files are only in memory. */
  readonly root: string | null;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly records: readonly FileRecord[];
  /** By path, in the order of `record.chunks`. */
  readonly chunks: ReadonlyMap<string, readonly Chunk[]>;
  /** Newest first. */
  readonly commits: readonly Commit[];
}

/** A search system. */
export interface System {
  readonly name: string;
  /** The reason why it is not available on this machine; null if it is available. */
  readonly absent: string | null;
  /** Indexes the corpus. In the results of a search, best first, a place without lines is the whole file. */
  build(
    corpus: Corpus,
    signal: AbortSignal,
  ): Promise<{ search(query: string, top: number): Promise<readonly Place[]> | readonly Place[] }>;
}
