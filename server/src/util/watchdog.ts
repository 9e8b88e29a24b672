// Ends the wait for an operation that the system does not complete, for example on a dead network disk or on a file
// that has become a pipe.

import { SelfwareError } from './typedError.ts';

/** The default limit in milliseconds. It is far more than any single step takes on a slow disk. */
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * The result of the work. Throws `timedOut` if the work takes longer than `timeoutMs`; the work is then abandoned, but
 * not ended. `messageStart`: the start of the error message, which names the work.
 */
export async function withWatchdog<T>(
  work: Promise<T>,
  messageStart: string,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `${messageStart} took longer than ${Math.round(timeoutMs / 1000)} s and was given up.`;
    timer = setTimeout(() => reject(new SelfwareError('timedOut', message, { action: 'Try again.' })), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result of the work. Throws `cancelled` as soon as the signal is aborted, which ends only the wait. The work
 * itself continues for other callers.
 */
export async function rejectWhenAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new SelfwareError('cancelled', 'Cancelled.'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
