// Runs as many commands in parallel as the machine can support. The others wait in line; their time limits start later.

import { availableParallelism, totalmem } from 'node:os';
import type { CommandLimits } from './limits.ts';

/** Decides when a command may start. */
export interface Admission {
  /**
   * Starts `work` when there is room. If aborted while waiting, starts it immediately, so that it can report the
   * cancellation.
   */
  admit<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * Bytes of memory of a type check or a test run in a large repository. If more ran in parallel, they would only wait
 * for the disk.
 */
const MEMORY_PER_COMMAND = 3 * 1024 ** 3;

/**
 * Admits at most `maxCommands` commands at a time, in the order in which they came. An aborted command is admitted in
 * addition.
 */
export function createAdmission(maxCommands: number): Admission {
  let runningCount = 0;
  const waitingStarts: (() => void)[] = [];
  return {
    async admit(work, signal) {
      if (runningCount >= maxCommands && !signal.aborted) await waitForTurn(signal);
      runningCount += 1;
      try {
        return await work();
      } finally {
        runningCount -= 1;
        waitingStarts.shift()?.();
      }
    },
  };

  function waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const start = () => {
        signal.removeEventListener('abort', leaveQueue);
        resolve();
      };
      const leaveQueue = () => {
        const index = waitingStarts.indexOf(start);
        if (index >= 0) waitingStarts.splice(index, 1);
        start();
      };
      waitingStarts.push(start);
      signal.addEventListener('abort', leaveQueue, { once: true });
    });
  }
}

/**
 * The number of commands that may run in parallel: half of the cores (both if there are two), or fewer if memory is
 * short, but at least one. Half, because a test runner uses several cores and a type check uses one. `memory`: bytes of
 * the machine.
 */
export function computeMaxCommands(limits: CommandLimits, cores = availableParallelism(), memory = totalmem()): number {
  return Math.max(
    1,
    Math.min(
      Math.max(Math.ceil(cores / 2), Math.min(cores, 2)),
      Math.floor(memory / Math.min(MEMORY_PER_COMMAND, limits.memoryBytes)),
    ),
  );
}
