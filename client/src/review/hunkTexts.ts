// Extracts the texts of the hunks of a reviewed file, and finds out which hunks a text contains. Does not use VS Code's
// API.

import type { ReviewFile } from '#protocol/review';

/** The two texts of a hunk: the lines that it replaces (`before`), and their replacement (`after`). */
export interface HunkText {
  readonly index: number;
  /** First replaced line of the old text, 0-based. */
  readonly firstLine: number;
  /** Number of replaced lines, including unchanged lines between two changes of the hunk; may be 0. */
  readonly lineCount: number;
  readonly before: string;
  readonly after: string;
}

/** The texts of each hunk of a file, in the order of `hunks`. */
export function readHunkTexts({
  before,
  after,
  hunks,
}: Pick<ReviewFile, 'before' | 'after' | 'hunks'>): readonly HunkText[] {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  return hunks.map(({ index, beforeLine, beforeLines, afterLine, afterLines }) => ({
    index,
    firstLine: beforeLine - 1,
    lineCount: beforeLines,
    before: oldLines.slice(beforeLine - 1, beforeLine - 1 + beforeLines).join(''),
    after: newLines.slice(afterLine - 1, afterLine - 1 + afterLines).join(''),
  }));
}

/**
 * Indices of the hunks that `text` contains, if it is the old text with some hunks applied; empty for any other text.
 */
export function findChosenHunks(file: Pick<ReviewFile, 'before' | 'after' | 'hunks'>, text: string): readonly number[] {
  const oldLines = splitLines(file.before);
  const hunkPieces = readHunkTexts(file);
  const joinLinesBetween = (from: number, to: number | undefined) => oldLines.slice(from, to).join('');
  return matchHunks(0, 0) ?? [];

  /**
   * The applied hunks among `hunkPieces`, from `pieceIndex` on, if the text from `offset` on consists of old text and
   * hunks; null if it does not. For each hunk, first tries the new text, then the old one (backtracking).
   */
  function matchHunks(pieceIndex: number, offset: number): number[] | null {
    const currentPiece = hunkPieces[pieceIndex];
    const previousPiece = hunkPieces[pieceIndex - 1];
    const gap = joinLinesBetween(
      previousPiece ? previousPiece.firstLine + previousPiece.lineCount : 0,
      currentPiece?.firstLine,
    );
    if (!text.startsWith(gap, offset)) return null;
    const nextOffset = offset + gap.length;
    if (!currentPiece) return nextOffset === text.length ? [] : null;
    const hunksIfApplied = text.startsWith(currentPiece.after, nextOffset)
      ? matchHunks(pieceIndex + 1, nextOffset + currentPiece.after.length)
      : null;
    if (hunksIfApplied) return [currentPiece.index, ...hunksIfApplied];
    return text.startsWith(currentPiece.before, nextOffset)
      ? matchHunks(pieceIndex + 1, nextOffset + currentPiece.before.length)
      : null;
  }
}

/**
 * The 1-based line of `editedText` that corresponds to a 1-based line of `original`, if the text was edited in one
 * place: lines up to the edit keep their number, later ones move with the number of lines.
 */
export function findEditedLine(editedText: string, original: string, line: number): number {
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
