// Limits the number of concurrent pieces of work: a producer that is faster than its workers waits.

/** Pieces of work that run at the same time. */
export interface ConcurrencyLimit {
  /** Starts `work`; resolves when there is room for more. Rejects with the first failure. */
  add(work: () => Promise<void>): Promise<void>;
  /** Waits for all work. Rejects with the first failure. */
  settled(): Promise<void>;
  /** Waits until no work is running, failed or not. Never rejects. */
  ended(): Promise<void>;
}

/** Allows at most `limit` pieces of work at the same time. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const running = new Set<Promise<void>>();
  return {
    async add(work) {
      const promise = work();
      running.add(promise);
      // A failed promise stays in the set, so that `add` and `settled` reject with its error.
      void promise.then(
        () => running.delete(promise),
        () => undefined,
      );
      if (running.size >= limit) await Promise.race(running);
    },
    async settled() {
      await Promise.all(running);
    },
    async ended() {
      await Promise.allSettled(running);
    },
  };
}
