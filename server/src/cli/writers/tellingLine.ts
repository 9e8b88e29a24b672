// Chooses the line of a search result that best shows why the result was found.

import { shorten } from '../../util/visible.ts';

/** Maximum number of characters of the chosen line. */
const MAX_CHARACTERS = 160;
/** A line with fewer letters and digits (`});`, `/**`) is never chosen, because it shows nothing. */
const MIN_WORD_CHARACTERS = 3;

/** A line of a file. `number` counts from 1; `text` has no indentation and is shortened. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * The first line from `startLine` to `endLine` (both from 1, inclusive) that contains the most words of the query. If
 * no line contains any, the first line that is not mere punctuation; null if all lines are.
 */
export function findBestLine(
  text: string,
  { startLine, endLine }: { readonly startLine: number; readonly endLine: number },
  query: string,
): NumberedLine | null {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_$]{2,}/gu))];
  const lines = text
    .split(/\r?\n/)
    .slice(startLine - 1, endLine)
    .map((line, index) => ({ number: startLine + index, text: line.trim() }))
    .filter((line) => (line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_WORD_CHARACTERS);
  let [bestLine, bestCount] = [lines[0] ?? null, 0];
  for (const line of lines) {
    const lowerCase = line.text.toLowerCase();
    const matchCount = words.filter((word) => lowerCase.includes(word)).length;
    if (matchCount > bestCount) [bestLine, bestCount] = [line, matchCount];
  }
  return bestLine && { ...bestLine, text: shorten(bestLine.text, MAX_CHARACTERS) };
}
