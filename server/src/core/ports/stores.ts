// The ports for small stores in the state folder: documents that must not be lost, and derived files that can be
// recomputed.

/**
 * Small JSON documents, which are written atomically. Reading a missing document returns null. Reading a corrupt one
 * throws `damaged`.
 */
export interface Documents {
  read<T>(name: string): Promise<T | null>;
  write(name: string, value: unknown): Promise<void>;
  /**
   * Replaces the document with the result of `change`, which receives null if there is no document. Updates of one
   * document run one after the other, including those of other processes. Throws `locked` if another update takes too
   * long.
   */
  update<T>(name: string, change: (before: T | null) => unknown): Promise<void>;
  /** Removes the document. Does nothing if it does not exist. */
  remove?(name: string): Promise<void>;
}

/**
 * Text files in the state folder that a person may read and edit, with names such as `CODE.md` or
 * `history/2026-01-31.md`.
 */
export interface NoteFiles {
  /** The text of a file; null if it does not exist. Throws `unreadable`, also if the bytes are not UTF-8. */
  read(name: string): Promise<string | null>;
  /** Replaces the complete file, after a copy of it was made. The oldest copies are removed. */
  write(name: string, text: string): Promise<void>;
}

/**
 * Small files with data that take time to compute. Each may disappear at any time, and is then computed again. Names
 * consist of [a-z0-9.-].
 */
export interface Blobs {
  read(name: string): Promise<Uint8Array | null>;
  /** Atomic: a reader sees either the old or the new bytes. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}
