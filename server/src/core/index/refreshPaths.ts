// Updates the index for a few saved files on a fast path: no walk, and no listing of the store. A file can be searched
// as soon as it is read.

import { posix } from 'node:path';
import { throwIfCancelled } from '../../util/typedError.ts';
import { readChangedFiles, type SuspectFile } from './changedFiles.ts';
import { inspectBatch } from './inspectBatch.ts';
import { toProvisionalFiles } from './provisional.ts';
import { UNSEARCHABLE_PROBLEMS, type RefreshContext, type RefreshLimits } from './refreshContext.ts';
import { storeInspected } from './storeInspected.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The result of a refresh of some paths. */
export interface RefreshedPaths {
  /** New records of changed files. */
  readonly records: readonly FileRecord[];
  /** Paths of deleted files, and of files that are no longer text. */
  readonly gone: readonly string[];
  /** Number of chunks that were embedded. */
  readonly embedded: number;
}

/** Files that determine which other files are indexed. */
const AFFECTS_OTHER_FILES = new Set(['.gitignore', '.selfwareignore', '.gitattributes', '.gitmodules']);

/**
 * Updates the records of these paths. Null if they need a full refresh, because one of them is new (only the walk
 * decides whether it is ignored), is no longer a regular file, is too large now, or determines which files are
 * indexed. Throws `cancelled`.
 */
export async function refreshPaths(
  context: RefreshContext,
  paths: readonly string[],
  knownRecords: ReadonlyMap<string, FileRecord>,
  limits: RefreshLimits,
  signal: AbortSignal,
): Promise<RefreshedPaths | null> {
  const suspects: SuspectFile[] = [];
  const gonePaths: string[] = [];
  for (const path of new Set(paths)) {
    if (!knownRecords.has(path) || AFFECTS_OTHER_FILES.has(posix.basename(path))) return null;
    const stat = await context.files.stat(path);
    if (!stat) gonePaths.push(path);
    else if (stat.kind !== 'file' || stat.size > limits.maxBytes) return null;
    else suspects.push({ path, stat });
  }
  const records: FileRecord[] = [];
  let embedded = 0;
  const storedChunkIds = new Set(suspects.flatMap(({ path }) => knownRecords.get(path)!.chunks.map(({ id }) => id)));
  for await (const { files, unchangedRecords } of readChangedFiles(
    suspects,
    context,
    knownRecords,
    (record) => record.chunks.every(({ id }) => storedChunkIds.has(id)),
    [],
    signal,
  )) {
    context.onSearchable?.(toProvisionalFiles(files), true);
    if (unchangedRecords.length > 0) await context.catalogue.put(unchangedRecords);
    records.push(...unchangedRecords);
    const inspectedFiles = await inspectBatch(context, files, signal);
    throwIfCancelled(signal);
    const storeResult = await storeInspected(context, inspectedFiles, storedChunkIds, signal);
    context.onSearchable?.(
      storeResult.files.filter(({ record }) => !UNSEARCHABLE_PROBLEMS.has(record.trouble)),
      false,
    );
    embedded += storeResult.embedded;
    for (const { record } of inspectedFiles) {
      if (UNSEARCHABLE_PROBLEMS.has(record.trouble)) gonePaths.push(record.path);
      else records.push(record);
    }
  }
  if (gonePaths.length > 0)
    await context.catalogue.remove(gonePaths.filter((path) => !suspects.some((suspect) => suspect.path === path)));
  return { records, gone: gonePaths, embedded };
}
