// Ends the process on request: the first signal lets running work end in order, within a time limit; the second ends it
// at once.

import { constants } from 'node:os';

/**
 * What has not ended by itself by then is cut off. Whatever is being written is undone or finished at the next start.
 * Five seconds are promised: the rest is for a machine so busy that timers come late (by more than a second, seen at a
 * load of 14 on two cores).
 */
const BOUND_MS = 3_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type EndingSignal = (typeof SIGNALS)[number];

export interface Ending {
  /** Fires with the first signal. */
  readonly signal: AbortSignal;
  /** What a shell is told of a process that a signal ended; null while none came. */
  readonly exitCode: number | null;
  /** Listens no more. */
  dispose(): void;
}

const lastDeeds = new Set<() => void>();

/** Done right before the process is cut off, without waiting for anything. Returns how to take it back. */
export function beforeCutOff(deed: () => void): () => void {
  lastDeeds.add(deed);
  return () => void lastDeeds.delete(deed);
}

/** From now on SIGINT and SIGTERM end this process. */
export function endOnSignals(boundMs = BOUND_MS): Ending {
  const ending = new AbortController();
  let exitCode: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: EndingSignal): void => {
    if (ending.signal.aborted) return cutOff(signal);
    exitCode = 128 + constants.signals[signal];
    // Does not keep a process alive that has nothing left to do.
    timer = setTimeout(() => cutOff(signal), boundMs).unref();
    ending.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: ending.signal,
    get exitCode() {
      return exitCode;
    },
    dispose() {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}

/**
 * Ends this process by the signal itself, which waits for nothing: `process.exit` would wait for threads, and a thread
 * that hangs in a system call never ends.
 */
export function cutOff(signal: EndingSignal): void {
  for (const deed of lastDeeds) {
    try {
      deed();
    } catch {
      // Nobody is left to tell, and the rest has to be done.
    }
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
