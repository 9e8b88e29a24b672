// Ends the wait for work of our own that the system does not answer, such as a dead network disk or a file that has
// become a pipe.

import { SelfwareError } from './typedError.ts';

/** Far beyond what any single step takes on a slow disk. */
const PATIENCE_MS = 120_000;

/**
 * The work's own end, or `timedOut` after `millis`; what it was waiting for is left to itself. `what` starts the
 * message.
 */
export async function withWatchdog<T>(work: Promise<T>, what: string, millis = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${what} took longer than ${Math.round(millis / 1000)} s and was given up.`;
    timer = setTimeout(() => reject(new SelfwareError('timedOut', message, { action: 'Try again.' })), millis);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The work's own end, or `cancelled` as soon as the signal is aborted; the work is left to itself then. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(new SelfwareError('cancelled', 'Cancelled.'));
    signal.addEventListener('abort', leave, { once: true });
  });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
