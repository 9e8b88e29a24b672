// Writes files that were inspected to the store and the catalogue, many at once, and tells of them as searchable.

import { throwIfCancelled } from '../../util/typedError.ts';
import { yieldNow } from '../../util/yieldNow.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import type { Inspected, ReadFile } from './inspect.ts';
import { notText, type RefreshContext } from './refreshContext.ts';
import { searchedFiles } from './searchedFiles.ts';
import { storeInspected } from './storeInspected.ts';

/**
 * Number of chunks: what a kill may cost at most. A write of the store costs nearly the same for few chunks as for
 * many, and many small ones have to be compacted.
 */
export const WRITTEN_AT_ONCE = 2_500;
/** Files; small ones hold a chunk each, and who waits wants to see the count rise. */
const FILES_WRITTEN_AT_ONCE = 512;
/** Files that are told of before waiting requests get their turn. */
const TOLD_AT_ONCE = 64;
export interface IndexWriter {
  /** Takes in what needs no inspection; answers the rest. */
  takeBack(touched: readonly FileRecord[], files: readonly ReadFile[]): Promise<readonly ReadFile[]>;
  /** A batch, of which so many files were looked at. It is written with others that wait, when they are enough. */
  add(inspected: readonly Inspected[], looked: number): Promise<void>;
  /** Writes what still waits. */
  flush(): Promise<void>;
  written(): { readonly embedded: number; readonly changed: ReadonlySet<string> };
}

/** Keeps `known` and `stored` as the catalogue and the store are. `count` is told how many files are done. */
export function createIndexWriter(
  context: RefreshContext,
  { known, stored }: { readonly known: Map<string, FileRecord>; readonly stored: Set<string> },
  count: (done: number) => void,
  signal: AbortSignal,
): IndexWriter {
  const { catalogue, chunks, writtenAtOnce = WRITTEN_AT_ONCE } = context;
  const changed = new Set<string>();
  let embedded = 0;
  let done = 0;
  /** Files that were looked at and wait to be written with others. */
  let unwritten = 0;
  let waiting: Inspected[] = [];

  const isEnough = (): boolean =>
    waiting.length >= Math.min(FILES_WRITTEN_AT_ONCE, writtenAtOnce) ||
    waiting.reduce((sum, file) => sum + file.chunks.length, 0) >= writtenAtOnce;
  const write = async (): Promise<void> => {
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
    count(done);
  };
  return {
    async takeBack(touched, files) {
      const shelved = await fromShelf(context, files, stored);
      const settled = [...touched, ...shelved];
      if (settled.length > 0) await catalogue.put(settled);
      for (const record of settled) known.set(record.path, record);
      for (const { path } of shelved) changed.add(path);
      if (shelved.length > 0) context.onSearchable?.(await searchedFiles(chunks, shelved), false);
      const back = new Set(shelved.map(({ path }) => path));
      return files.filter(({ path }) => !back.has(path));
    },
    async add(inspected, looked) {
      throwIfCancelled(signal);
      waiting.push(...inspected);
      unwritten += looked;
      if (isEnough()) await write();
    },
    async flush() {
      if (unwritten === 0) return;
      throwIfCancelled(signal);
      await write();
    },
    written: () => ({ embedded, changed }),
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
