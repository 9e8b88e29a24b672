// Decides whether a coverage report matches the current text of a file. Uses only the text, because the times of files
// differ between checkouts.

import type { CoveredFile } from './coveredFile.ts';

/** Minimum share of matching positions. It is below 1 because tools misplace a few positions. */
const MIN_MATCHING_SHARE = 0.95;

/**
 * A function of the file, used to find functions that the report lacks. `line` and `endLine`: its first and last line,
 * 1-based.
 */
export interface KnownFunction {
  readonly line: number;
  readonly endLine: number;
  readonly statements: number;
}

/**
 * True if every line of the report exists, nearly all of them contain code (unless the report lists all lines), nearly
 * all functions are at the reported lines, and each function with statements has a line in the report. A change within
 * a line is not noticed.
 */
export function matchesFile(file: CoveredFile, text: string, functions: readonly KnownFunction[]): boolean {
  const lines = text.split(/\r?\n/);
  const reportedLines = [...file.lines.keys()];
  if (reportedLines.some((line) => line > lines.length)) return false;
  // Some tools list every line, including blank ones.
  const listsAllLines = reportedLines.length >= lines.length - 1;
  if (!listsAllLines && !isNearlyAll(reportedLines, (line) => isCode(lines[line - 1] ?? ''))) return false;
  const namedFunctions = file.functions
    .map(({ name, line }) => ({ name: /(?<![\w$])[\w$]+$/.exec(name)?.[0] ?? '', line }))
    .filter(({ name }) => name !== '' && !/^anonymous|^\d+$|_\d+$/.test(name));
  if (!isNearlyAll(namedFunctions, ({ name, line }) => (lines[line - 1] ?? '').includes(name))) return false;
  const sortedLines = reportedLines.sort((a, b) => a - b);
  return functions.every(
    ({ line, endLine, statements }) =>
      statements === 0 || sortedLines.some((reportedLine) => reportedLine >= line && reportedLine <= endLine),
  );
}

function isNearlyAll<T>(items: readonly T[], holds: (item: T) => boolean): boolean {
  return items.length === 0 || items.filter(holds).length >= MIN_MATCHING_SHARE * items.length;
}

function isCode(line: string): boolean {
  const text = line.trim();
  return text !== '' && !text.startsWith('//') && !text.startsWith('#') && !/^\/?\*/.test(text);
}
