// Reads the body of a hunk in a patch or diff: unchanged, removed and added lines.

import type { ReplyRefusal } from './reply.ts';

/** The text that a hunk replaces, its replacement, and the unchanged lines, as pairs of their indexes in both texts. */
export interface HunkTexts {
  readonly search: string;
  readonly replace: string;
  readonly kept: readonly (readonly [number, number])[];
}

/**
 * Reads the texts of a hunk. An empty line counts as unchanged, because editors and models drop the space before it.
 * Refuses a line with an unknown mark, and a hunk that changes nothing.
 */
export function readHunkTexts(rows: readonly string[]): HunkTexts | ReplyRefusal {
  let [search, replace] = ['', ''];
  let [searchIndex, replaceIndex] = [0, 0];
  const keptRows: [number, number][] = [];
  for (const row of rows) {
    const [mark, lineText] = [row[0] ?? ' ', row.slice(1)];
    // The line is the note `\ No newline at end of file`.
    if (mark === '\\') continue;
    if (mark !== ' ' && mark !== '-' && mark !== '+')
      return { refused: `A line of the patch begins with neither a blank nor a sign: ${row.slice(0, 60)}` };
    if (mark === ' ') keptRows.push([searchIndex, replaceIndex]);
    if (mark !== '+') {
      search += `${lineText}\n`;
      searchIndex += 1;
    }
    if (mark !== '-') {
      replace += `${lineText}\n`;
      replaceIndex += 1;
    }
  }
  return searchIndex + replaceIndex > 2 * keptRows.length
    ? { search, replace, kept: keptRows }
    : { refused: 'A part of the patch changes nothing.' };
}

/** Removes empty rows at the end, which belong to the text around a patch. */
export function removeTrailingEmptyRows(rows: readonly string[]): readonly string[] {
  const end = rows.findLastIndex((row) => row !== '');
  return rows.slice(0, end + 1);
}
