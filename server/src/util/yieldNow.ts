// Interrupts long work, so that requests are answered while it runs.

/** Resolves after work that already waits on this thread, such as a request or a timer, has run. */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
