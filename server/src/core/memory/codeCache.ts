// Caches recently read texts of files. The least recently used texts are dropped first.

/** A cache of the texts of files. */
export interface CodeCache {
  /**
   * The text of a file; null if it is missing. `hash`: the hash of the file's current bytes. A cached text with another
   * hash is read again.
   */
  read(path: string, hash: string): Promise<string | null>;
  /** Number of cached UTF-16 units. */
  size(): number;
}

/** Caches at most `capacity` UTF-16 units. A missing file, or one larger than the capacity, is not cached. */
export function createCodeCache(read: (path: string) => Promise<string | null>, capacity: number): CodeCache {
  // A Map keeps the order of insertion, so the first entry is the least recently used.
  const cache = new Map<string, { readonly hash: string; readonly text: string }>();
  let size = 0;
  const drop = (path: string): void => {
    size -= cache.get(path)?.text.length ?? 0;
    cache.delete(path);
  };
  return {
    async read(path, hash) {
      const cached = cache.get(path);
      if (cached?.hash === hash) {
        cache.delete(path);
        cache.set(path, cached);
        return cached.text;
      }
      const text = await read(path);
      drop(path);
      if (text === null || text.length > capacity) return text;
      cache.set(path, { hash, text });
      size += text.length;
      for (const oldest of cache.keys()) {
        if (size <= capacity) break;
        drop(oldest);
      }
      return text;
    },
    size: () => size,
  };
}
