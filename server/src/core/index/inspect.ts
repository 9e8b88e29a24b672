// One file from bytes to record: decoded, parsed, outlined, cut into chunks, analysed.

import type { Tree } from 'web-tree-sitter';
import type { Language, SymbolInfo } from '../model.ts';
import type { FileRecord, JobTable } from '../indexPorts.ts';
import { decodeSource } from './decode.ts';
import { looksGenerated, looksMinified } from './generated.ts';
import { importsOf } from './imports.ts';
import { languageOf } from './language.ts';
import { outline } from './outline.ts';
import type { SourceParser } from './parser.ts';
import { definitionsByPattern } from './patterns/definitions.ts';
import { recordOf, recordOfUnreadable } from './record.ts';
import { referencesOf } from './references.ts';

export type ReadFile = JobTable['inspect']['input'][number];
export type Inspected = JobTable['inspect']['output'][number];

/** What the analysis sees of a file, and what it finds. */
export interface AnalysedSource {
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  readonly tree: Tree | null;
  readonly symbols: readonly SymbolInfo[];
  readonly generated: boolean;
}
export type Analyse = (source: AnalysedSource) => Pick<FileRecord, 'functions' | 'opportunities' | 'measures'> & {
  /** Why the file could not be analysed, or null. */
  readonly trouble: string | null;
};

/** Throws what the parser throws; no text is expected to make it. */
export async function inspectFile(parser: SourceParser, analyse: Analyse, file: ReadFile): Promise<Inspected> {
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return { record: recordOfUnreadable(file, decoded.reason), chunks: [] };
  const { text } = decoded;
  const { path } = file;
  const language = languageOf(path, text);
  const generated = looksGenerated(path, text);
  const tree = language && !looksMinified(text) ? await parser.parse(language, text) : null;
  try {
    const symbols = tree && language ? outline(tree, language, text) : generated || looksMinified(text) ? [] : definitionsByPattern(path, text);
    const imports = tree && language ? importsOf(tree, language) : [];
    const references = tree && language ? referencesOf(tree, language, text, symbols, generated) : null;
    const trouble = language && !tree && !generated ? 'parse failed' : null;
    const { record, chunks } = recordOf(file, { text, language, symbols, imports, references, generated, trouble });
    const found = analyse({ path, text, language, tree, symbols, generated });
    return { record: { ...record, functions: found.functions, opportunities: found.opportunities, measures: found.measures, trouble: trouble ?? (found.trouble === null ? null : 'parse failed') }, chunks };
  } finally {
    tree?.delete();
  }
}
