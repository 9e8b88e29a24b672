// Limits the number of concurrent pieces of work: a producer that is faster than its workers waits.

export interface InFlight {
  /** Starts `work`; returns when there is room for the next. Rejects with the first failure. */
  add(work: () => Promise<void>): Promise<void>;
  /** Waits for all. Rejects with the first failure. */
  settled(): Promise<void>;
  /** Waits until none is under way, whatever has become of them. */
  ended(): Promise<void>;
}

export function createInFlight(limit: number): InFlight {
  const running = new Set<Promise<void>>();
  return {
    async add(work) {
      const promise = work();
      running.add(promise);
      // Whoever awaits `promise` below sees its error; this only keeps the set small.
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
