// Work that goes on after a person was answered, so that nobody waits for it.

/** The afterwork of one session. */
export interface Afterwork {
  /**
   * Starts `work` when the earlier work has ended. Does nothing if some waits already: it sees everything that was
   * recorded before it starts. A failure goes to `onFailure`.
   */
  start(work: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts what runs, and drops what waits. */
  cancel(): void;
  /** Resolves when nothing runs or waits. */
  finish(): Promise<void>;
}

/** Creates a queue for one piece of work that runs, and one that waits. `onFailure` must not throw. */
export function createAfterwork(onFailure: (error: unknown) => void): Afterwork {
  let tail = Promise.resolve();
  let isWaiting = false;
  let canceller = new AbortController();
  return {
    start(work) {
      if (isWaiting) return;
      isWaiting = true;
      const { signal } = canceller;
      tail = tail
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
    finish: () => tail,
  };
}
