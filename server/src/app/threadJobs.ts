// Creates the threads on which a session runs its jobs.

import { addSeparateLane } from '../adapters/workers/separateLane.ts';
import { createWorkerJobs } from '../adapters/workers/workerJobs.ts';
import type { Jobs } from '../core/jobs.ts';
import { workerEntry } from './programPaths.ts';

/**
 * Milliseconds after which the thread for typed text ends if nobody types. It keeps the trees of the open documents,
 * and a person may think for a while between two keystrokes.
 */
const TYPING_THREAD_IDLE_MS = 10 * 60_000;

/** The options of a session on which its threads depend, as in `AppOptions`. */
interface ThreadOptions {
  readonly built?: boolean;
  readonly threads?: number;
  readonly packagesOf?: string;
  readonly prefix?: string;
}

/** Creates the threads for jobs, with a separate thread for jobs while a person types. */
export function createThreadJobs({ built: isBundle, threads, packagesOf, prefix = '' }: ThreadOptions): Jobs {
  const parts = {
    entry: workerEntry(isBundle),
    packages: packagesOf === undefined ? undefined : { top: packagesOf, prefix },
  };
  return addSeparateLane(
    ['glance', 'explain', 'scan'],
    createWorkerJobs({ ...parts, threads: 1, idleMs: TYPING_THREAD_IDLE_MS }),
    createWorkerJobs({ ...parts, ...(threads === undefined ? {} : { threads }) }),
  );
}
