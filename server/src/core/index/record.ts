// Makes the record of one file from its text.

import type { Chunk, Language, SymbolInfo } from '../model.ts';
import { divideIntoChunks, MAX_CHUNK } from './parse/chunk.ts';
import { looksMinified } from '../paths/generated.ts';
import { splitWithoutLineEnds, type Lines } from './parse/lines.ts';
import type { TermPacker } from './terms/termPacker.ts';
import { estimateSymbolTokens } from './parse/symbolTokens.ts';
import { estimateTokens } from '../../util/tokens.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The fields that identify a version of a file. */
export interface FileIdentity {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly hash: string;
}

/** The facts about a file that the parser has found. */
export interface SourceFacts {
  readonly text: string;
  readonly language: Language | null;
  readonly symbols: readonly SymbolInfo[];
  readonly imports: readonly string[];
  readonly generated: boolean;
  readonly trouble: FileRecord['trouble'];
}

/**
 * The record of a file and its chunks. If `packer` is given, the terms of the chunks are added to it instead of being
 * stored as words.
 */
export function createRecord(
  file: FileIdentity,
  facts: SourceFacts,
  packer?: TermPacker,
): { readonly record: FileRecord; readonly chunks: readonly Chunk[] } {
  const lines = splitWithoutLineEnds(facts.text);
  const searchableText = selectSearchableText(facts);
  const chunks = divideIntoChunks(
    file.path,
    searchableText,
    facts.symbols,
    packer,
    searchableText.length === facts.text.length ? lines : undefined,
  );
  return { chunks, record: assembleRecord(file, facts, chunks, lines) };
}

/** The searchable part of a text. The beginning of minified text or generated data is enough to find the file. */
export function selectSearchableText({
  text,
  language,
  generated,
}: Pick<SourceFacts, 'text' | 'language' | 'generated'>): string {
  return looksMinified(text) || (generated && language === null) ? text.slice(0, MAX_CHUNK) : text;
}

/** Makes the record of a file from its identity, its facts and its chunks. */
export function assembleRecord(
  { path, size, mtimeMs, hash }: FileIdentity,
  { text, language, symbols, imports, generated, trouble }: SourceFacts,
  chunks: readonly Omit<Chunk, 'text' | 'terms'>[],
  lines: Lines = splitWithoutLineEnds(text),
): FileRecord {
  return {
    path,
    size,
    mtimeMs,
    hash,
    language,
    tokens: estimateTokens(text),
    symbols,
    symbolTokens: estimateSymbolTokens(lines, symbols, language),
    chunks: chunks.map(({ id, path: chunkPath, startLine, endLine, symbol }) => ({
      id,
      path: chunkPath,
      startLine,
      endLine,
      symbol,
    })),
    imports,
    generated,
    trouble,
  };
}

/** The record of a file that is not text. It is stored so that the file is not read again, but it is not searched. */
export function createUnreadableRecord(file: FileIdentity, problem: NonNullable<FileRecord['trouble']>): FileRecord {
  return {
    path: file.path,
    size: file.size,
    mtimeMs: file.mtimeMs,
    hash: file.hash,
    language: null,
    tokens: 0,
    symbols: [],
    symbolTokens: [],
    chunks: [],
    imports: [],
    generated: false,
    trouble: problem,
  };
}
