// Long work on the thread that answers requests is done in slices.

/** Lets whatever waits (a request, a timer) run first. */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
