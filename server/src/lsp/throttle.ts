// Limits frequent calls to one per interval. A call within the interval has its effect at the end of it.

/** Wraps `act`: calls it at once if the last call is long enough ago, otherwise once at the end of the interval. */
export function throttle(millis: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let lastAt = -Infinity;
  return () => {
    if (timer !== undefined) return;
    const wait = lastAt + millis - performance.now();
    const run = (): void => {
      timer = undefined;
      lastAt = performance.now();
      act();
    };
    if (wait <= 0) run();
    else timer = setTimeout(run, wait).unref();
  };
}
