// Attaches the comments, decorators and attributes right above a definition to it.

import type { Language } from '../../model.ts';
import type { Lines } from './lines.ts';

const slashes = /^\s*(\/\/|\/\*|\*|@)/;
const patterns: Readonly<Record<Language, RegExp>> = {
  typescript: slashes,
  tsx: slashes,
  javascript: slashes,
  go: slashes,
  java: slashes,
  c: slashes,
  cpp: slashes,
  rust: /^\s*(\/\/|\/\*|\*|#!?\[)/,
  python: /^\s*(#|@)/,
  ruby: /^\s*#/,
  php: /^\s*(\/\/|\/\*|\*|#)/,
  csharp: /^\s*(\/\/|\/\*|\*|\[)/,
  scala: slashes,
  swift: slashes,
  elixir: /^\s*(#|@(doc|spec|impl)\b)/,
  bash: /^\s*#/,
  lua: /^\s*--/,
  kotlin: slashes,
  zig: slashes,
  haskell: /^\s*(--|\{-)/,
};

/** First line (1-based) of the block of comments that ends right above `line`, or `line` itself if there is none. */
export function leadingLine(lines: Lines, line: number, language: Language | null): number {
  if (!language) return line;
  let firstLine = line;
  while (firstLine > 1 && patterns[language].test(lines.at(firstLine - 1))) firstLine--;
  return firstLine;
}
