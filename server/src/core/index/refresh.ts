// Brings the index up to date with the working tree: only what changed is read, only new chunks are embedded.

import type { Skipped } from '../model.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { yieldNow } from '../../util/yieldNow.ts';
import { changedFiles, isCurrent, type Suspect } from './changedFiles.ts';
import type { Inspected, ReadFile } from './inspect.ts';
import { inspectBatch } from './inspectBatch.ts';
import { createInFlight } from './inFlight.ts';
import type { SearchedFile } from './search/searcher.ts';
import { searchedFiles } from './searchedFiles.ts';
import { storeInspected } from './storeInspected.ts';
import type { Report } from '../operation.ts';
import type { Clock, Log } from '../ports/system.ts';
import type { Files } from '../ports/files.ts';
import type { Catalogue, FileRecord } from '../ports/catalogue.ts';
import type { ChunkStore, Embedder } from '../ports/search.ts';
import type { IndexJobs } from './jobs.ts';
import type { JobRunner } from '../ports/jobs.ts';

export interface RefreshContext {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly jobs: JobRunner<IndexJobs>;
  readonly log: Log;
  readonly clock: Clock;
  /** Chunks; WRITTEN_AT_ONCE without it. */
  readonly writtenAtOnce?: number;
  /**
   * Told once, before anything is read, of the files whose content is not known, when they are many: they can be
   * searched as they are on disk.
   */
  readonly onUnseen?: (paths: readonly string[]) => void;
  /**
   * Told of files as they can be searched, by windows of lines or by whole definitions. The last word on a path holds.
   */
  readonly onSearchable?: (files: readonly SearchedFile[], provisional: boolean) => void;
}

export interface RefreshLimits {
  /** Larger files are left out. */
  readonly maxBytes: number;
  /** Ignore patterns beyond the repository's own. */
  readonly exclude: readonly string[];
}

export interface Refreshed {
  /** Every file that can be searched, sorted by path. */
  readonly records: readonly FileRecord[];
  readonly embedded: number;
  /** Chunks that were there already. */
  readonly reused: number;
  readonly skipped: Skipped[];
  /** Added, changed and vanished files, sorted. */
  readonly changedPaths: string[];
  /**
   * When everything could be searched, by the clock of the context; earlier than the end where files are searched as
   * they are meanwhile.
   */
  readonly searchableAt: number;
}

/** Batches being inspected at once; the jobs queue what is beyond their threads. */
const IN_FLIGHT = 4;
/**
 * Bytes to be inspected below which a second thread costs more than it saves: each loads its own grammars and warms up,
 * while the files can be searched as they stand.
 */
const WORTH_A_THREAD = 8 * 1024 * 1024;
/** So many changed files can be searched as they are meanwhile: parsing them takes a while. */
const SCANNED_FROM = 64;
/**
 * Number of chunks: what a kill may cost at most. A write of the store costs nearly the same for few chunks as for
 * many, and many small ones have to be compacted.
 */
export const WRITTEN_AT_ONCE = 2_500;
/** Files; small ones hold a chunk each, and who waits wants to see the count rise. */
const FILES_WRITTEN_AT_ONCE = 512;
/** Files that are told of before waiting requests get their turn. */
const TOLD_AT_ONCE = 64;
/** After this many new or removed chunks the store is worth compacting at once; smaller changes wait for idle time. */
const COMPACT_AFTER = 500;
/** Files of these kinds are known, so that they are not read again, but they are not searched. */
export const notText: ReadonlySet<FileRecord['trouble']> = new Set<FileRecord['trouble']>(['binary', 'not utf-8']);

/**
 * Order of writes: chunks first, then the record that names them, then what is no longer named is removed. A kill at
 * any
 * point leaves at worst chunks without a record, which the next run uses or removes. Throws `cancelled` between
 * batches.
 */
export async function refreshIndex(
  context: RefreshContext,
  limits: RefreshLimits,
  report: Report,
  signal: AbortSignal,
): Promise<Refreshed> {
  const { files, catalogue, chunks, log, clock, writtenAtOnce = WRITTEN_AT_ONCE } = context;
  throwIfCancelled(signal);
  report({ stage: 'walking', done: 0, total: null, message: 'Looking for files' });
  const walked = await files.walk(limits, signal);
  const known = new Map((await catalogue.all()).map((record) => [record.path, record]));
  const statOf = new Map(walked.files.map(({ path, stat }) => [path, stat]));
  const vanished = [...known.keys()].filter((path) => !statOf.has(path));
  if (vanished.length === 0 && walked.files.every(({ path, stat }) => isCurrent(known.get(path), stat))) {
    const reused = await settledChunks(context);
    if (reused !== null)
      return { ...ofRecords(known, walked.skipped), embedded: 0, reused, changedPaths: [], searchableAt: clock.now() };
  }
  const skipped = [...walked.skipped];
  const changed = new Set(vanished);
  let embedded = 0;
  const unseen = walked.files.filter(({ path, stat }) => !isCurrent(known.get(path), stat));
  report({
    stage: 'walking',
    done: 0,
    total: walked.files.length,
    message: `${walked.files.length} files, ${unseen.length} to look at`,
  });
  // Before anything is asked of the store, which takes longer to load and open than the walk took.
  if (unseen.length >= SCANNED_FROM) context.onUnseen?.(unseen.map(({ path }) => path));
  const searchableAt = clock.now();

  await catalogue.settle(null);
  const stored = new Set(await chunks.ids());
  // After a loss in the store a file asks for another look.
  const isStored = (record: FileRecord): boolean => record.chunks.every(({ id }) => stored.has(id));
  const suspects: readonly Suspect[] = walked.files.filter(
    ({ path, stat }) => !isCurrent(known.get(path), stat) || !isStored(known.get(path)!),
  );
  // What an earlier run has done counts: one that was paused or killed goes on counting where it was.
  const current = walked.files.length - suspects.length;
  let done = 0;
  const count = (): void =>
    report({
      stage: 'indexing',
      done: current + done,
      total: walked.files.length,
      message: `${current + done} of ${walked.files.length} files`,
    });
  if (suspects.length >= SCANNED_FROM) count();
  /** Files that were looked at and wait to be written with others. */
  let unwritten = 0;
  /** Takes in what needs no inspection; answers the rest. */
  const settle = async (touched: readonly FileRecord[], batch: readonly ReadFile[]): Promise<readonly ReadFile[]> => {
    const shelved = await fromShelf(context, batch, stored);
    const settled = [...touched, ...shelved];
    if (settled.length > 0) await catalogue.put(settled);
    for (const record of settled) known.set(record.path, record);
    for (const { path } of shelved) changed.add(path);
    if (shelved.length > 0) context.onSearchable?.(await searchedFiles(chunks, shelved), false);
    const back = new Set(shelved.map(({ path }) => path));
    return batch.filter(({ path }) => !back.has(path));
  };

  let commits: Promise<void> = Promise.resolve();
  let waiting: Inspected[] = [];
  const commit = async (added: readonly Inspected[], least: number, looked: number): Promise<void> => {
    throwIfCancelled(signal);
    waiting.push(...added);
    unwritten += looked;
    if (
      waiting.length < Math.min(FILES_WRITTEN_AT_ONCE, least) &&
      waiting.reduce((sum, file) => sum + file.chunks.length, 0) < least
    )
      return;
    const inspected = waiting;
    waiting = [];
    const written = await storeInspected(context, inspected, stored, signal);
    embedded += written.embedded;
    for (const { record } of inspected) {
      known.set(record.path, record);
      changed.add(record.path);
    }
    const searchable = written.files.filter(({ record }) => !notText.has(record.trouble));
    for (let from = 0; from < searchable.length; from += TOLD_AT_ONCE) {
      context.onSearchable?.(searchable.slice(from, from + TOLD_AT_ONCE), false);
      await yieldNow();
    }
    // Counted is what is stored: a run that is paused or killed goes on counting from there, and the count never goes
    // back.
    done += unwritten;
    unwritten = 0;
    count();
  };
  const inspections = createInFlight(IN_FLIGHT);
  const few = suspects.reduce((sum, { stat }) => sum + stat.size, 0) < WORTH_A_THREAD;
  let before: Promise<unknown> = Promise.resolve();
  /** Few files are inspected batch by batch, on one thread; the next ones are read meanwhile. */
  const inspect = (fresh: readonly ReadFile[]): Promise<readonly Inspected[]> => {
    const inspected = few
      ? before.then(() => inspectBatch(context, fresh, signal))
      : inspectBatch(context, fresh, signal);
    // Whoever awaits it sees its error.
    before = inspected.catch(() => undefined);
    return inspected;
  };
  try {
    for await (const batch of changedFiles(suspects, context, known, isStored, skipped, signal)) {
      const fresh = await settle(batch.touched, batch.files);
      await inspections.add(async () => {
        const inspected = inspect(fresh);
        // In the order of the walk, whichever is ready first: the same tree gives the same index.
        const turn = commits.then(async () => commit(await inspected, writtenAtOnce, batch.looked));
        commits = turn;
        await turn;
      });
    }
    await inspections.settled();
  } catch (error) {
    // Who called gives the lock back then: nothing may be written after that.
    await inspections.ended();
    throw error;
  }
  if (unwritten > 0) await commit([], 0, 0);
  report({ stage: 'storing', done: 0, total: null, message: 'Finishing the index' });

  throwIfCancelled(signal);
  await catalogue.remove(vanished);
  for (const path of vanished) known.delete(path);
  const removed = await removeOrphans(context, [...known.values()], stored);
  // A run without news has the time to take away what the run before it left; it costs a few milliseconds.
  if (embedded + removed >= COMPACT_AFTER || embedded + removed === 0)
    await chunks.optimise({ thoroughly: embedded + removed >= COMPACT_AFTER });
  log.write('debug', `Index: ${known.size} files, ${embedded} chunks embedded, ${removed} removed.`);

  const named = [...known.values()].reduce((sum, record) => sum + record.chunks.length, 0);
  const revision = await chunks.revision();
  if (revision !== null) await catalogue.settle(JSON.stringify({ revision, named } satisfies Settled));
  return {
    ...ofRecords(known, skipped),
    embedded,
    reused: Math.max(0, named - embedded),
    changedPaths: [...changed].sort(),
    searchableAt: suspects.length === 0 || context.onUnseen ? searchableAt : clock.now(),
  };
}

/**
 * How a refresh left the store: its revision, and how many chunks the records name, all of them stored and none beside
 * them.
 */
interface Settled {
  readonly revision: string;
  readonly named: number;
}

/**
 * The number of chunks where the store is as the last refresh that came to its end left it, without a look into it;
 * else null.
 */
async function settledChunks({ catalogue, chunks }: RefreshContext): Promise<number | null> {
  const mark = await catalogue.settled();
  if (mark === null) return null;
  const { revision, named } = JSON.parse(mark) as Settled;
  return (await chunks.revision()) === revision ? named : null;
}

function ofRecords(
  known: ReadonlyMap<string, FileRecord>,
  otherSkipped: readonly Skipped[],
): Pick<Refreshed, 'records' | 'skipped'> {
  const records = [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const skipped = [...otherSkipped];
  for (const { path, trouble } of records) if (trouble) skipped.push({ path, reason: trouble });
  return {
    records: records.filter(({ trouble }) => !notText.has(trouble)),
    skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
  };
}

/** Records of the same content that were replaced earlier and whose chunks are all still stored. */
async function fromShelf(
  { catalogue }: RefreshContext,
  files: readonly ReadFile[],
  stored: ReadonlySet<string>,
): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for (const { path, hash, size, mtimeMs } of files) {
    const record = await catalogue.shelved(path, hash);
    if (record?.chunks.every(({ id }) => stored.has(id))) found.push({ ...record, size, mtimeMs });
  }
  return found;
}

/**
 * Removes chunks that neither a record nor the shelf names. In a shared store they may be another machine's. Returns
 * how many.
 */
async function removeOrphans(
  { catalogue, chunks }: RefreshContext,
  records: readonly FileRecord[],
  stored: Set<string>,
): Promise<number> {
  const named = await catalogue.trimShelf();
  if (chunks.shared) return 0;
  const live = new Set(records.flatMap((record) => record.chunks.map(({ id }) => id)));
  const orphans = [...stored].filter((id) => !live.has(id) && !named.has(id));
  if (orphans.length > 0) await chunks.remove(orphans);
  return orphans.length;
}
