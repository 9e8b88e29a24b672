// Finds a file that a change deletes.

import { posix } from 'node:path';
import type { FileEdit, Proposal } from '../model.ts';

/**
 * The path of a deleted file; undefined if there is none. A file counts as moved instead if a created file has the same
 * text, which is not blank, and the same extension.
 */
export function findDeletedPath(edits: Proposal['edits']): string | undefined {
  const createdFiles = edits.filter(({ before, after }) => before === null && after !== null);
  const targetEdits = new Set<FileEdit>();
  for (const { path, before, after } of edits) {
    if (before === null || after !== null) continue;
    const targetEdit = createdFiles.find(
      (edit) => !targetEdits.has(edit) && edit.after === before && posix.extname(edit.path) === posix.extname(path),
    );
    if (targetEdit === undefined || before.trim() === '') return path;
    targetEdits.add(targetEdit);
  }
  return undefined;
}
