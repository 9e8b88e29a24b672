// Writes a change as the reply that a model should have given: search and replace, in the notation that questions ask
// for.

import { structuredPatch } from 'diff';
import type { FileEdit } from '../../model.ts';
import { readReply } from '../../proposers/reply/read.ts';
import { resolveEdits } from '../../proposers/reply/resolve.ts';

/** An edit in the notation of replies: search and replace, or a new file. */
type WrittenEdit =
  | { readonly file: string; readonly search: string; readonly replace: string }
  | { readonly file: string; readonly content: string };

/** Numbers of unchanged lines around a change that are tried in this order, until each searched text is unique. */
const CONTEXT_LINES = [0, 1, 3, 8];
/**
 * Maximum number of lines in which both texts differ. With more, no diff is computed, and the whole text is replaced.
 */
const MAX_DIFFERENCES = 2000;

/**
 * The reply, as JSON. Null for edits that this notation cannot express, such as a deleted file. To find that out, the
 * reply is read back and compared with the edits.
 */
export function formatReply(description: string, edits: readonly FileEdit[]): string | null {
  const writtenFiles: WrittenEdit[] = [];
  for (const { path, before, after } of edits) {
    if (after === null) return null;
    if (before === null) writtenFiles.push({ file: path, content: after });
    else writtenFiles.push(...findReplacements(path, before, after));
  }
  const text = JSON.stringify({ description, edits: writtenFiles });
  return makesSameEdits(text, edits) ? text : null;
}

/**
 * The replacements that lead from one text to the other; the whole text is replaced if no number of context lines makes
 * the searched texts unique.
 */
function findReplacements(file: string, before: string, after: string): readonly WrittenEdit[] {
  for (const context of CONTEXT_LINES) {
    const patch = structuredPatch(file, file, before, after, '', '', { context, maxEditLength: MAX_DIFFERENCES });
    if (patch === undefined) break;
    const replacementsOfFile = patch.hunks.map(({ lines }) => ({
      file,
      search: formatSide(lines, '+'),
      replace: formatSide(lines, '-'),
    }));
    if (replacementsOfFile.every(({ search }) => occursOnce(before, search))) return replacementsOfFile;
  }
  return [{ file, search: before, replace: after }];
}

/** The lines of one side of a hunk: those without `omittedMark`. */
function formatSide(lines: readonly string[], omittedMark: '+' | '-'): string {
  return lines
    .filter((line) => !line.startsWith(omittedMark) && !line.startsWith('\\'))
    .map((line) => line.slice(1))
    .join('\n');
}

function occursOnce(text: string, search: string): boolean {
  const index = text.indexOf(search);
  return search !== '' && index >= 0 && text.indexOf(search, index + 1) < 0;
}

/** True if reading the reply gives exactly these edits. */
function makesSameEdits(reply: string, edits: readonly FileEdit[]): boolean {
  const parsedReply = readReply(reply, true);
  if ('refused' in parsedReply) return false;
  const before = new Map(edits.map((edit) => [edit.path, edit.before]));
  const resolved = resolveEdits(
    parsedReply.edits,
    (path) => before.get(path) ?? null,
    () => 'current',
  );
  if ('refused' in resolved || resolved.edits.length !== edits.length) return false;
  const after = new Map(resolved.edits.map((edit) => [edit.path, edit.after]));
  return edits.every((edit) => after.get(edit.path) === edit.after);
}
