// Prepares one file for a job: decodes it, determines its language, and parses it if a grammar exists.

import type { Tree } from 'web-tree-sitter';
import type { Language } from '../../model.ts';
import { decodeSource } from './decode.ts';
import { looksGenerated, looksMinified } from '../../paths/generated.ts';
import { detectLanguage } from './language.ts';
import type { SourceParser } from './parser.ts';

/** A decoded and parsed file. */
export interface ParsedFile {
  readonly text: string;
  readonly language: Language | null;
  readonly generated: boolean;
  readonly minified: boolean;
  /** Valid until `work` ends. */
  readonly tree: Tree | null;
}

/**
 * Runs `work` on the parsed file. `needsTree`: true for the languages for which `work` needs a tree. Returns the result
 * of `work`, or the reason why the bytes are not text. Throws the errors of the parser.
 */
export async function withParsed<T>(
  parser: SourceParser,
  file: { readonly path: string; readonly bytes: Uint8Array },
  needsTree: (language: Language) => boolean,
  work: (parsed: ParsedFile) => T,
): Promise<T | { readonly reason: 'binary' | 'not utf-8' }> {
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return decoded;
  const { text } = decoded;
  const language = detectLanguage(file.path, text);
  const minified = looksMinified(text);
  const tree = language && !minified && needsTree(language) ? await parser.parse(language, text) : null;
  try {
    return work({ text, language, generated: looksGenerated(file.path, text), minified, tree });
  } finally {
    tree?.delete();
  }
}
