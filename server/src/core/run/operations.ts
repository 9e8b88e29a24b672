// One long operation at a time: later ones wait their turn, each can be cancelled, and `cancelAll` ends everything for
// real.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

export interface Operations {
  /** Runs `work` when its turn comes. Rejects with `cancelled` when the signal (or `cancelAll`) fires first. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /**
   * Runs `work` when nobody waits for anything: it is cancelled for whatever comes, and starts again afterwards. What
   * is asked for while it still waits takes its place.
   */
  whenIdle(work: (signal: AbortSignal) => Promise<void>): void;
  /**
   * The same, but it gives way: as soon as another operation is asked for it is cancelled, and starts again after that
   * one.
   */
  inBackground<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Cancels the running and the waiting operations and resolves when none is left. */
  cancelAll(): Promise<void>;
  readonly busy: boolean;
}

/** A queue with a single slot. A failed operation never blocks the next one. */
export function createOperations(): Operations {
  let tail: Promise<unknown> = Promise.resolve();
  let pending = 0;
  let killer = new AbortController();
  /** Waits until nobody waits, or runs. */
  let idleWork: ((signal: AbortSignal) => Promise<void>) | null = null;
  let idleRun: AbortController | null = null;
  const givingWay = new Set<AbortController>();

  const enqueue = <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    idleRun?.abort();
    return queue(work, signal);
  };

  const queue = <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const combined = AbortSignal.any([signal, killer.signal]);
    pending++;
    let leave: () => void = noop;
    // Who waits is told at once, not when the turn comes.
    const left = new Promise<never>(
      (_, reject) => (leave = () => reject(new SelfwareError('cancelled', 'Cancelled.'))),
    );
    combined.addEventListener('abort', leave, { once: true });
    const turn = tail.then(async () => {
      combined.removeEventListener('abort', leave);
      throwIfCancelled(combined);
      return work(combined);
    });
    tail = turn.then(noop, noop).finally(() => {
      pending--;
      beIdle();
    });
    return Promise.race([turn, left]).catch((error: unknown) => {
      throw combined.aborted && !(error instanceof SelfwareError)
        ? new SelfwareError('cancelled', 'Cancelled.', { cause: error })
        : error;
    });
  };

  function beIdle(): void {
    if (pending > 0 || idleRun || !idleWork) return;
    const work = idleWork;
    const own = new AbortController();
    idleWork = null;
    idleRun = own;
    queue(work, own.signal)
      // Somebody needed the turn, so it is done afterwards, unless there is newer work by then.
      .catch(() => own.signal.aborted && (idleWork ??= work))
      .finally(() => {
        idleRun = null;
        beIdle();
      });
  }

  const inBackground = async <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const { signal: killed } = killer;
    for (;;) {
      const way = new AbortController();
      givingWay.add(way);
      try {
        return await enqueue(work, AbortSignal.any([signal, way.signal]));
      } catch (error) {
        if (!way.signal.aborted || signal.aborted || killed.aborted) throw error;
      } finally {
        givingWay.delete(way);
      }
    }
  };

  return {
    run(work, signal) {
      // First in line, then out of the way: what gives way comes after it.
      const turn = enqueue(work, signal);
      for (const way of givingWay) way.abort();
      return turn;
    },
    inBackground,
    whenIdle(work) {
      idleWork = work;
      beIdle();
    },
    async cancelAll() {
      idleWork = null;
      killer.abort();
      killer = new AbortController();
      await tail;
      // What was cancelled for somebody else would starts again.
      idleWork = null;
    },
    get busy() {
      return pending > 0;
    },
  };
}

function noop(): void {}
