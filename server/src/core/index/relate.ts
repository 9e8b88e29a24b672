// Reads from the bytes of one file what the dependency graph needs: its definitions, its imports, and the names that
// it uses.

import { findImports } from './parse/imports.ts';
import { parseOutline } from './parse/outline.ts';
import { withParsed } from './parse/parsedFile.ts';
import type { SourceParser } from './parse/parser.ts';
import { findNameReferences } from './parse/references.ts';
import type { FileRelations } from '../ports/catalogue.ts';
import type { IndexJobs } from './jobs.ts';

/**
 * The relations of a file; empty if it is not text or has no tree. Throws the errors of the parser; no text is expected
 * to cause one.
 */
export async function relateFile(
  parser: SourceParser,
  file: IndexJobs['relate']['input'][number],
): Promise<FileRelations> {
  const related = await withParsed(
    parser,
    file,
    () => true,
    ({ text, language, generated, tree }) => {
      if (!tree || !language) return { ...createEmptyRelations(file), language };
      const symbols = parseOutline(tree, language, text);
      return {
        ...createEmptyRelations(file),
        language,
        symbols,
        imports: findImports(tree, language),
        references: findNameReferences(tree, language, text, symbols, generated),
      };
    },
  );
  return 'reason' in related ? createEmptyRelations(file) : related;
}

/** The relations of a file without language, definitions, imports and used names. */
export function createEmptyRelations({
  path,
  size,
  mtimeMs,
  hash,
}: IndexJobs['relate']['input'][number]): FileRelations {
  return { path, size, mtimeMs, hash, language: null, symbols: [], imports: [], references: null };
}
