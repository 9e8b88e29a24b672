// Runs jobs on the calling thread. This is the simple counterpart of the worker threads, for tests and tools.

import type { JobImplementations, Jobs, JobTable } from '../../core/jobs.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/**
 * Creates a runner of the jobs of `table`. A running job cannot be stopped; the result of a cancelled one is dropped.
 */
export function createInProcessJobs(table: Partial<JobImplementations>): Jobs {
  let isClosed = false;
  return {
    async run<K extends keyof JobTable>(
      name: K,
      input: JobTable[K]['input'],
      signal: AbortSignal,
    ): Promise<JobTable[K]['output']> {
      if (isClosed) throw new SelfwareError('cancelled', 'The jobs are closed.');
      throwIfCancelled(signal);
      const job = table[name];
      if (!job) throw new SelfwareError('internal', `There is no job ${name}.`);
      try {
        const output = await job(input);
        throwIfCancelled(signal);
        return output;
      } catch (error) {
        if (error instanceof SelfwareError) throw error;
        throw new SelfwareError('internal', error instanceof Error ? error.message : String(error), { cause: error });
      }
    },
    release() {},
    async close() {
      isClosed = true;
    },
  };
}
