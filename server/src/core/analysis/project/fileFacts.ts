// Collects those results of the analysis of one file that rules about several files need. They are plain data, stored
// with the figures.

import type { Language } from '../../model.ts';
import { encodeFingerprints } from '../duplicates/fingerprints.ts';
import { tokenize } from '../duplicates/lexer.ts';
import { isDeclarationPath } from './conventions.ts';
import { readEmbeddedImports } from './embeddedImports.ts';
import type { ModuleFacts } from './facts.ts';

/** The facts about a file that rules about several files need. */
export interface FileFacts {
  /** Imports and exports of TypeScript, JavaScript, and pages with scripts; null for other files. */
  readonly module: ModuleFacts | null;
  /** Fingerprints of the token stream (analysis/duplicates); empty for tests, generated files and short files. */
  readonly prints: string;
}

/** The facts about a file that was not analysed. */
export const NO_FACTS: FileFacts = { module: null, prints: '' };

/** A file whose facts are collected. `path`: relative to the root. */
export interface FactSource {
  readonly path: string;
  readonly text: string;
  readonly language: Language | null;
  readonly generated: boolean;
}

/** The facts about a file. `module`: the imports and exports from the syntax tree; null if there is none. */
export function createFileFacts(
  { path, text, language, generated }: FactSource,
  isTest: boolean,
  module: ModuleFacts | null,
): FileFacts {
  const isCompared = language !== null && !generated && !isTest && !isDeclarationPath(path);
  return {
    module: module ?? (language === null ? readEmbeddedImports(path, text) : null),
    prints: isCompared ? encodeFingerprints(tokenize(text, language)) : '',
  };
}
