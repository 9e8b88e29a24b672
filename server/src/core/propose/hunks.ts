// Edits seen as hunks: what a person approves one by one, and the unified diff that a terminal shows.

import { diffArrays } from 'diff';
import type { FileEdit } from '../model.ts';

/**
 * A run of changed lines without context. Lines are 1-based; where a count is 0, its line is the one that the other
 * side's lines stand in front of. A file that is created or deleted is one hunk.
 */
export interface Hunk {
  /** Counted over all edits, from 0. */
  readonly index: number;
  readonly path: string;
  readonly beforeLine: number;
  readonly beforeCount: number;
  readonly afterLine: number;
  readonly afterCount: number;
  /** Removed lines with `-`, then added ones with `+`, without line ends. */
  readonly lines: readonly string[];
}

interface Change {
  readonly beforeStart: number;
  readonly removed: readonly string[];
  readonly afterStart: number;
  readonly added: readonly string[];
}

/** Beyond this many differing lines a file counts as rewritten: one hunk. Bounds the time of the diff. */
const MOST_DIFFERENCES = 4000;
const CONTEXT = 3;

export function hunksOf(edits: readonly FileEdit[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (const edit of edits) {
    for (const change of changesOf(edit)) {
      hunks.push({
        index: hunks.length,
        path: edit.path,
        beforeLine: change.beforeStart + 1,
        beforeCount: change.removed.length,
        afterLine: change.afterStart + 1,
        afterCount: change.added.length,
        lines: [...change.removed.map((line) => `-${withoutEnd(line)}`), ...change.added.map((line) => `+${withoutEnd(line)}`)],
      });
    }
  }
  return hunks;
}

/** The edits with only the hunks of these indices; line ends stay byte for byte. Files left without a hunk drop out. */
export function selectHunks(edits: readonly FileEdit[], indices: readonly number[]): FileEdit[] {
  const wanted = new Set(indices);
  let index = 0;
  return edits.flatMap((edit) => {
    const changes = changesOf(edit);
    const chosen = changes.filter(() => wanted.has(index++));
    if (chosen.length === 0) return [];
    if (chosen.length === changes.length || edit.before === null || edit.after === null) return [edit];
    const lines = splitLines(edit.before);
    for (const { beforeStart, removed, added } of chosen.toReversed()) lines.splice(beforeStart, removed.length, ...added);
    return [{ ...edit, after: lines.join('') }];
  });
}

/** As `git diff` prints it, so that `git apply` takes it. Empty for no edits. */
export function unifiedDiff(edits: readonly FileEdit[]): string {
  return edits.map(fileDiff).join('');
}

function fileDiff(edit: FileEdit): string {
  const changes = changesOf(edit);
  if (changes.length === 0) return '';
  const before = splitLines(edit.before ?? '');
  const after = splitLines(edit.after ?? '');
  const head = [`diff --git a/${edit.path} b/${edit.path}\n`];
  if (edit.before === null) head.push('new file mode 100644\n');
  if (edit.after === null) head.push('deleted file mode 100644\n');
  if (before.length + after.length > 0) head.push(`--- ${edit.before === null ? '/dev/null' : `a/${edit.path}`}\n`, `+++ ${edit.after === null ? '/dev/null' : `b/${edit.path}`}\n`);
  return head.join('') + groupsOf(changes).map((group) => printGroup(group, before, after)).join('');
}

/** Changes whose context lines touch are printed together. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last && change.beforeStart - (last.beforeStart + last.removed.length) <= 2 * CONTEXT) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function printGroup(group: readonly Change[], before: readonly string[], after: readonly string[]): string {
  const first = group[0];
  const last = group.at(-1);
  if (!first || !last || before.length + after.length === 0) return '';
  const from = Math.max(0, first.beforeStart - CONTEXT);
  const to = Math.min(before.length, last.beforeStart + last.removed.length + CONTEXT);
  const lines: string[] = [];
  let position = from;
  for (const { beforeStart, removed, added } of group) {
    lines.push(...before.slice(position, beforeStart).map((line) => ` ${line}`), ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`));
    position = beforeStart + removed.length;
  }
  lines.push(...before.slice(position, to).map((line) => ` ${line}`));
  const afterFrom = first.afterStart - (first.beforeStart - from);
  const afterTo = last.afterStart + last.added.length + (to - last.beforeStart - last.removed.length);
  return `@@ -${place(from, to - from)} +${place(afterFrom, afterTo - afterFrom)} @@\n${lines.map(terminated).join('')}`;
}

function place(start: number, count: number): string {
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
}

function terminated(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
}

function changesOf(edit: FileEdit): Change[] {
  if (edit.before === edit.after) return [];
  const before = splitLines(edit.before ?? '');
  const after = splitLines(edit.after ?? '');
  const whole = [{ beforeStart: 0, removed: before, afterStart: 0, added: after }];
  if (edit.before === null || edit.after === null) return whole;
  const parts = diffArrays(before, after, { maxEditLength: MOST_DIFFERENCES });
  if (!parts) return whole;

  const changes: Change[] = [];
  let [beforeAt, afterAt, touching] = [0, 0, false];
  for (const { value, added, removed } of parts) {
    if (added || removed) {
      const last = touching ? changes.pop() : undefined;
      const open = last ?? { beforeStart: beforeAt, removed: [], afterStart: afterAt, added: [] };
      changes.push(removed ? { ...open, removed: [...open.removed, ...value] } : { ...open, added: [...open.added, ...value] });
    }
    touching = added || removed;
    if (!added) beforeAt += value.length;
    if (!removed) afterAt += value.length;
  }
  return changes;
}

/** Lines with their ends, so that joining gives the text back. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}
