// Reads unified diffs. Line numbers and counts are ignored, because models invent them: the lines that a hunk quotes
// must occur exactly once in their file. The only exceptions are the counts of a last hunk that nothing follows,
// because they show whether it was cut off.

import { readHunkTexts, removeTrailingEmptyRows } from './hunks.ts';
import {
  DIFF_FENCE_PATTERN as FENCE_PATTERN,
  HUNK_PATTERN,
  isDiffHead,
  NULL_DEVICE,
  splitLinesWithoutEndings,
} from './marks.ts';
import { TRUNCATED_REPLY, findProseBefore, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';

/** Matches the numbers of lines of a hunk before and after the change. An absent number means one line. */
const COUNTS_PATTERN = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads edits from a unified diff; null if the text contains no such diff. */
export function readDiff(text: string): ReplyParts | ReplyRefusal | null {
  const lines = splitLinesWithoutEndings(text);
  const heads = lines.flatMap((_, index) => (isDiffHead(lines, index) ? [index] : []));
  if (heads.length === 0) return null;
  if (lines.some((line) => /^(?:rename|copy) (?:from|to) /.test(line)))
    return { refused: 'The diff renames a file, which a reply cannot ask for.' };
  const edits: ReplyEdit[] = [];
  for (const [index, headIndex] of heads.entries()) {
    const editsOfFile = readFileEdits(lines, headIndex, heads[index + 1] ?? lines.length);
    if ('refused' in editsOfFile) return editsOfFile;
    edits.push(...editsOfFile);
  }
  if (isTruncated(lines, heads)) return TRUNCATED_REPLY;
  return { description: findProseBefore(text, text.indexOf(lines[heads[0]!]!)), edits };
}

/**
 * True if the diff was cut off: its fence is not closed, or nothing follows its last hunk and this hunk has fewer lines
 * than its header states.
 */
function isTruncated(lines: readonly string[], heads: readonly number[]): boolean {
  const fenceCountAbove = lines.slice(0, heads[0]).filter((line) => FENCE_PATTERN.test(line)).length;
  const end = lines.findIndex((line, index) => index > heads.at(-1)! && FENCE_PATTERN.test(line));
  if (fenceCountAbove % 2 === 1) return end < 0;
  const lastHunkIndex = lines.findLastIndex((line) => HUNK_PATTERN.test(line));
  const counts = COUNTS_PATTERN.exec(lines[lastHunkIndex] ?? '');
  if (lastHunkIndex < heads.at(-1)! || !counts) return false;
  // The text after the last line break is not a row; an empty row may be an unchanged line without its space.
  const rows = lines.slice(lastHunkIndex + 1, lines.at(-1) === '' ? -1 : undefined);
  if (rows.some((row) => row !== '' && !/^[ +\\-]/.test(row))) return false;
  const countRows = (sign: string) => rows.filter((row) => !row.startsWith(sign) && !row.startsWith('\\')).length;
  const [missingBefore, missingAfter] = [
    Number(counts[1] ?? 1) - countRows('+'),
    Number(counts[2] ?? 1) - countRows('-'),
  ];
  // An additional row that looks like a header may be the beginning of the next file.
  const isNextHead = missingBefore < 0 && rows.slice(-2).some((row) => /^-(?:$|-)/.test(row));
  return missingBefore > 0 || missingAfter > 0 || isNextHead;
}

/**
 * Reads the edits of one file of a diff. `headIndex`: the index of its `---` line. `end`: the index after its last
 * line.
 */
function readFileEdits(lines: readonly string[], headIndex: number, end: number): readonly ReplyEdit[] | ReplyRefusal {
  const [oldPath, newPath] = [parsePath(lines[headIndex]!), parsePath(lines[headIndex + 1]!)];
  const hunks = collectHunks(lines.slice(headIndex + 2, end));
  if (newPath === NULL_DEVICE) return [{ kind: 'file', file: oldPath, content: null }];
  if (hunks.length === 0) return { refused: `The diff of ${newPath} has no hunk; the reply may be cut.` };
  const edits: ReplyEdit[] = [];
  for (const rows of hunks) {
    const texts = readHunkTexts(rows);
    if ('refused' in texts) return texts;
    if (oldPath === NULL_DEVICE) {
      if (hunks.length > 1 || texts.search !== '')
        return { refused: `The diff of the new file ${newPath} is not whole.` };
      edits.push({ kind: 'file', file: newPath, content: texts.replace });
    } else if (texts.search.trim() === '') return { refused: `A hunk of ${newPath} quotes no line beside it.` };
    else edits.push({ kind: 'replace', file: newPath, ...texts, byLines: true });
  }
  return edits;
}

/** Collects the rows of each hunk, up to the end of the part of the diff about the file. */
function collectHunks(rows: readonly string[]): (readonly string[])[] {
  const hunks: string[][] = [];
  for (const row of rows) {
    if (/^[`~]{3,}/.test(row) || row.startsWith('diff --git ') || /^index [0-9a-f]+\.\./.test(row)) {
      if (hunks.length > 0) break;
      continue;
    }
    if (HUNK_PATTERN.test(row)) hunks.push([]);
    else hunks.at(-1)?.push(row);
  }
  return hunks.map(removeTrailingEmptyRows).filter((hunk) => hunk.length > 0);
}

/** Reads the path without the prefix of git and without the time that `diff` adds. */
function parsePath(line: string): string {
  const path = line.slice(4).split('\t')[0]!.trim();
  if (path === NULL_DEVICE) return path;
  return /^[ab]\//.test(path) ? path.slice(2) : path;
}
