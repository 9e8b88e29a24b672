// Writes inspected files to the store and the catalogue in large batches, and reports them as searchable.

import { throwIfCancelled } from '../../util/typedError.ts';
import { yieldNow } from '../../util/yieldNow.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import type { IndexedFileResult, LoadedFile } from './inspect.ts';
import { UNSEARCHABLE_PROBLEMS, type RefreshContext } from './refreshContext.ts';
import { loadSearchedFiles } from './searchedFiles.ts';
import { storeInspected } from './storeInspected.ts';

/**
 * Number of waiting chunks at which they are written. A killed process loses at most about this many. Small writes cost
 * nearly as much as large ones, and have to be compacted later.
 */
export const CHUNK_BATCH_SIZE = 2_500;
/**
 * Number of waiting files at which they are written. Small files have one chunk each, and a person who waits wants to
 * see the count rise.
 */
const FILE_BATCH_SIZE = 512;
/** Number of files that are reported before waiting requests get their turn. */
const REPORT_BATCH_SIZE = 64;

/** Writes the index of one run. */
export interface IndexWriter {
  /**
   * Accepts the files that need no inspection: the unchanged ones, and those of `files` of which a replaced record
   * still fits. Returns the others of `files`.
   */
  acceptKnown(unchangedRecords: readonly FileRecord[], files: readonly LoadedFile[]): Promise<readonly LoadedFile[]>;
  /**
   * Adds a batch, for which `examined` files were examined. It is written together with other batches when they are
   * large enough.
   */
  add(inspectedFiles: readonly IndexedFileResult[], examined: number): Promise<void>;
  /** Writes the batches that wait. */
  flush(): Promise<void>;
  /** The number of embedded chunks, and the paths of changed files, so far. */
  summary(): { readonly embedded: number; readonly changed: ReadonlySet<string> };
}

/**
 * Creates the writer. It updates `knownRecords` (by path) and `storedIds` (of chunks) with each write. `onProgress`
 * receives the number of files that are finished so far. `add` and `flush` throw `cancelled`.
 */
export function createIndexWriter(
  context: RefreshContext,
  { knownRecords, storedIds }: { readonly knownRecords: Map<string, FileRecord>; readonly storedIds: Set<string> },
  onProgress: (doneFiles: number) => void,
  signal: AbortSignal,
): IndexWriter {
  const { catalogue, chunks, writtenAtOnce = CHUNK_BATCH_SIZE } = context;
  const changedPaths = new Set<string>();
  let embeddedCount = 0;
  let doneCount = 0;
  /** Number of files that were examined and wait to be written. */
  let unwrittenCount = 0;
  let waitingFiles: IndexedFileResult[] = [];

  const isBatchFull = (): boolean =>
    waitingFiles.length >= Math.min(FILE_BATCH_SIZE, writtenAtOnce) ||
    waitingFiles.reduce((sum, file) => sum + file.chunks.length, 0) >= writtenAtOnce;
  const write = async (): Promise<void> => {
    const inspectedFiles = waitingFiles;
    waitingFiles = [];
    const storedFiles = await storeInspected(context, inspectedFiles, storedIds, signal);
    embeddedCount += storedFiles.embedded;
    for (const { record } of inspectedFiles) {
      knownRecords.set(record.path, record);
      changedPaths.add(record.path);
    }
    const searchable = storedFiles.files.filter(({ record }) => !UNSEARCHABLE_PROBLEMS.has(record.trouble));
    for (let from = 0; from < searchable.length; from += REPORT_BATCH_SIZE) {
      context.onSearchable?.(searchable.slice(from, from + REPORT_BATCH_SIZE), false);
      await yieldNow();
    }
    // Only stored files are counted, because a paused or killed run resumes from this count, and progress must not go
    // back.
    doneCount += unwrittenCount;
    unwrittenCount = 0;
    onProgress(doneCount);
  };
  return {
    async acceptKnown(unchangedRecords, files) {
      const restoredRecords = await readFromShelf(context, files, storedIds);
      const acceptedRecords = [...unchangedRecords, ...restoredRecords];
      if (acceptedRecords.length > 0) await catalogue.put(acceptedRecords);
      for (const record of acceptedRecords) knownRecords.set(record.path, record);
      for (const { path } of restoredRecords) changedPaths.add(path);
      if (restoredRecords.length > 0) context.onSearchable?.(await loadSearchedFiles(chunks, restoredRecords), false);
      const accepted = new Set(restoredRecords.map(({ path }) => path));
      return files.filter(({ path }) => !accepted.has(path));
    },
    async add(inspectedFiles, examined) {
      throwIfCancelled(signal);
      waitingFiles.push(...inspectedFiles);
      unwrittenCount += examined;
      if (isBatchFull()) await write();
    },
    async flush() {
      if (unwrittenCount === 0) return;
      throwIfCancelled(signal);
      await write();
    },
    summary: () => ({ embedded: embeddedCount, changed: changedPaths }),
  };
}

/** Records of `files` that were replaced earlier, but have the present content and chunks that are all still stored. */
async function readFromShelf(
  { catalogue }: RefreshContext,
  files: readonly LoadedFile[],
  storedIds: ReadonlySet<string>,
): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  for (const { path, hash, size, mtimeMs } of files) {
    const record = await catalogue.findReplacedRecord(path, hash);
    if (record?.chunks.every(({ id }) => storedIds.has(id))) records.push({ ...record, size, mtimeMs });
  }
  return records;
}
