// Provides a simulated clock and predictable ids, so that tests replay a night of work in milliseconds.
import type { Clock, Ids } from '../../server/src/core/ports/system.ts';

/** A clock that a test advances. */
export interface MemoryClock extends Clock {
  /** Moves the time by this many milliseconds. A negative number sets the clock back. */
  advance(ms: number): void;
}

/** Creates a clock that stands still until it is advanced. By default, it starts on 2026-01-01. */
export function createMemoryClock(start = Date.UTC(2026, 0, 1)): MemoryClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

/** Creates a source of ids such as `p-000001` and `c-000002`. All kinds share one counter, so ids sort by time. */
export function createMemoryIds(): Ids {
  let count = 0;
  return {
    next(kind) {
      count += 1;
      return `${kind[0]}-${String(count).padStart(6, '0')}`;
    },
  };
}
