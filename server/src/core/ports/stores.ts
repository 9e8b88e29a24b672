// Small stores beside the repository.

/**
 * Small JSON documents of the state folder, written atomically. A corrupt one throws `damaged`; it is never read as
 * empty.
 */
export interface Documents {
  read<T>(name: string): Promise<T | null>;
  write(name: string, value: unknown): Promise<void>;
  /** No trouble when there is none. */
  remove?(name: string): Promise<void>;
}

/** Small derived files that take time to compute; each may vanish at any time. Names are [a-z0-9.-]. */
export interface Blobs {
  read(name: string): Promise<Uint8Array | null>;
  /** Atomic: a reader sees the old bytes or the new. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}
