// Verifies proposals for agents. A verification continues if its caller stops waiting, because tests may take longer
// than the timeout of a client.

import type { Session } from '../core/session.ts';
import type { Proposal } from '../core/model.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { Progress } from '../core/operation.ts';

/** A running verification. */
interface RunningVerification {
  readonly completion: Promise<Proposal>;
  readonly abort: AbortController;
  readonly listeners: Set<(progress: Progress) => void>;
}

/**
 * The options of a caller that waits. `seconds`: the maximum time. `signal`: cancels the wait. `report`: receives the
 * progress.
 */
export interface WaitOptions {
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly report?: ((progress: Progress) => void) | undefined;
}

/** The running verifications, by the id of the proposal. */
export interface Verifications {
  /** Starts a verification. Does nothing if the same proposal is being verified. */
  start(session: Session, proposal: string): void;
  /**
   * Waits for the verified or refused proposal. Returns null if the time ends first, or if the proposal is not being
   * verified. If the caller cancels the wait, the verification ends. Throws the errors of the verification.
   */
  wait(proposal: string, options: WaitOptions): Promise<Proposal | null>;
  isRunning(proposal: string): boolean;
  /** Cancels all running verifications. */
  close(): void;
}

/** Creates the collection of running verifications, which is empty at first. */
export function createVerifications(): Verifications {
  const running = new Map<string, RunningVerification>();

  return {
    start(session, proposal) {
      if (running.has(proposal)) return;
      const abort = new AbortController();
      const listeners = new Set<(progress: Progress) => void>();
      const report = (progress: Progress): void => {
        for (const listener of listeners) listener(progress);
      };
      const entry: RunningVerification = {
        abort,
        listeners,
        completion: session.verification.verify(proposal, { signal: abort.signal, report }),
      };
      running.set(proposal, entry);
      const forget = (): void => void running.delete(proposal);
      entry.completion.then(forget, forget);
    },
    async wait(proposal, { seconds, signal, report }) {
      const entry = running.get(proposal);
      if (!entry) return null;
      const onAbort = (): void => entry.abort.abort();
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (report) entry.listeners.add(report);
      const timeLimit = AbortSignal.timeout(Math.round(seconds * 1000));
      try {
        return await Promise.race([entry.completion, waitForAbort(timeLimit)]);
      } catch (error) {
        throw signal.aborted ? new SelfwareError('cancelled', 'Cancelled.', { cause: error }) : error;
      } finally {
        signal.removeEventListener('abort', onAbort);
        if (report) entry.listeners.delete(report);
      }
    },
    isRunning: (proposal) => running.has(proposal),
    close() {
      for (const { abort } of running.values()) abort.abort();
    },
  };
}

/** Resolves to null when the signal is aborted. */
function waitForAbort(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) =>
    signal.aborted ? resolve(null) : signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
}
