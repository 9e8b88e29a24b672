// Reads the patch format that begins with `*** Begin Patch`, which some agents write instead of a diff. Its hunks have
// no line numbers; the text after `@@` is a line above the place.

import { readHunkTexts, removeTrailingEmptyRows } from './hunks.ts';
import { PATCH_BEGIN_LINE as BEGIN_LINE, PATCH_END_LINE as END_LINE, splitLinesWithoutEndings } from './marks.ts';
import { TRUNCATED_REPLY, findProseBefore, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';

/** Matches the line at which the part of a patch about a file begins. */
const FILE_PATTERN = /^\*\*\* (Update|Add|Delete) File: (.+)$/;

/** Reads edits from a patch in the notation of coding agents; null if the text contains no such patch. */
export function readPatch(text: string): ReplyParts | ReplyRefusal | null {
  const lines = splitLinesWithoutEndings(text);
  const beginIndex = lines.findIndex((line) => line.trim() === BEGIN_LINE);
  if (beginIndex < 0) return null;
  const endIndex = lines.findIndex((line, index) => index > beginIndex && line.trim() === END_LINE);
  if (endIndex < 0) return TRUNCATED_REPLY;
  if (lines.some((line, index) => index > endIndex && line.trim() === BEGIN_LINE))
    return { refused: 'The reply contains two patches.' };
  const body = lines.slice(beginIndex + 1, endIndex);
  const edits: ReplyEdit[] = [];
  for (const { kind, file, rows } of collectFiles(body)) {
    const editsOfFile =
      kind === 'Update'
        ? readUpdateEdits(file, rows)
        : kind === 'Add'
          ? createNewFileEdits(file, rows)
          : [createDeletionEdit(file)];
    if ('refused' in editsOfFile) return editsOfFile;
    edits.push(...editsOfFile);
  }
  if (edits.length === 0) return { refused: 'The patch changes nothing.' };
  return { description: findProseBefore(text, text.indexOf(BEGIN_LINE)), edits };
}

/** The part of a patch about one file. `kind`: `Update`, `Add` or `Delete`. */
interface PatchedFile {
  readonly kind: string;
  readonly file: string;
  readonly rows: string[];
}

/** Splits the body of a patch into its files. Lines before the first file are ignored. */
function collectFiles(body: readonly string[]): PatchedFile[] {
  const parts: PatchedFile[] = [];
  for (const row of body) {
    const [, kind, file] = FILE_PATTERN.exec(row) ?? [];
    if (kind !== undefined) parts.push({ kind, file: file!.trim(), rows: [] });
    else parts.at(-1)?.rows.push(row);
  }
  return parts;
}

/**
 * Reads the edits of an `*** Update File` part. Refuses a part that moves the file, changes nothing, or has a hunk
 * without context lines.
 */
function readUpdateEdits(file: string, rows: readonly string[]): readonly ReplyEdit[] | ReplyRefusal {
  if (rows.some((row) => row.startsWith('*** Move to:')))
    return { refused: `The patch moves ${file}, which a reply may not do.` };
  const edits: ReplyEdit[] = [];
  for (const { below, hunk } of collectHunks(rows)) {
    const texts = readHunkTexts(hunk);
    if ('refused' in texts) return texts;
    if (texts.search.trim() === '') return { refused: `A hunk of ${file} has no context lines.` };
    edits.push({ kind: 'replace', file, ...texts, byLines: true, ...(below === null ? {} : { below }) });
  }
  return edits.length > 0 ? edits : { refused: `The patch changes nothing in ${file}.` };
}

/** Collects the hunks. `below`: the text after `@@`, which is a line above the hunk; null if there is none. */
function collectHunks(rows: readonly string[]): { readonly below: string | null; readonly hunk: readonly string[] }[] {
  const hunks: { below: string | null; hunk: string[] }[] = [];
  for (const row of rows) {
    if (row.trim() === '*** End of File') continue;
    if (row.startsWith('@@')) {
      const landmark = row.replace(/^@@ ?/, '').replace(/ ?@@$/, '').trim();
      // If several `@@` lines follow each other, the last one is nearest to the hunk.
      const lastHunk = hunks.at(-1);
      if (lastHunk?.hunk.length === 0) lastHunk.below = landmark === '' ? lastHunk.below : landmark;
      else hunks.push({ below: landmark === '' ? null : landmark, hunk: [] });
    } else if (hunks.length === 0) hunks.push({ below: null, hunk: [row] });
    else hunks.at(-1)!.hunk.push(row);
  }
  return hunks
    .map(({ below, hunk }) => ({ below, hunk: removeTrailingEmptyRows(hunk) }))
    .filter(({ hunk }) => hunk.length > 0);
}

/** The edit of an `*** Add File` part, whose lines all have to begin with a plus sign. */
function createNewFileEdits(file: string, rows: readonly string[]): readonly ReplyEdit[] | ReplyRefusal {
  const lines = removeTrailingEmptyRows(rows);
  if (lines.some((row) => !row.startsWith('+')))
    return { refused: `A line of the new file ${file} does not begin with a plus sign.` };
  return [{ kind: 'file', file, content: lines.map((row) => `${row.slice(1)}\n`).join('') }];
}

function createDeletionEdit(file: string): ReplyEdit {
  return { kind: 'file', file, content: null };
}
