// Converts offsets of a text to 1-based lines and columns, with the line ends that editors use (\n, \r\n, \r).

import type { Range } from '../model.ts';

/** Offsets at which lines start; the first is 0. */
export type LineStarts = readonly number[];

/** Finds the offsets at which the lines of a text start. */
export function findLineStarts(text: string): LineStarts {
  const starts = [0];
  const lineEnd = /\r\n|\r|\n/g;
  while (lineEnd.exec(text)) starts.push(lineEnd.lastIndex);
  return starts;
}

/** The range (1-based lines and columns) of the UTF-16 offsets `start` (inclusive) to `end` (exclusive). */
export function toRange(lines: LineStarts, start: number, end: number): Range {
  const firstLine = findLineIndex(lines, start);
  const lastLine = findLineIndex(lines, end);
  return {
    startLine: firstLine + 1,
    startColumn: start - (lines[firstLine] ?? 0) + 1,
    endLine: lastLine + 1,
    endColumn: end - (lines[lastLine] ?? 0) + 1,
  };
}

/** Index (0-based) of the line that contains an offset; beyond the text, the index of the last line. */
export function findLineIndex(lines: LineStarts, offset: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Number of lines from the line of `start` to the line of `end`, both included. */
export function countLines(lines: LineStarts, span: { readonly start: number; readonly end: number }): number {
  return findLineIndex(lines, span.end) - findLineIndex(lines, span.start) + 1;
}
