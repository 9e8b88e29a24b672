// Small stores in the state folder: documents that matter, and derived files that can be computed again.

/**
 * Small JSON documents, written atomically. Reading one that does not exist gives null; reading a corrupt one throws
 * `damaged`.
 */
export interface Documents {
  read<T>(name: string): Promise<T | null>;
  write(name: string, value: unknown): Promise<void>;
  /** Does nothing if there is none. */
  remove?(name: string): Promise<void>;
}

/** Small derived files that take time to compute; each may vanish at any time. Names consist of [a-z0-9.-]. */
export interface Blobs {
  read(name: string): Promise<Uint8Array | null>;
  /** Atomic: a reader sees the old bytes or the new ones. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}
