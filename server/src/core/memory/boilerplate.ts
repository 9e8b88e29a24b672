// Finds the lines of a file that contain little information about it: licences and imports.

import { listTopComments } from '../paths/topComment.ts';

/** Number of characters at the top of a file in which a licence is looked for. */
const TOP_CHARACTERS = 8_000;
/** Matches a comment that states a licence. */
const LICENCE_PATTERN = joinPatterns(
  [
    /\bcopyright\b/,
    /\bspdx-licen|@licen[cs]e\b/,
    /\blicensed under\b/,
    /\ball rights reserved\b/,
    /\bredistribution and use\b/,
    /\bpermission is hereby granted\b/,
    /\b(?:MIT|BSD|ISC|Apache|GNU|Mozilla)\b.{0,30}\blicen[cs]e\b/,
  ],
  'i',
);
/** Matches the beginning of a line that imports something, in the languages that have a grammar. */
const IMPORT_PATTERN = joinPatterns([
  /^import\b/,
  /^from\s+\S+\s+import\b/,
  /^export\s.*\bfrom\s*['"]/,
  /^#\s*include\b/,
  /^(?:pub(?:\([^)]*\))?\s+)?use\s+[\w:{]/,
  /^using\s+[\w.]+\s*;/,
  /^(?:const|let|var)\s.*=\s*require\(/,
  /^require(?:_relative)?\s/,
  /^extern\s+crate\b/,
]);
/** Maximum number of lines of an import. */
const MAX_IMPORT_LINES = 60;

/** Numbers, from 1, of the lines of the comments at the top of a text that state a licence. */
export function findLicenceLines(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { startLine, endLine, text: comment } of listTopComments(text, TOP_CHARACTERS)) {
    if (!LICENCE_PATTERN.test(comment)) continue;
    for (let line = startLine; line <= endLine; line++) lines.add(line);
  }
  return lines;
}

/** Numbers, from 1, of the lines that import something. An import may span lines, up to its closing bracket. */
export function findImportLines(lines: readonly string[]): ReadonlySet<number> {
  const lineNumbers = new Set<number>();
  for (let index = 0; index < lines.length; index++) {
    if (!IMPORT_PATTERN.test(lines[index]!)) continue;
    const end = findEndOfImport(lines, index);
    for (; index < end; index++) lineNumbers.add(index + 1);
    lineNumbers.add(index + 1);
  }
  return lineNumbers;
}

/** Index of the line in which the brackets of an import are closed; the first line if none closes them. */
function findEndOfImport(lines: readonly string[], start: number): number {
  let openCount = 0;
  for (let index = start; index < Math.min(lines.length, start + MAX_IMPORT_LINES); index++) {
    for (const character of lines[index]!) {
      if (character === '(' || character === '{') openCount++;
      else if (character === ')' || character === '}') openCount--;
    }
    if (openCount <= 0) return index;
  }
  return start;
}

function joinPatterns(patterns: readonly RegExp[], flags = ''): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags);
}
