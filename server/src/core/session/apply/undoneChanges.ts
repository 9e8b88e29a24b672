// Finds kept changes that are no longer in the tree, because somebody undid them without Selfware, for example by
// Ctrl+Z or with git.

import type { FileEdit, Proposal } from '../../model.ts';
import { createHunks } from '../../propose/hunks.ts';
import type { SessionContext } from '../context.ts';

/** Reads the current text of a file; null if the file does not exist. */
export type ReadCurrentText = (path: string) => Promise<string | null>;

/**
 * Ids of the kept changes that were undone: their added lines are all gone, and their replaced lines are all back.
 * `readCurrentText`: reads the current texts.
 */
export async function findUndone(
  proposals: readonly Proposal[],
  readCurrentText: ReadCurrentText,
): Promise<ReadonlySet<string>> {
  const undoneIds = new Set<string>();
  for (const { id, status, edits } of proposals) {
    if (status !== 'kept' || edits.length === 0) continue;
    const texts = await Promise.all(edits.map(async ({ path }) => readCurrentText(path)));
    if (edits.every((edit, index) => isUndone(edit, texts[index] ?? null))) undoneIds.add(id);
  }
  return undoneIds;
}

/** Ids of the kept changes that were undone in the files on disk. */
export async function findUndoneOnDisk(
  { ports }: SessionContext,
  proposals: readonly Proposal[],
): Promise<ReadonlySet<string>> {
  return findUndone(proposals, async (path) => {
    const bytes = await ports.files.read(path);
    return bytes && new TextDecoder().decode(bytes);
  });
}

/**
 * True if the file is as before the edit, or if every hunk of the edit has its old lines back and its new ones gone.
 */
function isUndone(edit: FileEdit, currentText: string | null): boolean {
  if (currentText === null || edit.before === null) return currentText === edit.before;
  if (currentText === edit.before) return true;
  if (edit.after === null) return false;
  // The file was edited elsewhere since, so only the lines of the hunks decide.
  const lines = `\n${normaliseLineEnds(currentText)}\n`;
  const hunks = createHunks([edit]);
  return hunks.every(
    ({ lines: markedLines }) =>
      lines.includes(formatHunkSide(markedLines, '-')) && !lines.includes(formatHunkSide(markedLines, '+')),
  );
}

/** The lines of one side of a hunk, including its context lines, with a line break before and after. */
function formatHunkSide(markedLines: readonly string[], side: '-' | '+'): string {
  return `\n${normaliseLineEnds(
    markedLines
      .filter((line) => line.startsWith(' ') || line.startsWith(side))
      .map((line) => line.slice(1))
      .join('\n'),
  )}\n`;
}

function normaliseLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
