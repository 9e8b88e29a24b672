// Finds the lines that an edit touches, and formats the change of a mutant.

import { diffLines } from 'diff';

/** Maximum number of characters of each side of a formatted change. */
const MAX_CHARACTERS = 60;

/**
 * The non-blank lines that were added to the new text (1-based), and the line after each place where lines were
 * removed.
 */
export function findTouchedLines(before: string, after: string): ReadonlySet<number> {
  const lines = new Set<number>();
  let line = 1;
  for (const { added, removed, count, value } of diffLines(before, after)) {
    if (removed) lines.add(line);
    else {
      if (added)
        for (const [index, text] of value.split('\n').entries())
          if (index < count && text.trim() !== '') lines.add(line + index);
      line += count;
    }
  }
  return lines;
}

/** True if the first line of a range is touched, or if its last line is and the range has at most three lines. */
export function isTouched(touched: ReadonlySet<number>, first: number, last: number): boolean {
  return touched.has(first) || (last - first < 3 && touched.has(last));
}

/** The change of a mutant for a person, such as `a < b → a <= b`. */
export function formatMutantChange(old: string, text: string): string {
  return `${shortenToOneLine(old)} → ${shortenToOneLine(text)}`;
}

/** The code on one line, shortened for a person. */
export function shortenToOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? 'nothing' : line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}
