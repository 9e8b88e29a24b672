// Brings the index up to date with the working tree: only what changed is read, only new chunks are embedded.

import type { Skipped } from '../model.ts';
import type { Catalogue, ChunkStore, Embedder, FileRecord, Jobs } from '../indexPorts.ts';
import type { Clock, Files, Log } from '../ports.ts';
import type { Report } from '../session.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { changedFiles, isCurrent, type Suspect } from './changedFiles.ts';
import type { Inspected, ReadFile } from './inspect.ts';
import { inspectBatch } from './inspectBatch.ts';
import { createInFlight } from './inFlight.ts';
import type { SearchedFile } from './search/searcher.ts';
import { searchedFiles } from './searchedFiles.ts';
import { storeInspected } from './storeInspected.ts';

export interface RefreshContext {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly clock: Clock;
  /** Told of files as they can be searched: windows of lines first, then whole definitions. The last word on a path holds. */
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
  /** When everything could be searched, by the clock of the context; earlier than the end when windows came first. */
  readonly searchableAt: number;
}

/** Batches being inspected at once; the jobs queue what is beyond their threads. */
const IN_FLIGHT = 4;
/** So many changed files are first made searchable as windows of lines: parsing them takes a while. */
const WINDOWS_FROM = 64;
const WINDOWS_BATCH = 64;
/** After this many new or removed chunks the store is worth compacting at once; smaller changes wait for idle time. */
const COMPACT_AFTER = 500;
/** Files of these kinds are known, so that they are not read again, but they are not searched. */
export const notText: ReadonlySet<FileRecord['trouble']> = new Set<FileRecord['trouble']>(['binary', 'not utf-8']);

/**
 * Order of writes: chunks first, then the record that names them, then what is no longer named is removed. A kill at any
 * point leaves at worst chunks without a record, which the next run uses or removes. Throws `cancelled` between batches.
 */
export async function refreshIndex(context: RefreshContext, limits: RefreshLimits, report: Report, signal: AbortSignal): Promise<Refreshed> {
  const { files, catalogue, chunks, log, clock } = context;
  throwIfCancelled(signal);
  report({ stage: 'walking', done: 0, total: null, message: 'Looking for files' });
  const walked = await files.walk(limits, signal);
  const known = new Map((await catalogue.all()).map((record) => [record.path, record]));
  const stored = new Set(await chunks.ids());
  // After a loss in the store a file asks for another look.
  const isStored = (record: FileRecord): boolean => record.chunks.every(({ id }) => stored.has(id));
  const statOf = new Map(walked.files.map(({ path, stat }) => [path, stat]));
  const vanished = [...known.keys()].filter((path) => !statOf.has(path));
  const suspects: readonly Suspect[] = walked.files.filter(({ path, stat }) => !isCurrent(known.get(path), stat) || !isStored(known.get(path)!));
  report({ stage: 'walking', done: walked.files.length, total: walked.files.length, message: `${walked.files.length} files, ${suspects.length} to look at` });

  const skipped = [...walked.skipped];
  const changed = new Set(vanished);
  let embedded = 0;
  let done = 0;
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

  if (suspects.length >= WINDOWS_FROM && context.onSearchable) {
    const windows = createInFlight(IN_FLIGHT);
    for (let at = 0; at < suspects.length; at += WINDOWS_BATCH) {
      throwIfCancelled(signal);
      const batch = suspects.slice(at, at + WINDOWS_BATCH).map(({ path, stat: { size, mtimeMs } }) => ({ path, size, mtimeMs }));
      await windows.add(async () => {
        const found = await context.jobs.run('windows', { rootDir: files.rootDir, files: batch }, signal);
        // What was only touched is known better already.
        context.onSearchable!(found.filter(({ record: { path, hash } }) => known.get(path)?.hash !== hash), true);
        done += batch.length;
        // Without a total: a bar that is full here would go back when the same files are inspected.
        report({ stage: 'reading', done, total: null, message: `${done} of ${suspects.length} files can be searched` });
      });
    }
    await windows.settled();
    done = 0;
  }
  const searchableAt = clock.now();

  let commits: Promise<void> = Promise.resolve();
  const commit = async (inspected: readonly Inspected[]): Promise<void> => {
    throwIfCancelled(signal);
    const written = await storeInspected(context, inspected, stored, signal);
    embedded += written.embedded;
    for (const { record } of inspected) {
      known.set(record.path, record);
      changed.add(record.path);
    }
    context.onSearchable?.(written.files.filter(({ record }) => !notText.has(record.trouble)), false);
  };
  const inspections = createInFlight(IN_FLIGHT);
  for await (const batch of changedFiles(suspects, context, known, isStored, skipped, signal)) {
    const fresh = await settle(batch.touched, batch.files);
    await inspections.add(async () => {
      const inspected = await inspectBatch(context, fresh, signal);
      // One after the other, in whatever order they are ready.
      commits = commits.then(() => commit(inspected));
      await commits;
      done += batch.looked;
      report({ stage: 'indexing', done, total: suspects.length, message: `${done} of ${suspects.length} files` });
    });
  }
  await inspections.settled();

  throwIfCancelled(signal);
  report({ stage: 'storing', done: 0, total: null, message: 'Removing what is gone' });
  await catalogue.remove(vanished);
  for (const path of vanished) known.delete(path);
  const removed = await removeOrphans(context, [...known.values()], stored);
  // A run without news has the time to take away what the run before it left; it costs a few milliseconds.
  if (embedded + removed >= COMPACT_AFTER || embedded + removed === 0) await chunks.optimise();
  log.write('debug', `Index: ${known.size} files, ${embedded} chunks embedded, ${removed} removed.`);

  const records = [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, trouble } of records) if (trouble) skipped.push({ path, reason: trouble });
  const named = records.reduce((sum, record) => sum + record.chunks.length, 0);
  return {
    records: records.filter(({ trouble }) => !notText.has(trouble)),
    embedded,
    reused: Math.max(0, named - embedded),
    skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    changedPaths: [...changed].sort(),
    searchableAt: suspects.length === 0 || context.onSearchable ? searchableAt : clock.now(),
  };
}

/** Records of the same content that were replaced earlier and whose chunks are all still stored. */
async function fromShelf({ catalogue }: RefreshContext, files: readonly ReadFile[], stored: ReadonlySet<string>): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for (const { path, hash, size, mtimeMs } of files) {
    const record = await catalogue.shelved(path, hash);
    if (record?.chunks.every(({ id }) => stored.has(id))) found.push({ ...record, size, mtimeMs });
  }
  return found;
}

/** Removes chunks that neither a record nor the shelf names. In a shared store they may be another machine's. Returns how many. */
async function removeOrphans({ catalogue, chunks }: RefreshContext, records: readonly FileRecord[], stored: Set<string>): Promise<number> {
  const named = await catalogue.trimShelf();
  if (chunks.shared) return 0;
  const live = new Set(records.flatMap((record) => record.chunks.map(({ id }) => id)));
  const orphans = [...stored].filter((id) => !live.has(id) && !named.has(id));
  if (orphans.length > 0) await chunks.remove(orphans);
  return orphans.length;
}
