// Finds the first of the comments, decorators and attributes directly above a definition, which belong to it.

import type { Language } from '../../model.ts';
import type { Lines } from './lines.ts';

const SLASHES_PATTERN = /^\s*(\/\/|\/\*|\*|@)/;
/** By language: matches a line that belongs to the definition below it. */
const LEADING_PATTERNS: Readonly<Record<Language, RegExp>> = {
  typescript: SLASHES_PATTERN,
  tsx: SLASHES_PATTERN,
  javascript: SLASHES_PATTERN,
  go: SLASHES_PATTERN,
  java: SLASHES_PATTERN,
  c: SLASHES_PATTERN,
  cpp: SLASHES_PATTERN,
  rust: /^\s*(\/\/|\/\*|\*|#!?\[)/,
  python: /^\s*(#|@)/,
  ruby: /^\s*#/,
  php: /^\s*(\/\/|\/\*|\*|#)/,
  csharp: /^\s*(\/\/|\/\*|\*|\[)/,
  scala: SLASHES_PATTERN,
  swift: SLASHES_PATTERN,
  elixir: /^\s*(#|@(doc|spec|impl)\b)/,
  bash: /^\s*#/,
  lua: /^\s*--/,
  kotlin: SLASHES_PATTERN,
  zig: SLASHES_PATTERN,
  haskell: /^\s*(--|\{-)/,
};

/**
 * First line (1-based) of the block of comments, decorators and attributes that ends directly above `line`, or `line`
 * itself if there is none.
 */
export function findFirstLineWithComments(lines: Lines, line: number, language: Language | null): number {
  if (!language) return line;
  let firstLine = line;
  while (firstLine > 1 && LEADING_PATTERNS[language].test(lines.textOf(firstLine - 1))) firstLine--;
  return firstLine;
}
