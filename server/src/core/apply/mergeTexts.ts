// Merges texts three-way: combines the changes of two sides to one base, if their hunks do not touch or are equal.

import { diffArrays } from 'diff';
import { splitLines } from '../../util/values/splitLines.ts';
import { decodeUtf8 } from '../../util/values/bytes.ts';

/** A hunk. It replaces the lines of the base from `start` (0-based) up to but excluding `end` with `lines`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Maximum number of differing lines. A text that differs in more lines was rewritten, and is not merged. The limit also
 * bounds the time of the diff.
 */
const MAX_DIFFERENCES = 4000;

/**
 * Applies the changes of both sides to `base`; null if they conflict, or if a side differs from the base in more than
 * `MAX_DIFFERENCES` lines. As in `git merge-file`, hunks without an unchanged line between them conflict, and a hunk
 * that both sides share is applied once. The line end and the byte-order mark of a line are taken from the side that
 * changed the line.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const baseLines = splitLines(base);
  const [left, right] = [findHunks(baseLines, mine), findHunks(baseLines, theirs)];
  const hunks = left && right && mergeHunks(left, right);
  if (!hunks) return null;
  const mergedLines: string[] = [];
  let offset = 0;
  for (const { start, end, lines: newLines } of hunks) {
    mergedLines.push(...baseLines.slice(offset, start), ...newLines);
    offset = end;
  }
  return [...mergedLines, ...baseLines.slice(offset)].join('');
}

/**
 * Merges the bytes of three files as `mergeTexts` merges texts. Null if the texts conflict or differ too much, if one
 * of the three is not UTF-8 text, or if one is null because the file does not exist.
 */
export function mergeBytes(
  base: Uint8Array | null,
  mine: Uint8Array | null,
  theirs: Uint8Array | null,
): Uint8Array | null {
  const texts = [base, mine, theirs].map((bytes) => (bytes === null ? null : decodeUtf8(bytes)));
  const [baseText, myText, theirText] = texts;
  if (typeof baseText !== 'string' || typeof myText !== 'string' || typeof theirText !== 'string') return null;
  const mergedText = mergeTexts(baseText, myText, theirText);
  return mergedText === null ? null : new TextEncoder().encode(mergedText);
}

/** All hunks in the order of the base; null if hunks of both sides touch and are not equal. */
function mergeHunks(left: readonly Hunk[], right: readonly Hunk[]): Hunk[] | null {
  const hunks: Hunk[] = [];
  let [leftIndex, rightIndex] = [0, 0];
  for (;;) {
    const [leftHunk, rightHunk] = [left[leftIndex], right[rightIndex]];
    if (!leftHunk && !rightHunk) return hunks;
    if (leftHunk && rightHunk && leftHunk.start <= rightHunk.end && rightHunk.start <= leftHunk.end) {
      if (!isSameHunk(leftHunk, rightHunk)) return null;
      hunks.push(leftHunk);
      leftIndex++;
      rightIndex++;
    } else if (leftHunk && (!rightHunk || leftHunk.start < rightHunk.start)) {
      hunks.push(leftHunk);
      leftIndex++;
    } else if (rightHunk) {
      hunks.push(rightHunk);
      rightIndex++;
    }
  }
}

function isSameHunk(a: Hunk, b: Hunk): boolean {
  return (
    a.start === b.start &&
    a.end === b.end &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, index) => line === b.lines[index])
  );
}

/** The hunks that turn the base into the text; null if the two differ too much. */
function findHunks(base: readonly string[], text: string): Hunk[] | null {
  const parts = diffArrays([...base], splitLines(text), { maxEditLength: MAX_DIFFERENCES });
  if (!parts) return null;
  const hunks: Hunk[] = [];
  let line = 0;
  let openHunk: { start: number; lines: string[] } | null = null;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      if (openHunk) hunks.push({ start: openHunk.start, end: line, lines: openHunk.lines });
      openHunk = null;
    } else {
      openHunk ??= { start: line, lines: [] };
      if (added) openHunk.lines.push(...value);
    }
    if (!added) line += value.length;
  }
  if (openHunk) hunks.push({ start: openHunk.start, end: line, lines: openHunk.lines });
  return hunks;
}
