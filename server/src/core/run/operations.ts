// Runs one long operation at a time. Later operations wait for their turn, each can be cancelled, and `cancelAll`
// cancels all of them.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/** The operations of one session. */
export interface Operations {
  /** Runs `work` when its turn comes. Rejects with `cancelled` when the signal or `cancelAll` aborts it. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * Runs `work` when no operation runs or waits. A new operation cancels `work`, which starts again afterwards. A later
   * call replaces work that still waits.
   */
  whenIdle(work: (signal: AbortSignal) => Promise<void>): void;
  /**
   * Runs `work` with low priority: a new operation cancels it, and it starts again after that operation. Rejects with
   * `cancelled` when the signal or `cancelAll` aborts it.
   */
  inBackground<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Cancels the running and the waiting operations; resolves when none is left. */
  cancelAll(): Promise<void>;
  /** True if an operation runs or waits, or if idle work runs. */
  readonly busy: boolean;
}

/** Creates a queue with a single slot. The next operation runs even if the one before it has failed. */
export function createOperations(): Operations {
  let lastTurn: Promise<unknown> = Promise.resolve();
  let pendingCount = 0;
  let canceller = new AbortController();
  /** The work that waits until no operation runs or waits. */
  let idleWork: ((signal: AbortSignal) => Promise<void>) | null = null;
  let idleRun: AbortController | null = null;
  /** Background work that a new operation cancels. */
  const backgroundControllers = new Set<AbortController>();

  const enqueue = <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    idleRun?.abort();
    return queue(work, signal);
  };

  const queue = <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const combined = AbortSignal.any([signal, canceller.signal]);
    pendingCount++;
    let rejectImmediately: () => void = doNothing;
    // A waiting caller is rejected immediately, not only when its turn comes.
    const cancelled = new Promise<never>(
      (_, reject) => (rejectImmediately = () => reject(new SelfwareError('cancelled', 'Cancelled.'))),
    );
    combined.addEventListener('abort', rejectImmediately, { once: true });
    const turn = lastTurn.then(async () => {
      combined.removeEventListener('abort', rejectImmediately);
      throwIfCancelled(combined);
      return work(combined);
    });
    lastTurn = turn.then(doNothing, doNothing).finally(() => {
      pendingCount--;
      startIdleWork();
    });
    return Promise.race([turn, cancelled]).catch((error: unknown) => {
      throw combined.aborted && !(error instanceof SelfwareError)
        ? new SelfwareError('cancelled', 'Cancelled.', { cause: error })
        : error;
    });
  };

  /** Starts the idle work that waits, unless an operation or other idle work runs or waits. */
  function startIdleWork(): void {
    if (pendingCount > 0 || idleRun || !idleWork) return;
    const work = idleWork;
    const controller = new AbortController();
    idleWork = null;
    idleRun = controller;
    queue(work, controller.signal)
      // Another operation needed the slot, so this work runs afterwards, unless newer work has replaced it.
      .catch(() => controller.signal.aborted && (idleWork ??= work))
      .finally(() => {
        idleRun = null;
        startIdleWork();
      });
  }

  const inBackground = async <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const { signal: cancelAllSignal } = canceller;
    for (;;) {
      const controller = new AbortController();
      backgroundControllers.add(controller);
      try {
        return await enqueue(work, AbortSignal.any([signal, controller.signal]));
      } catch (error) {
        if (!controller.signal.aborted || signal.aborted || cancelAllSignal.aborted) throw error;
      } finally {
        backgroundControllers.delete(controller);
      }
    }
  };

  return {
    run(work, signal) {
      // The operation joins the queue first; then background work is cancelled and queues behind it.
      const turn = enqueue(work, signal);
      for (const controller of backgroundControllers) controller.abort();
      return turn;
    },
    inBackground,
    whenIdle(work) {
      idleWork = work;
      startIdleWork();
    },
    async cancelAll() {
      idleWork = null;
      canceller.abort();
      canceller = new AbortController();
      await lastTurn;
      // Idle work that was cancelled for another operation would start again.
      idleWork = null;
    },
    get busy() {
      return pendingCount > 0;
    },
  };
}

function doNothing(): void {}
