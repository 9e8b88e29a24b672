// Sets the environment variables that LanceDB's binary reads once, when it is first used.

import { availableParallelism } from 'node:os';

/**
 * Threads of its own for computation. Left to itself it takes two fewer than there are cores; on a small machine its
 * full-text index then waits for ever, because those that make posting lists hold every thread that could write them
 * (github.com/lancedb/lancedb/issues/3568). There must be more threads than makers.
 */
const FEWEST_THREADS = 4;
const POSTING_LIST_MAKERS = 2;

/** What the user has set stays. */
export function setUpLibrary(env: NodeJS.ProcessEnv): void {
  env['LANCEDB_LOG'] ??= 'error';
  env['LANCE_CPU_THREADS'] ??= String(Math.max(FEWEST_THREADS, availableParallelism() - 1));
  env['LANCE_FTS_NUM_SHARDS'] ??= String(POSTING_LIST_MAKERS);
}
