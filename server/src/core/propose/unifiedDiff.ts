// Prints edits as a unified diff, for a terminal and for `git apply`.

import type { FileEdit } from '../model.ts';
import { splitLines } from '../../util/values/splitLines.ts';
import { findChanges, formatLines, groupChanges, type Change } from './hunks.ts';

/** Number of unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3;

/** Formats edits like `git diff`, so that `git apply` accepts them. Empty if there are no edits. */
export function formatUnifiedDiff(edits: readonly FileEdit[]): string {
  return edits.map(formatFileDiff).join('');
}

/** Formats the change of one file; empty if nothing changes. */
function formatFileDiff(edit: FileEdit): string {
  const changes = findChanges(edit);
  if (changes.length === 0) return '';
  const before = splitLines(edit.before ?? '');
  const after = splitLines(edit.after ?? '');
  const header = [`diff --git a/${edit.path} b/${edit.path}\n`];
  if (edit.before === null) header.push('new file mode 100644\n');
  if (edit.after === null) header.push('deleted file mode 100644\n');
  if (before.length + after.length > 0)
    header.push(
      `--- ${edit.before === null ? '/dev/null' : `a/${edit.path}`}\n`,
      `+++ ${edit.after === null ? '/dev/null' : `b/${edit.path}`}\n`,
    );
  return (
    header.join('') +
    groupChanges(changes, 2 * CONTEXT_LINES)
      .map((group) => formatHunk(group, before, after))
      .join('')
  );
}

/** Formats one hunk with its context lines; empty if both texts are empty. */
function formatHunk(group: readonly Change[], before: readonly string[], after: readonly string[]): string {
  const firstChange = group[0];
  const lastChange = group.at(-1);
  if (!firstChange || !lastChange || before.length + after.length === 0) return '';
  const firstLine = Math.max(0, firstChange.beforeStart - CONTEXT_LINES);
  const endLine = Math.min(before.length, lastChange.beforeStart + lastChange.removedLines.length + CONTEXT_LINES);
  const lines = [
    ...formatLines(group, before, firstLine),
    ...before.slice(lastChange.beforeStart + lastChange.removedLines.length, endLine).map((line) => ` ${line}`),
  ];
  const afterFirstLine = firstChange.afterStart - (firstChange.beforeStart - firstLine);
  const afterEndLine =
    lastChange.afterStart +
    lastChange.addedLines.length +
    (endLine - lastChange.beforeStart - lastChange.removedLines.length);
  return `@@ -${formatHunkRange(firstLine, endLine - firstLine)} +${formatHunkRange(afterFirstLine, afterEndLine - afterFirstLine)} @@\n${lines.map(addLineEnd).join('')}`;
}

/** The range of a hunk header, `start,count`, for a start that is a line index from 0. */
function formatHunkRange(start: number, count: number): string {
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
}

/** Ends a line. A line without a line end gets Git's note about the end of the file. */
function addLineEnd(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
}
