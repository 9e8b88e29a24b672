// Sets the environment variables that LanceDB's binary reads once, when it is first used.

import { availableParallelism } from 'node:os';

/**
 * Minimum number of threads for computation. By default, LanceDB uses two fewer than there are cores. On a small
 * machine its full-text index then hangs, because the threads that build posting lists block all threads that could
 * write them (github.com/lancedb/lancedb/issues/3568). There must be more threads than builders.
 */
const MIN_THREADS = 4;
/** Number of threads that build posting lists. */
const POSTING_LIST_BUILDERS = 2;

/** Sets the variables in `env`, except those that the user has set. `LANCEDB_LOG`: only errors are logged. */
export function setDefaultVariables(env: NodeJS.ProcessEnv): void {
  env['LANCEDB_LOG'] ??= 'error';
  env['LANCE_CPU_THREADS'] ??= String(Math.max(MIN_THREADS, availableParallelism() - 1));
  env['LANCE_FTS_NUM_SHARDS'] ??= String(POSTING_LIST_BUILDERS);
}
