// One long operation at a time: later ones wait their turn, each can be cancelled, and `cancelAll` ends everything for real.

import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

export interface Operations {
  /** Runs `work` when its turn comes. Rejects with `cancelled` when the signal (or `cancelAll`) fires first. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Cancels the running and the waiting operations and resolves when none is left. */
  cancelAll(): Promise<void>;
  readonly busy: boolean;
}

/** A queue with a single slot. A failed operation never blocks the next one. */
export function createOperations(): Operations {
  let tail: Promise<unknown> = Promise.resolve();
  let pending = 0;
  let killer = new AbortController();

  const enqueue = <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const combined = AbortSignal.any([signal, killer.signal]);
    pending++;
    let leave: () => void = noop;
    // Who waits is told at once, not when the turn comes.
    const left = new Promise<never>((_, reject) => (leave = () => reject(new SelfwareError('cancelled', 'Cancelled.'))));
    combined.addEventListener('abort', leave, { once: true });
    const turn = tail.then(async () => {
      combined.removeEventListener('abort', leave);
      throwIfCancelled(combined);
      return work(combined);
    });
    tail = turn.then(noop, noop).finally(() => pending--);
    return Promise.race([turn, left]).catch((error: unknown) => {
      throw combined.aborted && !(error instanceof SelfwareError) ? new SelfwareError('cancelled', 'Cancelled.', { cause: error }) : error;
    });
  };

  return {
    run: enqueue,
    async cancelAll() {
      killer.abort();
      killer = new AbortController();
      await tail;
    },
    get busy() {
      return pending > 0;
    },
  };
}

function noop(): void {}
