// Brings the index up to date with the working tree: only what changed is read, only new chunks are embedded.

import { createHash } from 'node:crypto';
import type { Chunk, Skipped } from '../model.ts';
import type { Catalogue, ChunkStore, Embedder, FileRecord, Jobs } from '../indexPorts.ts';
import type { Clock, Files, FileStat, Log } from '../ports.ts';
import type { Report } from '../session.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { Inspected, ReadFile } from './inspect.ts';
import { inspectBatch } from './inspectBatch.ts';

export interface RefreshContext {
  readonly files: Files;
  readonly catalogue: Catalogue;
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly clock: Clock;
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
}

const BATCH_FILES = 64;
const BATCH_BYTES = 2 * 1024 * 1024;
/** Batches being inspected at once; the jobs queue what is beyond their threads. */
const IN_FLIGHT = 4;
/** After this many new or removed chunks the store is worth compacting at once; smaller changes wait for idle time. */
const COMPACT_AFTER = 500;
/** Files of these kinds are known, so that they are not read again, but they are not searched. */
const notText = new Set<FileRecord['trouble']>(['binary', 'not utf-8']);

/**
 * Order of writes: chunks first, then the record that names them, then what is no longer named is removed. A kill at any
 * point leaves at worst chunks without a record, which the next run uses or removes. Throws `cancelled` between batches.
 */
export async function refreshIndex(context: RefreshContext, limits: RefreshLimits, report: Report, signal: AbortSignal): Promise<Refreshed> {
  const { files, catalogue, chunks, log } = context;
  throwIfCancelled(signal);
  report({ stage: 'walking', done: 0, total: null, message: 'Looking for files' });
  const walked = await files.walk(limits, signal);
  const known = new Map((await catalogue.all()).map((record) => [record.path, record]));
  const stored = new Set(await chunks.ids());
  const statOf = new Map(walked.files.map(({ path, stat }) => [path, stat]));
  const vanished = [...known.keys()].filter((path) => !statOf.has(path));
  const suspects = walked.files.filter(({ path, stat }) => !isCurrent(known.get(path), stat, stored));
  report({ stage: 'walking', done: walked.files.length, total: walked.files.length, message: `${walked.files.length} files, ${suspects.length} to look at` });

  const skipped = [...walked.skipped];
  const changed = new Set(vanished);
  let embedded = 0;
  let done = 0;
  const commit = async (inspected: readonly Inspected[]): Promise<void> => {
    throwIfCancelled(signal);
    embedded += await store(context, inspected, stored, signal);
    for (const { record } of inspected) {
      known.set(record.path, record);
      changed.add(record.path);
    }
  };

  let commits: Promise<void> = Promise.resolve();
  const inFlight = new Set<Promise<void>>();
  for await (const batch of batches(suspects, context, known, stored, skipped, signal)) {
    if (batch.touched.length > 0) await catalogue.put(batch.touched);
    for (const record of batch.touched) known.set(record.path, record);
    const work = inspectBatch(context, batch.files, signal).then((inspected) => {
      commits = commits.then(() => commit(inspected)).then(() => {
        done += batch.looked;
        report({ stage: 'indexing', done, total: suspects.length, message: `${done} of ${suspects.length} files` });
      });
      return commits;
    });
    inFlight.add(work);
    // Whoever awaits `work` below sees its error; this only keeps the set small.
    void work.then(() => inFlight.delete(work), () => undefined);
    if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);

  throwIfCancelled(signal);
  report({ stage: 'storing', done: 0, total: null, message: 'Removing what is gone' });
  await catalogue.remove(vanished);
  for (const path of vanished) known.delete(path);
  const named = new Set([...known.values()].flatMap((record) => record.chunks.map(({ id }) => id)));
  const orphans = [...stored].filter((id) => !named.has(id));
  if (orphans.length > 0) await chunks.remove(orphans);
  if (embedded + orphans.length >= COMPACT_AFTER) await chunks.optimise();
  log.write('debug', `Index: ${known.size} files, ${embedded} chunks embedded, ${orphans.length} removed.`);

  const records = [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, trouble } of records) if (trouble) skipped.push({ path, reason: trouble });
  return {
    records: records.filter(({ trouble }) => !notText.has(trouble)),
    embedded,
    reused: Math.max(0, named.size - embedded),
    skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    changedPaths: [...changed].sort(),
  };
}

/** A file is current when neither its stat nor, after a loss in the store, its chunks ask for another look. */
function isCurrent(record: FileRecord | undefined, stat: FileStat, stored: ReadonlySet<string>): boolean {
  return record !== undefined && record.size === stat.size && record.mtimeMs === stat.mtimeMs && record.chunks.every(({ id }) => stored.has(id));
}

interface Batch {
  /** Changed files with their bytes. */
  readonly files: readonly ReadFile[];
  /** Records whose stat alone is new. */
  readonly touched: readonly FileRecord[];
  /** Files looked at, those that turned out unchanged or gone included. */
  readonly looked: number;
}

async function* batches(
  suspects: readonly { readonly path: string; readonly stat: FileStat }[],
  { files, log }: RefreshContext,
  known: ReadonlyMap<string, FileRecord>,
  stored: ReadonlySet<string>,
  skipped: Skipped[],
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let batch: ReadFile[] = [];
  let touched: FileRecord[] = [];
  let bytesInBatch = 0;
  let looked = 0;
  for (const { path, stat } of suspects) {
    throwIfCancelled(signal);
    looked++;
    const bytes = await readOrSkip(files, path, skipped, log);
    if (bytes) {
      const file = { path, bytes, size: stat.size, mtimeMs: stat.mtimeMs, hash: createHash('sha256').update(bytes).digest('hex') };
      const record = known.get(path);
      if (record?.hash === file.hash && record.chunks.every(({ id }) => stored.has(id))) {
        touched.push({ ...record, size: stat.size, mtimeMs: stat.mtimeMs });
      } else {
        batch.push(file);
        bytesInBatch += bytes.byteLength;
      }
    }
    if (batch.length >= BATCH_FILES || bytesInBatch >= BATCH_BYTES || touched.length >= BATCH_FILES) {
      yield { files: batch, touched, looked };
      [batch, touched, bytesInBatch, looked] = [[], [], 0, 0];
    }
  }
  if (looked > 0) yield { files: batch, touched, looked };
}

/** Null for a file that is gone since the walk (the next run sees that) or cannot be read (which is said). */
async function readOrSkip(files: Files, path: string, skipped: Skipped[], log: Log): Promise<Uint8Array | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    log.write('warn', `${path} cannot be read.`, error);
    skipped.push({ path, reason: 'unreadable' });
    return null;
  }
}

/** Embeds and stores the new chunks of a batch, then its records. Returns how many were embedded. */
async function store({ chunks, catalogue, embedder }: RefreshContext, inspected: readonly Inspected[], stored: Set<string>, signal: AbortSignal): Promise<number> {
  const fresh = inspected.flatMap((file) => file.chunks).filter(({ id }) => !stored.has(id));
  if (fresh.length > 0) {
    const vectors = await embedder.embed(fresh.map(embeddedText), signal);
    await chunks.upsert(fresh.map((chunk, index) => ({ ...chunk, vector: vectors[index]! })));
    for (const { id } of fresh) stored.add(id);
  }
  await catalogue.put(inspected.map(({ record }) => record));
  return fresh.length;
}

/** What a chunk's vector is made of: its place says as much as its text. */
function embeddedText({ path, symbol, text }: Chunk): string {
  return `${path} ${symbol ?? ''}\n${text}`;
}
