// The user's working tree: reading it, and the only ways to write to it.

import type { SkippedPath, Millis } from '../model.ts';

/** The size, time, mode and kind of an entry of the tree. */
export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
  readonly kind: 'file' | 'folder' | 'other';
}

/** The user's working tree, for reading. */
export interface Files {
  /** Absolute, symlink-free path of the root. */
  readonly rootDir: string;
  /**
   * Every file worth indexing, sorted by path. Respects ignore rules; nested repositories, and links that lead out of
   * the repository, are skipped and reported.
   */
  walk(
    limits: { readonly maxBytes: number; readonly exclude: readonly string[] },
    signal: AbortSignal,
  ): Promise<{
    readonly files: readonly { readonly path: string; readonly stat: FileStat }[];
    readonly skipped: readonly SkippedPath[];
  }>;
  stat(path: string): Promise<FileStat | null>;
  /** The bytes of the file; null if it does not exist. Throws `unreadable` if it cannot be read. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * The path of the file to which a path leads, after links and `..` are resolved; the file itself need not exist. Null
   * if it is outside of the root. `throughLink`: true if a link was followed.
   */
  resolve(path: string): Promise<{ readonly path: string; readonly throughLink: boolean } | null>;
  /** True if `A.txt` and `a.txt` are one file. */
  readonly isCaseInsensitive: boolean;
}

/**
 * A file to write. `before` and `after`: its complete bytes; null if the file does not exist before or after the write.
 */
export interface FileWrite {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly mode: number;
}

/**
 * The only way for a change to reach the user's files. Only core/apply calls it, after charter and journal. On disk,
 * each file is written to a temporary file, synchronised and renamed. In an editor, all files are changed by one
 * workspace edit and then saved.
 */
export interface TreeWriter {
  /**
   * Writes the files. Throws `stale` if a file no longer contains `before`; the caller then rolls back the files
   * already written.
   */
  write(writes: readonly FileWrite[], label: string): Promise<void>;
  /**
   * Removes temporary files that a killed process left next to these paths. Called by recovery, under the apply lock.
   */
  removeTemporaryFiles?(paths: readonly string[]): Promise<void>;
}

/**
 * Selfware's own files in the repository, for a team to commit: in `.selfware/`, and only when a person requests them.
 */
export interface TeamFiles {
  /**
   * Writes the file atomically and creates its folder; null removes the file. Throws `forbidden` for any other place,
   * even if a link leads there, and the error of a failed write.
   */
  write(path: string, bytes: Uint8Array | null): Promise<void>;
}

/** A change or rollback in progress, with all data that recovery needs. */
export interface JournalEntry {
  readonly id: string;
  readonly kind: 'apply' | 'rollback';
  readonly checkpoint: string;
  readonly startedAt: Millis;
  readonly writes: readonly FileWrite[];
}

/** A write-ahead journal. `begin` resolves only when the entry is durably stored. */
export interface Journal {
  begin(entry: JournalEntry): Promise<void>;
  finish(id: string): Promise<void>;
  /**
   * The entries that were begun and not finished, oldest first. A damaged entry is named in `damaged`, and its file
   * stays.
   */
  openEntries(): Promise<{ readonly entries: readonly JournalEntry[]; readonly damaged: readonly string[] }>;
}
