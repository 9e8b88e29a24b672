// Reads files that may have changed, and separates changed content from files with only a new modification time.

import type { SkippedPath } from '../model.ts';
import { sha256 } from '../../util/hash.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import type { LoadedFile } from './inspect.ts';
import type { Log } from '../ports/system.ts';
import type { Files, FileStat } from '../ports/files.ts';
import type { DerivedData } from '../ports/catalogue.ts';

/** A file that may have changed, with its current size and modification time. */
export interface SuspectFile {
  readonly path: string;
  readonly stat: FileStat;
}

/** Files that were read together. */
export interface Batch<R> {
  /** Changed files with their bytes. */
  readonly files: readonly LoadedFile[];
  /** Records of files whose content is the same; only their size and modification time are updated. */
  readonly unchangedRecords: readonly R[];
  /** Number of files examined, including unchanged and deleted ones. */
  readonly examined: number;
}

/** A batch is yielded when it has this many changed files or this many unchanged records. */
const MAX_BATCH_FILES = 64;
/** A batch is yielded when its changed files have this many bytes. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
/** Number of files that are read at the same time. */
const MAX_PARALLEL_READS = 16;

/** True if a file has the same size and modification time as when its record was made. */
export function isCurrent(record: DerivedData | undefined, stat: FileStat): record is DerivedData {
  return record !== undefined && record.size === stat.size && record.mtimeMs === stat.mtimeMs;
}

/**
 * Yields batches of bounded size, in the order of `suspects`. `knownRecords`: the records by path. `isUsable` decides
 * whether an existing record of the same content is good enough. Unreadable files are added to `skipped`. Throws
 * `cancelled`.
 */
export async function* readChangedFiles<R extends DerivedData>(
  suspects: readonly SuspectFile[],
  { files, log }: { readonly files: Files; readonly log: Log },
  knownRecords: ReadonlyMap<string, R>,
  isUsable: (record: R) => boolean,
  skipped: SkippedPath[],
  signal: AbortSignal,
): AsyncGenerator<Batch<R>> {
  let batch: LoadedFile[] = [];
  let unchangedRecords: R[] = [];
  let bytesInBatch = 0;
  let examined = 0;
  for await (const { path, stat, bytes } of readAhead(
    suspects,
    (path) => readOrSkip(files, path, skipped, log),
    signal,
  )) {
    examined++;
    if (bytes) {
      const file = { path, bytes, size: stat.size, mtimeMs: stat.mtimeMs, hash: sha256(bytes) };
      const record = knownRecords.get(path);
      if (record?.hash === file.hash && isUsable(record)) {
        unchangedRecords.push({ ...record, size: stat.size, mtimeMs: stat.mtimeMs });
      } else {
        batch.push(file);
        bytesInBatch += bytes.byteLength;
      }
    }
    if (
      batch.length >= MAX_BATCH_FILES ||
      bytesInBatch >= MAX_BATCH_BYTES ||
      unchangedRecords.length >= MAX_BATCH_FILES
    ) {
      yield { files: batch, unchangedRecords: unchangedRecords, examined };
      [batch, unchangedRecords, bytesInBatch, examined] = [[], [], 0, 0];
    }
  }
  if (examined > 0) yield { files: batch, unchangedRecords: unchangedRecords, examined };
}

/**
 * Yields the files in order with their bytes (null if a file cannot be read). Several files are read at once, because a
 * disk serves several reads in the time of one.
 */
async function* readAhead(
  suspects: readonly SuspectFile[],
  read: (path: string) => Promise<Uint8Array | null>,
  signal: AbortSignal,
): AsyncGenerator<SuspectFile & { readonly bytes: Uint8Array | null }> {
  for (let offset = 0; offset < suspects.length; offset += MAX_PARALLEL_READS) {
    throwIfCancelled(signal);
    const slice = suspects.slice(offset, offset + MAX_PARALLEL_READS);
    const bytes = await Promise.all(slice.map(({ path }) => read(path)));
    for (const [index, suspect] of slice.entries()) yield { ...suspect, bytes: bytes[index]! };
  }
}

/**
 * The bytes of a file. Null if it was deleted after the walk (the next run notices that) or cannot be read (added to
 * `skipped`).
 */
async function readOrSkip(files: Files, path: string, skipped: SkippedPath[], log: Log): Promise<Uint8Array | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    log.write('warn', `${path} cannot be read.`, error);
    skipped.push({ path, reason: 'unreadable' });
    return null;
  }
}
