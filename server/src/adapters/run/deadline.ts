// Creates a signal for the end of a run. The clock is read regularly, because Node's timers do not count the time in
// which the machine sleeps.

import { SelfwareError } from '../../util/typedError.ts';

/** Milliseconds between two readings of the clock. */
const READ_EVERY_MS = 5_000;

/** The end of a run as a signal. */
export interface Deadline {
  /** Aborted as soon as the clock shows the end. */
  readonly signal: AbortSignal;
  /** Stops reading the clock. */
  dispose(): void;
}

/**
 * Creates the deadline at `until`, in milliseconds since the epoch. It keeps no process alive. Throws `usage` if
 * `until` is not a finite number.
 */
export function createDeadline(until: number, now: () => number = Date.now, readEveryMs = READ_EVERY_MS): Deadline {
  if (!Number.isFinite(until))
    throw new SelfwareError('usage', `The end of a run cannot be ${until}.`, {
      action: 'Say when it ends with --until or --for.',
    });
  const deadlineController = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const readClock = (): void => {
    const remainingMs = until - now();
    if (remainingMs <= 0) return deadlineController.abort();
    timer = setTimeout(readClock, Math.min(readEveryMs, remainingMs)).unref();
  };
  readClock();
  return { signal: deadlineController.signal, dispose: () => clearTimeout(timer) };
}
