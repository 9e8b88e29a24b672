// Analyses one file: decodes its bytes, parses the text if its language needs that, and applies the rules and measures.

import type { SourceAnalysis, SourceInput } from '../analysis/analyse.ts';
import { NO_FACTS } from '../analysis/project/fileFacts.ts';
import { findImports } from '../index/parse/imports.ts';
import { parseOutline } from '../index/parse/outline.ts';
import { withParsed } from '../index/parse/parsedFile.ts';
import type { SourceParser } from '../index/parse/parser.ts';
import type { FileAnalysis } from '../ports/catalogue.ts';
import type { PythonLinter } from '../ports/sources.ts';
import type { IndexJobs } from '../index/jobs.ts';
import { SCRIPT_LANGUAGES } from '../paths/scriptFiles.ts';

/**
 * Parses and analyses a file. `analyse` is a parameter, so that importing this module does not load the compiler.
 * Throws the errors of the parser, which no text is expected to cause.
 */
export async function analyseFile(
  { parser, lintPython }: { readonly parser: SourceParser; readonly lintPython: PythonLinter },
  analyse: (input: SourceInput) => SourceAnalysis,
  file: IndexJobs['analyse']['input'][number],
): Promise<FileAnalysis> {
  const { path, only } = file;
  const analysis = await withParsed(
    parser,
    file,
    (language) => !SCRIPT_LANGUAGES.has(language),
    ({ text, language, generated, tree }): FileAnalysis => {
      const symbols = tree && language ? parseOutline(tree, language, text) : null;
      const { imports, trouble, ...otherResults } = analyse({
        path,
        text,
        language,
        tree,
        symbols,
        generated,
        lintPython,
        ...(only ? { only: new Set(only) } : {}),
      });
      const parseFailed =
        trouble !== null || (language !== null && !SCRIPT_LANGUAGES.has(language) && !tree && !generated);
      return {
        ...createEmptyAnalysis(file),
        ...otherResults,
        language,
        generated,
        imports: imports ?? (tree && language ? findImports(tree, language) : []),
        trouble: parseFailed ? 'parse failed' : null,
      };
    },
  );
  return 'reason' in analysis ? { ...createEmptyAnalysis(file), trouble: analysis.reason } : analysis;
}

/** The result for a file that could not be analysed. Its measures are absent, because they are unknown and not 0. */
export function createEmptyAnalysis({
  path,
  size,
  mtimeMs,
  hash,
}: IndexJobs['analyse']['input'][number]): FileAnalysis {
  return {
    path,
    size,
    mtimeMs,
    hash,
    language: null,
    generated: false,
    imports: [],
    functions: [],
    opportunities: [],
    suppressed: [],
    suppressions: [],
    measures: {},
    facts: NO_FACTS,
    trouble: null,
  };
}
