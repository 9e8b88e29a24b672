// Reads search/replace blocks from a reply: a path, and then two texts between marker lines.

import { TRUNCATED_REPLY, findProseBefore, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';
import {
  BLOCK_CLOSING_PATTERN as CLOSING_PATTERN,
  BLOCK_DIVIDING_PATTERN as DIVIDING_PATTERN,
  BLOCK_OPENING_PATTERN as OPENING_PATTERN,
  findLine,
  splitLinesWithoutEndings,
} from './marks.ts';
import { pathOnLine } from './pathLine.ts';

/**
 * Reads the edits of the blocks; null if the text has none. A block without a search text contains the whole text of a
 * file. Refuses a block that is cut off, contains further markers in its texts, or names no file.
 */
export function readBlocks(text: string): ReplyParts | ReplyRefusal | null {
  const lines = splitLinesWithoutEndings(text);
  const first = lines.findIndex((line) => OPENING_PATTERN.test(line));
  if (first < 0) return null;
  const edits: ReplyEdit[] = [];
  let file: string | null = null;
  let offset = first;
  let isFenced = countFences(lines.slice(0, first)) % 2 === 1;
  while (offset >= 0) {
    file = fileAbove(lines, offset) ?? file;
    const dividing = nextLine(lines, offset, DIVIDING_PATTERN);
    const closing = nextLine(lines, offset, CLOSING_PATTERN);
    if (dividing < 0 || closing < 0 || dividing > closing) return TRUNCATED_REPLY;
    const secondDivider = nextLine(lines, dividing, DIVIDING_PATTERN);
    if (
      (secondDivider >= 0 && secondDivider < closing) ||
      lines.slice(offset + 1, closing).some((line) => OPENING_PATTERN.test(line))
    )
      return { refused: 'A block of the reply has marks within its text, so its ends are unclear.' };
    if (file === null) return { refused: 'A block of the reply names no file.' };
    const [search, replace] = [lines.slice(offset + 1, dividing), lines.slice(dividing + 1, closing)].map((rows) =>
      rows.map((row) => `${row}\n`).join(''),
    );
    edits.push(
      search!.trim() === ''
        ? { kind: 'file', file, content: replace! }
        : { kind: 'replace', file, search: search!, replace: replace!, byLines: true },
    );
    offset = nextLine(lines, closing, OPENING_PATTERN);
    const between = lines.slice(closing + 1, offset < 0 ? undefined : offset);
    isFenced = isFenced !== (countFences(between) % 2 === 1);
  }
  // A reply that ends inside a fence may lack further blocks.
  if (isFenced) return TRUNCATED_REPLY;
  return { description: findProseBefore(text, text.indexOf(lines[first]!)), edits };
}

/** Counts the lines that open or close a fence. */
function countFences(lines: readonly string[]): number {
  return lines.filter((line) => /^[`~]{3,}/.test(line)).length;
}

/** The index of the next line that matches the marker; -1 if there is none. */
function nextLine(lines: readonly string[], after: number, mark: RegExp): number {
  const index = findLine(lines, after + 1, (line) => mark.test(line));
  return index < lines.length ? index : -1;
}

/** Finds the path directly above the block, or above the fence around the block; null if there is none. */
function fileAbove(lines: readonly string[], opening: number): string | null {
  for (let index = opening - 1; index >= Math.max(0, opening - 4); index -= 1) {
    const line = lines[index]!.trim();
    if (line === '') continue;
    const path = pathOnLine(line);
    if (path !== null) return path;
    if (!/^[`~]{3,}/.test(line)) return null;
  }
  return null;
}
