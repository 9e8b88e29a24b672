// What a search system looks like to the benches: ours and the peers alike.

import type { Chunk } from '../../../server/src/core/model.ts';
import type { FileRecord } from '../../../server/src/core/indexPorts.ts';

/** A repository in memory, and on disk where a system needs it there. */
export interface Corpus {
  readonly name: string;
  /** Absolute; holds exactly `files`, or more that is no source. */
  readonly root: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly records: readonly FileRecord[];
  /** By path, in the order of `record.chunks`. */
  readonly chunks: ReadonlyMap<string, readonly Chunk[]>;
}

export interface Hit {
  readonly path: string;
  /** Null = the whole file. */
  readonly lines: readonly [start: number, end: number] | null;
}

export interface System {
  readonly name: string;
  /** Null with a reason where this machine does not have it. */
  readonly absent: string | null;
  build(corpus: Corpus, signal: AbortSignal): Promise<{ search(query: string, top: number): Promise<readonly Hit[]> | readonly Hit[]; close?(): void }>;
}
