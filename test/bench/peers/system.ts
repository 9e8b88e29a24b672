// What a search system looks like to the benches: ours and the peers alike.

import type { Chunk } from '../../../server/src/core/model.ts';
import type { Place } from '../quality/measures.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** A repository in memory, and on disk for a system that reads it there. */
export interface Corpus {
  readonly name: string;
  /** Absolute; null = only in memory. */
  readonly root: string | null;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly records: readonly FileRecord[];
  /** By path, in the order of `record.chunks`. */
  readonly chunks: ReadonlyMap<string, readonly Chunk[]>;
  /** Newest first. */
  readonly commits: readonly Commit[];
}

export interface System {
  readonly name: string;
  /** Null with a reason where this machine does not have it. */
  readonly absent: string | null;
  /** A place without lines is the whole file. */
  build(
    corpus: Corpus,
    signal: AbortSignal,
  ): Promise<{ search(query: string, top: number): Promise<readonly Place[]> | readonly Place[] }>;
}
