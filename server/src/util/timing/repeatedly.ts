// Repeats work at intervals while a process lives, without keeping it alive.

/** Ends the repetition, and resolves when work in progress has ended. */
export type StopRepeating = () => Promise<void>;

/**
 * Does `work` after each interval, unless the work of an earlier interval is still in progress. Errors are passed to
 * `onError`. The signal is aborted by the end of the repetition.
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
  onError: (error: unknown) => void,
): StopRepeating {
  const end = new AbortController();
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work(end.signal)
      .catch((error: unknown) => {
        if (!end.signal.aborted) onError(error);
      })
      .finally(() => (running = null));
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    end.abort();
    await running;
  };
}
