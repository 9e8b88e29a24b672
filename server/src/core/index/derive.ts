// Updates the data that is derived from each file in addition to the index: its analysis, and its relations to other
// files. Files that may have changed are read and processed again.

import type { SkippedPath } from '../model.ts';
import { groupThousands } from '../../util/thousands.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { runBatchJob } from './batchJob.ts';
import { readChangedFiles, isCurrent, type SuspectFile } from './changedFiles.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';
import type { LoadedFile } from './inspect.ts';
import type { RefreshLimits } from './refreshContext.ts';
import type { Progress, Report } from '../operation.ts';
import type { Log } from '../ports/system.ts';
import type { Files } from '../ports/files.ts';
import type { Catalogue, DerivedTables } from '../ports/catalogue.ts';
import type { IndexJobs } from './jobs.ts';
import type { JobRunner } from '../ports/jobs.ts';

/** The ports that deriving uses. */
export interface DeriveContext {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly jobs: JobRunner<IndexJobs>;
  readonly log: Log;
}

/** The way in which rows of one kind are computed. */
export interface Derivation<K extends keyof DerivedTables> {
  readonly kind: K;
  readonly job: { analysis: 'analyse'; relations: 'relate' }[K];
  readonly stage: Progress['stage'];
  /** Ids of the rules that the job applies; if absent, all. */
  readonly only?: readonly string[];
  /** Returns the row of a file that makes the job crash or hang. */
  createFallback(file: LoadedFile, problem: 'parse failed' | 'analysis timed out'): DerivedTables[K];
}

/** The rows after an update. */
export interface DerivedFiles<K extends keyof DerivedTables> {
  /** Every file, by path. */
  readonly rows: ReadonlyMap<string, DerivedTables[K]>;
  /** Added, changed and vanished files, sorted. */
  readonly changedPaths: readonly string[];
  /** Number of files that a job processed; the rows of the others were already stored. */
  readonly made: number;
  readonly skipped: readonly SkippedPath[];
}

/** Maximum number of batches in progress; the jobs queue those that exceed their threads. */
const MAX_IN_FLIGHT = 3;
/**
 * Minimum number of bytes for a second thread. Below it, the thread is not worth its cost in memory and time: each
 * thread has to load and warm up the compiler.
 */
const MIN_BYTES_FOR_THREADS = 8 * 1024 * 1024;

/**
 * Updates the rows of all files. `knownRows`: the rows in memory; null to begin with the stored ones. Throws
 * `cancelled`; rows that are finished by then are kept.
 */
export async function deriveAll<K extends keyof DerivedTables>(
  context: DeriveContext,
  derivation: Derivation<K>,
  knownRows: ReadonlyMap<string, DerivedTables[K]> | null,
  limits: RefreshLimits,
  report: Report,
  signal: AbortSignal,
): Promise<DerivedFiles<K>> {
  throwIfCancelled(signal);
  report({ stage: 'walking', done: 0, total: null, message: 'Looking for files' });
  const walked = await context.files.walk(limits, signal);
  const earlierRows =
    knownRows ?? new Map((await context.catalogue.derived(derivation.kind)).map((row) => [row.path, row]));
  const walkedPaths = new Set(walked.files.map(({ path }) => path));
  const vanishedPaths = [...earlierRows.keys()].filter((path) => !walkedPaths.has(path));
  const suspects = walked.files.filter(({ path, stat }) => !isCurrent(earlierRows.get(path), stat));
  const derived = await deriveSuspects(context, derivation, earlierRows, suspects, vanishedPaths, report, signal);
  return {
    ...derived,
    skipped: [...walked.skipped, ...derived.skipped].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
  };
}

/**
 * Updates the rows of these paths. Returns null without an update if a path has no row yet, is no longer a file, or is
 * larger than the limit: only a walk can decide about it. Throws `cancelled`.
 */
export async function derivePaths<K extends keyof DerivedTables>(
  context: DeriveContext,
  derivation: Derivation<K>,
  knownRows: ReadonlyMap<string, DerivedTables[K]>,
  paths: readonly string[],
  limits: RefreshLimits,
  report: Report,
  signal: AbortSignal,
): Promise<DerivedFiles<K> | null> {
  const suspects: SuspectFile[] = [];
  const vanishedPaths: string[] = [];
  for (const path of new Set(paths)) {
    if (!knownRows.has(path)) return null;
    const stat = await context.files.stat(path);
    if (!stat) vanishedPaths.push(path);
    else if (stat.kind !== 'file' || stat.size > limits.maxBytes) return null;
    else suspects.push({ path, stat });
  }
  return deriveSuspects(context, derivation, knownRows, suspects, vanishedPaths, report, signal);
}

/**
 * Processes the suspects and removes the rows of vanished files. A version of a file that was processed earlier gets
 * its row back from the shelf of replaced rows, without another run of the job.
 */
async function deriveSuspects<K extends keyof DerivedTables>(
  context: DeriveContext,
  { kind, job, stage, only, createFallback }: Derivation<K>,
  earlierRows: ReadonlyMap<string, DerivedTables[K]>,
  suspects: readonly SuspectFile[],
  vanished: readonly string[],
  report: Report,
  signal: AbortSignal,
): Promise<DerivedFiles<K>> {
  const { catalogue } = context;
  const rows = new Map(earlierRows);
  const skipped: SkippedPath[] = [];
  const changedPaths = new Set(vanished);
  let processedCount = 0;
  let doneCount = 0;
  const storeRows = async (newRows: readonly DerivedTables[K][]): Promise<void> => {
    if (newRows.length > 0) await catalogue.putDerived(kind, newRows, []);
    for (const row of newRows) rows.set(row.path, row);
  };
  const bytes = suspects.reduce((sum, { stat }) => sum + stat.size, 0);
  const inFlight = createConcurrencyLimit(bytes < MIN_BYTES_FOR_THREADS ? 1 : MAX_IN_FLIGHT);
  for await (const batch of readChangedFiles(suspects, context, earlierRows, () => true, skipped, signal)) {
    await storeRows(batch.unchangedRecords);
    await inFlight.add(async () => {
      const shelvedRows: DerivedTables[K][] = [];
      const filesToProcess: LoadedFile[] = [];
      for (const file of batch.files) {
        const row = await catalogue.shelvedDerived(kind, file.path, file.hash);
        if (row) shelvedRows.push({ ...row, size: file.size, mtimeMs: file.mtimeMs });
        else filesToProcess.push(file);
      }
      const output = (await runBatchJob(
        context,
        job as 'analyse' | 'relate',
        only ? filesToProcess.map((file) => ({ ...file, only })) : filesToProcess,
        createFallback as never,
        signal,
      )) as readonly DerivedTables[K][];
      throwIfCancelled(signal);
      await storeRows([...shelvedRows, ...output]);
      for (const { path } of batch.files) changedPaths.add(path);
      processedCount += output.length;
      doneCount += batch.examined;
      const total = suspects.length;
      report({
        stage,
        done: doneCount,
        total,
        message: `${groupThousands(doneCount)} of ${groupThousands(total)} files`,
      });
    });
  }
  await inFlight.waitForAll();
  throwIfCancelled(signal);
  if (vanished.length > 0) await catalogue.putDerived(kind, [], vanished);
  for (const path of vanished) rows.delete(path);
  for (const { path, trouble } of rows.values() as Iterable<{
    readonly path: string;
    readonly trouble?: SkippedPath['reason'] | null;
  }>)
    if (trouble) skipped.push({ path, reason: trouble });
  return {
    rows: new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1))),
    changedPaths: [...changedPaths].sort(),
    made: processedCount,
    skipped,
  };
}
