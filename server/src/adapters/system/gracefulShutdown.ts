// Shuts the process down. After the first signal, running work has a time limit to end in order. A further Ctrl+C ends
// the process immediately.

import { constants } from 'node:os';
import { isStartedByNohup } from './hangup.ts';

/**
 * Milliseconds until a forced shutdown. An unfinished write is undone or completed at the next start. Two of the five
 * promised seconds are a reserve for a busy machine on which timers fire late (by more than a second, seen at a load of
 * 14 on two cores).
 */
const SHUTDOWN_TIMEOUT_MS = 3_000;
const SHUTDOWN_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type ShutdownSignal = (typeof SHUTDOWN_SIGNALS)[number];

/** Controls the shutdown of this process. */
export interface GracefulShutdown {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Exit code that a shell expects from a process that a signal has ended; null if there was no signal. */
  readonly exitCode: number | null;
  /**
   * Replaces the time limit, in milliseconds. It serves a process that waits for another process to end, and has no
   * effect after the first signal.
   */
  allow(boundMs: number): void;
  /** Stops listening. */
  dispose(): void;
}

const forcedShutdownActions = new Set<() => void>();

/**
 * Registers a function that runs right before a forced shutdown; it must not wait for anything. Returns a function that
 * removes it.
 */
export function onForcedShutdown(action: () => void): () => void {
  forcedShutdownActions.add(action);
  return () => void forcedShutdownActions.delete(action);
}

/**
 * Begins to handle signals: the first SIGINT, SIGTERM or SIGHUP aborts `signal`; a further SIGINT, or the end of
 * `timeoutMs`, forces the shutdown. A further SIGTERM or SIGHUP changes nothing: a closed terminal or a service manager
 * may send several, some of them through the process that has started this one. SIGHUP is ignored if `nohup` has
 * started this process.
 */
export function startHandlingSignals(timeoutMs = SHUTDOWN_TIMEOUT_MS): GracefulShutdown {
  const controller = new AbortController();
  let exitCode: number | null = null;
  let currentTimeoutMs = timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const ignoresHangup = isStartedByNohup(process.env);
  const onSignal = (signal: ShutdownSignal): void => {
    if (signal === 'SIGHUP' && ignoresHangup) return;
    if (controller.signal.aborted) return signal === 'SIGINT' ? forceShutdown(signal) : undefined;
    exitCode = 128 + constants.signals[signal];
    // The timer does not keep an otherwise finished process alive.
    timer = setTimeout(() => forceShutdown(signal), currentTimeoutMs).unref();
    controller.abort();
  };
  for (const signal of SHUTDOWN_SIGNALS) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    allow(ms) {
      currentTimeoutMs = ms;
    },
    dispose() {
      clearTimeout(timer);
      for (const signal of SHUTDOWN_SIGNALS) process.off(signal, onSignal);
    },
  };
}

/**
 * Ends this process by the signal itself, without waiting: `process.exit` would wait for threads, and a thread that
 * hangs in a system call never ends.
 */
export function forceShutdown(signal: ShutdownSignal): void {
  for (const action of forcedShutdownActions) {
    try {
      action();
    } catch {
      // No caller is left to receive this error, and the remaining actions still have to run.
    }
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
