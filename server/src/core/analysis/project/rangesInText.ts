// Computes positions in a text that has no syntax tree.

import type { Range } from '../../model.ts';

/**
 * The range of a part of one line, both as the range of a finding and as the range of its name. `start`: offset.
 * `length`: number of UTF-16 units.
 */
export function createRangesInText(
  text: string,
  start: number,
  length: number,
): { readonly range: Range; readonly nameRange: Range } {
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const column = start - (before.lastIndexOf('\n') + 1) + 1;
  const range = { startLine: line, startColumn: column, endLine: line, endColumn: column + length };
  return { range, nameRange: range };
}
