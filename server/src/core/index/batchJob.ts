// Runs a job over a batch of files, so that one bad file does not affect the others.

import { SelfwareError } from '../../util/typedError.ts';
import type { LoadedFile } from './inspect.ts';
import type { Log } from '../ports/system.ts';
import type { IndexJobs } from './jobs.ts';
import type { JobRunner } from '../ports/jobs.ts';

/** Jobs with a list of files as input and one result per file as output. */
type FileJob = 'inspect' | 'analyse' | 'relate';

/**
 * Runs the job. `createFallback` gives the result for a file that makes the job crash or hang. Never rejects because of a
 * file's content. Throws `cancelled`, and errors that no file causes, such as missing grammars.
 */
export async function runBatchJob<K extends FileJob>(
  context: { readonly jobs: JobRunner<IndexJobs>; readonly log: Log },
  job: K,
  files: readonly LoadedFile[],
  createFallback: (file: LoadedFile, problem: 'parse failed' | 'analysis timed out') => IndexJobs[K]['output'][number],
  signal: AbortSignal,
): Promise<readonly IndexJobs[K]['output'][number][]> {
  if (files.length === 0) return [];
  try {
    return await context.jobs.run(job, files, signal);
  } catch (error) {
    if (signal.aborted || !mayBeCausedByFile(error)) throw error;
    const [onlyFile] = files;
    if (files.length === 1 && onlyFile) {
      context.log.write('warn', `${onlyFile.path} is too much for the job ${job}.`, error);
      return [
        createFallback(
          onlyFile,
          error instanceof SelfwareError && error.reason === 'timedOut' ? 'analysis timed out' : 'parse failed',
        ),
      ];
    }
    const output: IndexJobs[K]['output'][number][] = [];
    for (const part of splitBatch(files, error))
      output.push(...(await runBatchJob(context, job, part, createFallback, signal)));
    return output;
  }
}

/**
 * The parts in which a failed batch is run again. After a crash the batch is halved, because a crash shows immediately
 * and halving finds the file in the fewest attempts. After a hang each file runs separately, so that the full timeout
 * is spent only once more.
 */
function splitBatch(files: readonly LoadedFile[], error: unknown): readonly (readonly LoadedFile[])[] {
  if (error instanceof SelfwareError && error.reason === 'timedOut') return files.map((file) => [file]);
  const middle = files.length >> 1;
  return [files.slice(0, middle), files.slice(middle)];
}

/** True for errors that one file may cause (a crash, an endless loop). Any other error would occur with every file. */
function mayBeCausedByFile(error: unknown): boolean {
  return !(error instanceof SelfwareError) || error.reason === 'internal' || error.reason === 'timedOut';
}
