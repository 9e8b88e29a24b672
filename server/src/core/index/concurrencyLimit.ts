// Limits the number of tasks that run at the same time, so that a producer that is faster than its workers waits.

/** The tasks that are running. */
export interface ConcurrencyLimit {
  /** Starts `work`; resolves when another task may start. Rejects with the first failure. */
  add(work: () => Promise<void>): Promise<void>;
  /** Waits for all tasks. Rejects with the first failure. */
  waitForAll(): Promise<void>;
  /** Waits until every task has succeeded or failed. Never rejects. */
  waitUntilIdle(): Promise<void>;
}

/** Allows at most `limit` tasks at the same time. */
export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const running = new Set<Promise<void>>();
  return {
    async add(work) {
      const promise = work();
      running.add(promise);
      // A failed promise stays in the set, so that `add` and `waitForAll` reject with its error.
      void promise.then(
        () => running.delete(promise),
        () => undefined,
      );
      if (running.size >= limit) await Promise.race(running);
    },
    async waitForAll() {
      await Promise.all(running);
    },
    async waitUntilIdle() {
      await Promise.allSettled(running);
    },
  };
}
