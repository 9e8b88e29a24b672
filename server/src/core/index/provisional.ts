// A file as it can be searched at once, before its syntax is known: windows of lines.

import { windowsOf } from './chunk.ts';
import { decodeSource } from './decode.ts';
import { looksGenerated } from './generated.ts';
import type { ReadFile } from './inspect.ts';
import { languageOf } from './language.ts';
import { recordWith, searchedText } from './record.ts';
import type { SearchedFile } from './search/searcher.ts';

/** Null for a file that is not text. The record is for the index in memory only: it names no symbol and measures nothing. */
export function provisionalFile(file: ReadFile): SearchedFile | null {
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return null;
  const { text } = decoded;
  const facts = { text, language: languageOf(file.path, text), symbols: [], imports: [], generated: looksGenerated(file.path, text), trouble: null };
  const chunks = windowsOf(file.path, searchedText(facts));
  const record = recordWith(file, facts, chunks);
  return { record, provisional: true, chunks: chunks.map(({ id, terms }) => ({ id, terms, vector: null })) };
}
