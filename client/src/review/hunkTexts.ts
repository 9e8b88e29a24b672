// The texts of the hunks of a reviewed file, and the hunks that a text contains. Plain data in and out.

import type { ReviewFile } from '#protocol/review';

/** One hunk: the lines that it replaces, and their replacement. */
export interface HunkText {
  readonly index: number;
  /** First replaced line of the old text, 0-based, and the number of replaced lines. */
  readonly firstLine: number;
  readonly lines: number;
  readonly before: string;
  readonly after: string;
}

/** Both texts of each hunk, with its place in the old text, in the order of the hunks. */
export function hunkTexts({
  before,
  after,
  hunks,
}: Pick<ReviewFile, 'before' | 'after' | 'hunks'>): readonly HunkText[] {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  return hunks.map(({ index, beforeLine, beforeLines, afterLine, afterLines }) => ({
    index,
    firstLine: beforeLine - 1,
    lines: beforeLines,
    before: oldLines.slice(beforeLine - 1, beforeLine - 1 + beforeLines).join(''),
    after: newLines.slice(afterLine - 1, afterLine - 1 + afterLines).join(''),
  }));
}

/** Indices of the hunks that `text` contains; none if it is not a mixture of old text and hunks. */
export function findChosenHunks(file: Pick<ReviewFile, 'before' | 'after' | 'hunks'>, text: string): readonly number[] {
  const oldLines = splitLines(file.before);
  const pieces = hunkTexts(file);
  const textBetween = (from: number, to: number | undefined) => oldLines.slice(from, to).join('');
  return follow(0, 0) ?? [];

  /**
   * The hunks from `piece` on that the text contains from the offset `at` on; null if the remaining text does not fit.
   * A hunk is first looked for with its new text, then with its old one.
   */
  function follow(piece: number, offset: number): number[] | null {
    const current = pieces[piece];
    const previousPiece = pieces[piece - 1];
    const gap = textBetween(previousPiece ? previousPiece.firstLine + previousPiece.lines : 0, current?.firstLine);
    if (!text.startsWith(gap, offset)) return null;
    const next = offset + gap.length;
    if (!current) return next === text.length ? [] : null;
    const hunksIfTaken = text.startsWith(current.after, next) ? follow(piece + 1, next + current.after.length) : null;
    if (hunksIfTaken) return [current.index, ...hunksIfTaken];
    return text.startsWith(current.before, next) ? follow(piece + 1, next + current.before.length) : null;
  }
}

/** The position of a line (1-based) of `original` in a text that was made from it by editing one place. */
export function mapLine(editedText: string, original: string, line: number): number {
  if (editedText === original) return line;
  const [editedLines, originalLines] = [splitLines(editedText), splitLines(original)];
  let equalCount = 0;
  while (
    equalCount < Math.min(editedLines.length, originalLines.length) &&
    editedLines[equalCount] === originalLines[equalCount]
  )
    equalCount++;
  return line <= equalCount + 1
    ? Math.min(line, Math.max(1, editedLines.length))
    : Math.max(1, line + editedLines.length - originalLines.length);
}

/** Lines with their line endings, so that joining them restores the text. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
