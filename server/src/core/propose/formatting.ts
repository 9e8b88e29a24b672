// Decides which changes of a formatter are accepted for a changed text.

import { diffArrays } from 'diff';
import { splitLines } from '../../util/values/splitLines.ts';

/**
 * Maximum number of lines that the formatter adds and removes. With more, it probably never formatted the file before.
 */
const MAX_DIFFERENCES = 2000;

/**
 * Returns `after` with the changes of the formatter to touched lines only, so that a file that was never formatted
 * keeps its layout. `formatted`: the output of the formatter for `after`. Returns `after` itself if too many lines
 * differ.
 */
export function formatChangedLines(before: string, after: string, formatted: string): string {
  if (after === formatted) return after;
  const touchedLines = findTouchedLines(before, after);
  const parts = diffArrays(splitLines(after), splitLines(formatted), { maxEditLength: MAX_DIFFERENCES });
  if (!touchedLines || !parts) return after;
  const result: string[] = [];
  let line = 0;
  for (let partIndex = 0; partIndex < parts.length; partIndex++) {
    const { value, added, removed } = parts[partIndex]!;
    if (!added && !removed) {
      result.push(...value);
      line += value.length;
      continue;
    }
    const nextPart = parts[partIndex + 1];
    const counterpart = nextPart && (nextPart.added || nextPart.removed) ? nextPart : null;
    if (counterpart) partIndex++;
    const oldLines = removed ? value : counterpart?.removed ? counterpart.value : [];
    const newLines = added ? value : counterpart?.added ? counterpart.value : [];
    const firstIndex = line;
    line += oldLines.length;
    if (oldLines.length === newLines.length) {
      result.push(...oldLines.map((text, index) => (touchedLines.has(firstIndex + index) ? newLines[index]! : text)));
      continue;
    }
    // An insertion counts as touched if one of the two lines around it is touched.
    const isTouched =
      oldLines.length === 0
        ? touchedLines.has(firstIndex) || touchedLines.has(firstIndex - 1)
        : createRange(firstIndex, line).some((number) => touchedLines.has(number));
    result.push(...(isTouched ? newLines : oldLines));
  }
  return result.join('');
}

/**
 * Finds the indexes (from 0) of lines of `after` that are not in `before`, and of the neighbours of removed lines. Null
 * if too many lines differ.
 */
function findTouchedLines(before: string, after: string): ReadonlySet<number> | null {
  const parts = diffArrays(splitLines(before), splitLines(after), { maxEditLength: MAX_DIFFERENCES });
  if (!parts) return null;
  const touchedLines = new Set<number>();
  let line = 0;
  for (const [index, { value, added, removed }] of parts.entries()) {
    // After a removal, the lines around the gap count as touched; after a replacement, only the new lines.
    if (removed && !parts[index + 1]?.added) touchedLines.add(line).add(Math.max(0, line - 1));
    if (!removed) {
      if (added) for (const number of createRange(line, line + value.length)) touchedLines.add(number);
      line += value.length;
    }
  }
  return touchedLines;
}

/** The numbers from `from` up to, but not including, `to`. */
function createRange(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
