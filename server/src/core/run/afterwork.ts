// Runs work that continues after a person has been answered, so that nobody waits for it.

/** The work of one session that continues after a person has been answered. */
export interface Afterwork {
  /**
   * Starts `work` after the earlier work has ended. Does nothing if other work is already waiting, because the waiting
   * work will see everything that is recorded before it starts. Passes a failure to `onFailure`.
   */
  start(work: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts the running work, and drops the waiting work. An aborted failure is not passed to `onFailure`. */
  cancel(): void;
  /** Resolves when no work runs or waits. */
  finish(): Promise<void>;
}

/** Creates a queue with one running and one waiting piece of work. `onFailure` must not throw. */
export function createAfterwork(onFailure: (error: unknown) => void): Afterwork {
  let lastWork = Promise.resolve();
  let isWaiting = false;
  let canceller = new AbortController();
  return {
    start(work) {
      if (isWaiting) return;
      isWaiting = true;
      const { signal } = canceller;
      lastWork = lastWork
        .then(() => {
          isWaiting = false;
          return signal.aborted ? undefined : work(signal);
        })
        .catch((error: unknown) => {
          if (!signal.aborted) onFailure(error);
        });
    },
    cancel() {
      canceller.abort();
      canceller = new AbortController();
      isWaiting = false;
    },
    finish: () => lastWork,
  };
}
