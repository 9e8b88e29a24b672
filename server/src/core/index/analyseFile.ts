// One file from bytes to what the analysis finds in it.

import type { Tree } from 'web-tree-sitter';
import type { FileAnalysis, JobTable } from '../indexPorts.ts';
import type { Language, SymbolInfo } from '../model.ts';
import { importsOf } from './imports.ts';
import { outline } from './outline.ts';
import { withParsed } from './parsedFile.ts';
import type { SourceParser } from './parser.ts';

/** What the analysis sees of a file, and what it finds. */
export type Analyse = (source: {
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  /** Null where the analysis has a parser of its own. It finds the symbols itself then. */
  readonly tree: Tree | null;
  readonly symbols: readonly SymbolInfo[] | null;
  readonly generated: boolean;
}) => Omit<FileAnalysis, 'path' | 'size' | 'mtimeMs' | 'hash' | 'language' | 'generated' | 'trouble' | 'imports'> & {
  /** Null: the tree tells. */
  readonly imports: readonly string[] | null;
  /** Why the file could not be analysed, or null. */
  readonly trouble: string | null;
};

/** The analysis parses these itself. */
const OWN_PARSER: ReadonlySet<Language> = new Set(['typescript', 'tsx', 'javascript']);

/** Throws what the parser throws; no text is expected to make it. */
export async function analyseFile(parser: SourceParser, analyse: Analyse, file: JobTable['analyse']['input'][number]): Promise<FileAnalysis> {
  const { path } = file;
  const found = await withParsed(parser, file, (language) => !OWN_PARSER.has(language), ({ text, language, generated, tree }) => {
    const symbols = tree && language ? outline(tree, language, text) : null;
    const { imports, trouble, ...rest } = analyse({ path, text, language, tree, symbols, generated });
    const parseFailed = trouble !== null || (language !== null && !OWN_PARSER.has(language) && !tree && !generated);
    return { ...nothingFound(file), ...rest, language, generated, imports: imports ?? (tree && language ? importsOf(tree, language) : []), trouble: parseFailed ? ('parse failed' as const) : null };
  });
  return 'reason' in found ? { ...nothingFound(file), trouble: found.reason } : found;
}

/** Of a file that nothing can be said about. Its measures are absent: unknown, never zero. */
export function nothingFound({ path, size, mtimeMs, hash }: JobTable['analyse']['input'][number]): FileAnalysis {
  return { path, size, mtimeMs, hash, language: null, generated: false, imports: [], functions: [], opportunities: [], measures: {}, trouble: null };
}
