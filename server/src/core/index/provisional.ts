// Makes a file searchable before it is parsed, as windows of lines.

import { divideIntoWindows } from './parse/chunk.ts';
import { decodeSource } from './parse/decode.ts';
import { looksGenerated } from '../paths/generated.ts';
import type { LoadedFile } from './inspect.ts';
import { detectLanguage } from './parse/language.ts';
import { assembleRecord, selectSearchableText } from './record.ts';
import type { SearchedFile } from './search/searcher.ts';
import { createTermPacker } from './terms/termPacker.ts';

/**
 * The files divided into windows of lines. Files that are not text are skipped. The records are for the index in memory
 * only, because they have no symbols.
 */
export function toProvisionalFiles(files: Iterable<LoadedFile>): SearchedFile[] {
  const packer = createTermPacker();
  const provisionalFiles: SearchedFile[] = [];
  for (const file of files) {
    const decoded = decodeSource(file.bytes);
    if ('reason' in decoded) continue;
    const { text } = decoded;
    const facts = {
      text,
      language: detectLanguage(file.path, text),
      symbols: [],
      imports: [],
      generated: looksGenerated(file.path, text),
      trouble: null,
    };
    const first = packer.count();
    const chunks = divideIntoWindows(file.path, selectSearchableText(facts), packer);
    provisionalFiles.push({
      record: assembleRecord(file, facts, chunks),
      provisional: true,
      chunks: [],
      packed: { batch: packer.batch, first },
    });
  }
  packer.finish();
  return provisionalFiles;
}
