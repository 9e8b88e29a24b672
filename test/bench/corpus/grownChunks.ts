// Makes many chunks with little work: real sources are parsed only once. In further copies only words differ, so the
// definitions are at the same lines.

import { createRecord } from '../../../server/src/core/index/record.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import type { Corpus } from '../peers/system.ts';
import { findCommonWords, createRenamer } from './grow.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** A file as the index has it. */
export interface ChunkedFile {
  readonly record: FileRecord;
  readonly chunks: readonly Chunk[];
}

/** Makes files until they have `count` chunks; the last file may have a few more. */
export function growChunks(corpus: Corpus, count: number, seed: number, signal: AbortSignal): ChunkedFile[] {
  const texts = new Map(corpus.files.map(({ path, text }) => [path, text]));
  const keptWords = findCommonWords(corpus.files);
  const grownFiles: ChunkedFile[] = [];
  let chunks = 0;
  for (let copy = 0; chunks < count; copy++) {
    const rename = createRenamer(copy, seed, keptWords);
    signal.throwIfAborted();
    for (const record of corpus.records) {
      if (chunks >= count) break;
      const file =
        copy === 0
          ? { record, chunks: corpus.chunks.get(record.path) ?? [] }
          : renameFile(record, texts.get(record.path) ?? '', copy, rename);
      grownFiles.push(file);
      chunks += file.chunks.length;
    }
  }
  return grownFiles;
}

/** The copy of a file with other words. */
function renameFile(record: FileRecord, text: string, copy: number, rename: (text: string) => string): ChunkedFile {
  const symbols = record.symbols.map((symbol) => ({ ...symbol, name: rename(symbol.name), path: rename(symbol.path) }));
  const { language, generated, trouble, size, mtimeMs, hash } = record;
  return createRecord(
    { path: `part${copy}/${record.path}`, size, mtimeMs, hash: `${hash}-${copy}` },
    { text: rename(text), language, symbols, imports: record.imports, generated, trouble },
  );
}
