// What bringing the index up to date works with, and which files it takes.

import type { Catalogue, FileRecord } from '../ports/catalogue.ts';
import type { Files } from '../ports/files.ts';
import type { JobRunner } from '../ports/jobs.ts';
import type { ChunkStore, Embedder } from '../ports/search.ts';
import type { Clock, Log } from '../ports/system.ts';
import type { IndexJobs } from './jobs.ts';
import type { SearchedFile } from './search/searcher.ts';

export interface RefreshContext {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly jobs: JobRunner<IndexJobs>;
  readonly log: Log;
  readonly clock: Clock;
  /** Chunks; WRITTEN_AT_ONCE without it. */
  readonly writtenAtOnce?: number;
  /**
   * Told once, before anything is read, of the files whose content is not known, when they are many: they can be
   * searched as they are on disk.
   */
  readonly onUnseen?: (paths: readonly string[]) => void;
  /**
   * Told of files as they can be searched, by windows of lines or by whole definitions. The last word on a path holds.
   */
  readonly onSearchable?: (files: readonly SearchedFile[], provisional: boolean) => void;
}

export interface RefreshLimits {
  /** Larger files are left out. */
  readonly maxBytes: number;
  /** Ignore patterns beyond the repository's own. */
  readonly exclude: readonly string[];
}

/** Files of these kinds are known, so that they are not read again, but they are not searched. */
export const notText: ReadonlySet<FileRecord['trouble']> = new Set<FileRecord['trouble']>(['binary', 'not utf-8']);
