// Repeats work at intervals as long as the process lives, without keeping the process alive.

/** Ends the repetition. The promise resolves when work in progress has ended. */
export type StopRepeating = () => Promise<void>;

/**
 * Runs `work` after each interval, unless the work of an earlier interval is still in progress. Its errors are passed
 * to `onError`. The end of the repetition aborts the signal, and later errors are ignored.
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  intervalMs: number,
  onError: (error: unknown) => void,
): StopRepeating {
  const endController = new AbortController();
  let runningWork: Promise<void> | null = null;
  const timer = setInterval(() => {
    runningWork ??= work(endController.signal)
      .catch((error: unknown) => {
        if (!endController.signal.aborted) onError(error);
      })
      .finally(() => (runningWork = null));
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    endController.abort();
    await runningWork;
  };
}
