// Finds a file that a change deletes.

import { posix } from 'node:path';
import type { FileEdit, Proposal } from '../model.ts';

/**
 * The path of a deleted file; undefined if there is none. A file counts as moved instead if a created file has the same
 * text, which is not blank, and the same extension.
 */
export function findDeletedPath(edits: Proposal['edits']): string | undefined {
  const createdFiles = edits.filter(({ before, after }) => before === null && after !== null);
  const movedFiles = new Set<FileEdit>();
  for (const { path, before, after } of edits) {
    if (before === null || after !== null) continue;
    const movedFile = createdFiles.find(
      (edit) => !movedFiles.has(edit) && edit.after === before && posix.extname(edit.path) === posix.extname(path),
    );
    if (movedFile === undefined || before.trim() === '') return path;
    movedFiles.add(movedFile);
  }
  return undefined;
}
