// Splits long work on the thread that answers requests into slices.

/** Lets waiting work (a request, a timer) run first. */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
