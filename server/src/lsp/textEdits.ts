// Computes edits of whole lines that turn one text into another. Unchanged lines are not replaced, so that cursors,
// folds and breakpoints in them stay in place.

import { diffLines } from 'diff';
import type { TextEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

/**
 * Time limit of the comparison in milliseconds, because its time grows with the square of the number of differences. If
 * the limit is exceeded, the whole text is replaced.
 */
const MAX_COMPARISON_MS = 1000;

/** The edits of `before`, in the order of the text and without overlaps; empty if the texts are equal. */
export function computeTextEdits(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  const document = TextDocument.create('', '', 0, before);
  const createEdit = (start: number, end: number, newText: string): TextEdit => ({
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    newText,
  });
  const parts = diffLines(before, after, { timeout: MAX_COMPARISON_MS });
  if (!parts) return [createEdit(0, before.length, after)];

  const edits: TextEdit[] = [];
  let offset = 0;
  let pendingEdit: { start: number; end: number; text: string } | null = null;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      if (pendingEdit) edits.push(createEdit(pendingEdit.start, pendingEdit.end, pendingEdit.text));
      pendingEdit = null;
      offset += part.value.length;
      continue;
    }
    pendingEdit ??= { start: offset, end: offset, text: '' };
    if (part.added) pendingEdit.text += part.value;
    else pendingEdit.end = offset += part.value.length;
  }
  if (pendingEdit) edits.push(createEdit(pendingEdit.start, pendingEdit.end, pendingEdit.text));
  return edits;
}
