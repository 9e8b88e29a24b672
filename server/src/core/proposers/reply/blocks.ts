// Reads search/replace blocks from a reply: a path, and then two texts between marker lines.

import { TRUNCATED_REPLY, findProseBefore, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';
import {
  BLOCK_CLOSING_PATTERN as CLOSING_PATTERN,
  BLOCK_DIVIDING_PATTERN as DIVIDING_PATTERN,
  BLOCK_OPENING_PATTERN as OPENING_PATTERN,
  findLine,
  splitLinesWithoutEndings,
} from './marks.ts';
import { findPathOnLine } from './pathLine.ts';

/**
 * Reads the edits of the blocks; null if the text has none. A block without a search text contains the whole text of a
 * file. Refuses a block that is cut off, contains further markers in its texts, or names no file.
 */
export function readBlocks(text: string): ReplyParts | ReplyRefusal | null {
  const lines = splitLinesWithoutEndings(text);
  const firstOpening = lines.findIndex((line) => OPENING_PATTERN.test(line));
  if (firstOpening < 0) return null;
  const edits: ReplyEdit[] = [];
  let file: string | null = null;
  let openingIndex = firstOpening;
  let isInFence = countFences(lines.slice(0, firstOpening)) % 2 === 1;
  while (openingIndex >= 0) {
    file = findPathAbove(lines, openingIndex) ?? file;
    const dividerIndex = findNextLine(lines, openingIndex, DIVIDING_PATTERN);
    const closingIndex = findNextLine(lines, openingIndex, CLOSING_PATTERN);
    if (dividerIndex < 0 || closingIndex < 0 || dividerIndex > closingIndex) return TRUNCATED_REPLY;
    const secondDivider = findNextLine(lines, dividerIndex, DIVIDING_PATTERN);
    if (
      (secondDivider >= 0 && secondDivider < closingIndex) ||
      lines.slice(openingIndex + 1, closingIndex).some((line) => OPENING_PATTERN.test(line))
    )
      return { refused: 'A block of the reply has marks within its text, so its ends are unclear.' };
    if (file === null) return { refused: 'A block of the reply names no file.' };
    const [search, replace] = [
      lines.slice(openingIndex + 1, dividerIndex),
      lines.slice(dividerIndex + 1, closingIndex),
    ].map((rows) => rows.map((row) => `${row}\n`).join(''));
    edits.push(
      search!.trim() === ''
        ? { kind: 'file', file, content: replace! }
        : { kind: 'replace', file, search: search!, replace: replace!, byLines: true },
    );
    openingIndex = findNextLine(lines, closingIndex, OPENING_PATTERN);
    const linesBetween = lines.slice(closingIndex + 1, openingIndex < 0 ? undefined : openingIndex);
    isInFence = isInFence !== (countFences(linesBetween) % 2 === 1);
  }
  // A reply that ends inside a fence may lack further blocks.
  if (isInFence) return TRUNCATED_REPLY;
  return { description: findProseBefore(text, text.indexOf(lines[firstOpening]!)), edits };
}

/** Counts the lines that open or close a fence. */
function countFences(lines: readonly string[]): number {
  return lines.filter((line) => /^[`~]{3,}/.test(line)).length;
}

/** The index of the next line that matches the marker; -1 if there is none. */
function findNextLine(lines: readonly string[], after: number, marker: RegExp): number {
  const index = findLine(lines, after + 1, (line) => marker.test(line));
  return index < lines.length ? index : -1;
}

/** Finds the path directly above the block, or above the fence around the block; null if there is none. */
function findPathAbove(lines: readonly string[], openingIndex: number): string | null {
  for (let index = openingIndex - 1; index >= Math.max(0, openingIndex - 4); index -= 1) {
    const line = lines[index]!.trim();
    if (line === '') continue;
    const path = findPathOnLine(line);
    if (path !== null) return path;
    if (!/^[`~]{3,}/.test(line)) return null;
  }
  return null;
}
