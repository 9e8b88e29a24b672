// Brings the index up to date with the working tree: reads the files that may have changed or whose chunks the store
// has lost, and embeds the chunks that the store does not have.

import type { SkippedPath } from '../model.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { readChangedFiles, isCurrent, type Batch, type SuspectFile } from './changedFiles.ts';
import type { IndexedFileResult, LoadedFile } from './inspect.ts';
import { inspectBatch } from './inspectBatch.ts';
import { createConcurrencyLimit } from './concurrencyLimit.ts';
import { createIndexWriter, type IndexWriter } from './indexWriter.ts';
import { UNSEARCHABLE_PROBLEMS, type RefreshContext, type RefreshLimits } from './refreshContext.ts';
import type { Report } from '../operation.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The result of a refresh. */
export interface RefreshResult {
  /** Every file that can be searched, sorted by path. */
  readonly records: readonly FileRecord[];
  /** Number of chunks that were embedded. */
  readonly embedded: number;
  /** Number of chunks that the store had already. */
  readonly reused: number;
  readonly skipped: SkippedPath[];
  /** Added, changed and deleted files, sorted. */
  readonly changedPaths: string[];
  /**
   * The time at which everything could be searched, by the clock of the context. Earlier than the end if there was
   * nothing to read, or if so many files had to be read that they were searched as plain text meanwhile.
   */
  readonly searchableAt: number;
}

/** Maximum number of batches in inspection; the jobs queue those that exceed their threads. */
const MAX_IN_FLIGHT = 4;
/**
 * Minimum number of bytes to read for a second thread. Below it, the thread is not worth its cost: each thread loads
 * and warms up its own grammars, and meanwhile the files can be searched as plain text.
 */
const MIN_BYTES_FOR_THREADS = 8 * 1024 * 1024;
/** Minimum number of changed files that are searched as plain text until they are parsed. */
const MIN_SCANNED_FILES = 64;
/**
 * Minimum number of new or removed chunks after which the store is compacted immediately. After smaller changes,
 * compacting waits for idle time.
 */
const MIN_COMPACTED_CHANGES = 500;

/**
 * Updates the index. Writes chunks first, then the records that refer to them; at the end, removes chunks to which no
 * record refers. After a kill at any point, there are at worst chunks without a record, which the next run uses or
 * removes. Throws `cancelled` between batches.
 */
export async function refreshIndex(
  context: RefreshContext,
  limits: RefreshLimits,
  report: Report,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { files, catalogue, chunks, clock } = context;
  throwIfCancelled(signal);
  report({ stage: 'walking', done: 0, total: null, message: 'Looking for files' });
  const walked = await files.walk(limits, signal);
  const storedRecords = new Map((await catalogue.all()).map((record) => [record.path, record]));
  const statByPath = new Map(walked.files.map(({ path, stat }) => [path, stat]));
  const vanishedPaths = [...storedRecords.keys()].filter((path) => !statByPath.has(path));
  if (vanishedPaths.length === 0 && walked.files.every(({ path, stat }) => isCurrent(storedRecords.get(path), stat))) {
    const reused = await countSettledChunks(context);
    if (reused !== null)
      return {
        ...splitRecords(storedRecords, walked.skipped),
        embedded: 0,
        reused,
        changedPaths: [],
        searchableAt: clock.now(),
      };
  }
  const unindexedFiles = walked.files.filter(({ path, stat }) => !isCurrent(storedRecords.get(path), stat));
  report({
    stage: 'walking',
    done: 0,
    total: walked.files.length,
    message: `${formatCount(walked.files.length, 'file')}, ${groupThousands(unindexedFiles.length)} to look at`,
  });
  // The callback comes before the first access to the store, because loading and opening the store takes longer than
  // the walk. Meanwhile, the files can be searched as plain text.
  const isScanNeeded = unindexedFiles.length >= MIN_SCANNED_FILES && context.onUnindexed !== undefined;
  if (isScanNeeded) context.onUnindexed!(unindexedFiles.map(({ path }) => path));
  const searchableAt = clock.now();

  await catalogue.settle(null);
  const storedIds = new Set(await chunks.ids());
  // If the store lost a chunk, its file is inspected again.
  const isStored = (record: FileRecord): boolean => record.chunks.every(({ id }) => storedIds.has(id));
  const suspects: readonly SuspectFile[] = walked.files.filter(
    ({ path, stat }) => !isCurrent(storedRecords.get(path), stat) || !isStored(storedRecords.get(path)!),
  );
  // The count includes the work of an earlier run: a run that was paused or killed continues it.
  const currentCount = walked.files.length - suspects.length;
  const reportProgress = (doneCount: number): void =>
    report({
      stage: 'indexing',
      done: currentCount + doneCount,
      total: walked.files.length,
      message: `${groupThousands(currentCount + doneCount)} of ${groupThousands(walked.files.length)} files`,
    });
  if (suspects.length >= MIN_SCANNED_FILES) reportProgress(0);
  const skipped = [...walked.skipped];
  const writer = createIndexWriter(
    context,
    { knownRecords: storedRecords, storedIds: storedIds },
    reportProgress,
    signal,
  );
  const batches = readChangedFiles(suspects, context, storedRecords, isStored, skipped, signal);
  await inspectAll(batches, createInspector(context, suspects, signal), writer);
  report({ stage: 'storing', done: 0, total: null, message: 'Finishing the index' });

  throwIfCancelled(signal);
  await catalogue.remove(vanishedPaths);
  for (const path of vanishedPaths) storedRecords.delete(path);
  const { embedded, changed } = writer.summary();
  const namedCount = await tidyStore(context, [...storedRecords.values()], storedIds, embedded);
  return {
    ...splitRecords(storedRecords, skipped),
    embedded,
    reused: Math.max(0, namedCount - embedded),
    changedPaths: [...new Set([...vanishedPaths, ...changed])].sort(),
    searchableAt: suspects.length === 0 || isScanNeeded ? searchableAt : clock.now(),
  };
}

/** Inspects one batch of files. Resolves to one result per file. */
type Inspect = (files: readonly LoadedFile[]) => Promise<readonly IndexedFileResult[]>;

/**
 * Returns a function that inspects batches. If there is much to read, batches are inspected concurrently; otherwise one
 * after the other, so that one thread suffices while the next batch is read.
 */
function createInspector(context: RefreshContext, suspects: readonly SuspectFile[], signal: AbortSignal): Inspect {
  const isOneThreadEnough = suspects.reduce((sum, { stat }) => sum + stat.size, 0) < MIN_BYTES_FOR_THREADS;
  let previous: Promise<unknown> = Promise.resolve();
  return (files) => {
    const inspection = isOneThreadEnough
      ? previous.then(() => inspectBatch(context, files, signal))
      : inspectBatch(context, files, signal);
    // The caller that awaits this batch sees its error.
    previous = inspection.catch(() => undefined);
    return inspection;
  };
}

/**
 * Inspects several batches at once and writes them in the order of the walk, so that the same tree gives the same
 * index.
 */
async function inspectAll(
  batches: AsyncIterable<Batch<FileRecord>>,
  inspect: Inspect,
  writer: IndexWriter,
): Promise<void> {
  const inspections = createConcurrencyLimit(MAX_IN_FLIGHT);
  let commits: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      const filesToInspect = await writer.acceptKnown(batch.unchangedRecords, batch.files);
      await inspections.add(async () => {
        const inspection = inspect(filesToInspect);
        const commit = commits.then(async () => writer.add(await inspection, batch.examined));
        commits = commit;
        await commit;
      });
    }
    await inspections.waitForAll();
  } catch (error) {
    // The caller releases the lock next, so no write may come after this.
    await inspections.waitUntilIdle();
    throw error;
  }
  await writer.flush();
}

/**
 * Removes chunks to which nothing refers, compacts the store after many changes or after none, and records its state.
 * Returns the number of chunks to which the records refer.
 */
async function tidyStore(
  context: RefreshContext,
  records: readonly FileRecord[],
  storedIds: Set<string>,
  embedded: number,
): Promise<number> {
  const { catalogue, chunks, log } = context;
  const removedCount = await removeOrphans(context, records, storedIds);
  // A run without changes has time to remove the chunks that the run before it left; this costs a few milliseconds.
  if (embedded + removedCount >= MIN_COMPACTED_CHANGES || embedded + removedCount === 0)
    await chunks.optimise({ thoroughly: embedded + removedCount >= MIN_COMPACTED_CHANGES });
  log.write('debug', `Index: ${records.length} files, ${embedded} chunks embedded, ${removedCount} removed.`);
  const namedCount = records.reduce((sum, record) => sum + record.chunks.length, 0);
  const revision = await chunks.revision();
  if (revision !== null) await catalogue.settle(JSON.stringify({ revision, named: namedCount } satisfies StoreMark));
  return namedCount;
}

/**
 * The state of the store after a refresh: its revision, and the number of chunks to which the records refer. The store
 * may contain more: chunks of the shelf and, if it is shared, of other machines.
 */
interface StoreMark {
  readonly revision: string;
  readonly named: number;
}

/**
 * The number of chunks to which the records refer, if the revision of the store is that of the last finished refresh;
 * otherwise null.
 */
async function countSettledChunks({ catalogue, chunks }: RefreshContext): Promise<number | null> {
  const mark = await catalogue.settled();
  if (mark === null) return null;
  const { revision, named } = JSON.parse(mark) as StoreMark;
  return (await chunks.revision()) === revision ? named : null;
}

/** The records of searchable files, sorted by path, and the skipped files including those that are not text. */
function splitRecords(
  storedRecords: ReadonlyMap<string, FileRecord>,
  otherSkipped: readonly SkippedPath[],
): Pick<RefreshResult, 'records' | 'skipped'> {
  const records = [...storedRecords.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const skipped = [...otherSkipped];
  for (const { path, trouble } of records) if (trouble) skipped.push({ path, reason: trouble });
  return {
    records: records.filter(({ trouble }) => !UNSEARCHABLE_PROBLEMS.has(trouble)),
    skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
  };
}

/**
 * Removes chunks to which neither a record nor the shelf refers. In a shared store, they may belong to another machine
 * and stay. Returns the number of removed chunks.
 */
async function removeOrphans(
  { catalogue, chunks }: RefreshContext,
  records: readonly FileRecord[],
  storedIds: Set<string>,
): Promise<number> {
  const shelfChunks = await catalogue.trimShelf();
  if (chunks.shared) return 0;
  const liveIds = new Set(records.flatMap((record) => record.chunks.map(({ id }) => id)));
  const orphans = [...storedIds].filter((id) => !liveIds.has(id) && !shelfChunks.has(id));
  if (orphans.length > 0) await chunks.remove(orphans);
  return orphans.length;
}
