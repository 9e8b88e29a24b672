// Runs as many commands in parallel as the machine can take. The others wait in line, and their time limit has not
// started yet.

import { availableParallelism, totalmem } from 'node:os';
import type { Limits } from './limits.ts';

export interface Admission {
  /** Starts `work` when there is room. Aborted while waiting, it starts at once, to say that it was cancelled. */
  admit<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** What a type check or a test run of a large repository takes; more of them at once would only wait for the disk. */
const MEMORY_EACH = 3 * 1024 ** 3;

export function createAdmission(atOnce: number): Admission {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async admit(work, signal) {
      if (running >= atOnce && !signal.aborted) await turn(signal);
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
  };

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        const at = waiting.indexOf(go);
        if (at >= 0) waiting.splice(at, 1);
        go();
      };
      waiting.push(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

/** A test runner uses several cores, a type check one: so half of the cores (both of two), as far as memory allows. */
export function commandsAtOnce(limits: Limits, cores = availableParallelism(), memory = totalmem()): number {
  return Math.max(
    1,
    Math.min(
      Math.max(Math.ceil(cores / 2), Math.min(cores, 2)),
      Math.floor(memory / Math.min(MEMORY_EACH, limits.memoryBytes)),
    ),
  );
}
