// Limits the rate of a function that is called often: at most one call per interval.

/**
 * Wraps `act` so that it runs at once if its last run was at least `millis` milliseconds ago; otherwise once at the end
 * of the interval, however often it is called meanwhile. The timer does not keep the process alive.
 */
export function throttle(millis: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let lastRunAt = -Infinity;
  return () => {
    if (timer !== undefined) return;
    const remainingMs = lastRunAt + millis - performance.now();
    const run = (): void => {
      timer = undefined;
      lastRunAt = performance.now();
      act();
    };
    if (remainingMs <= 0) run();
    else timer = setTimeout(run, remainingMs).unref();
  };
}
