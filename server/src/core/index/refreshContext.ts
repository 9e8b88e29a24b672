// The context of a refresh of the index, and the limits on the files that it indexes.

import type { Catalogue, FileRecord } from '../ports/catalogue.ts';
import type { Files } from '../ports/files.ts';
import type { JobRunner } from '../ports/jobs.ts';
import type { ChunkStore, Embedder } from '../ports/search.ts';
import type { Clock, Log } from '../ports/system.ts';
import type { IndexJobs } from './jobs.ts';
import type { SearchedFile } from './search/searcher.ts';

/** The ports and options of a refresh. */
export interface RefreshContext {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly jobs: JobRunner<IndexJobs>;
  readonly log: Log;
  readonly clock: Clock;
  /** Number of chunks that are written at once. Default: `CHUNK_BATCH_SIZE`. */
  readonly writtenAtOnce?: number;
  /**
   * Called at most once, before any file is read, if many files are new or changed. `paths`: these files, which can be
   * searched on disk meanwhile.
   */
  readonly onUnindexed?: (paths: readonly string[]) => void;
  /**
   * Called with files that have become searchable. `isProvisional`: true if they are divided into windows of lines,
   * false if into chunks. A later call replaces an earlier one for the same path.
   */
  readonly onSearchable?: (files: readonly SearchedFile[], isProvisional: boolean) => void;
}

/** The limits on the files that a refresh indexes. */
export interface RefreshLimits {
  /** Maximum number of bytes of a file. Larger files are skipped. */
  readonly maxBytes: number;
  /** Ignore patterns in addition to those of the repository. */
  readonly exclude: readonly string[];
}

/** Files with these problems have a record, so that they are not read again, but they are not searched. */
export const UNSEARCHABLE_PROBLEMS: ReadonlySet<FileRecord['trouble']> = new Set<FileRecord['trouble']>([
  'binary',
  'not utf-8',
]);
