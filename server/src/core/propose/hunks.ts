// Splits edits into hunks, which a person can approve one by one.

import { diffArrays } from 'diff';
import type { FileEdit } from '../model.ts';
import { splitLines } from '../../util/values/splitLines.ts';

/**
 * Changed lines that belong together. Runs of changed lines with at most two unchanged lines between them form one
 * hunk, because they rarely make sense separately. Line numbers begin with 1. If nothing is removed or added, the line
 * number of that side is the line before which the lines are inserted. A created or deleted file is one hunk.
 */
export interface Hunk {
  /** Index of the hunk in all edits, from 0. */
  readonly index: number;
  readonly path: string;
  readonly beforeLine: number;
  /** Number of removed lines. */
  readonly beforeCount: number;
  readonly afterLine: number;
  /** Number of added lines. */
  readonly afterCount: number;
  /** Removed lines begin with `-`, added ones with `+`, unchanged ones between them with a space; without line ends. */
  readonly lines: readonly string[];
}

/** Adjacent lines that an edit removes and adds. Starts are line indexes from 0. */
export interface Change {
  readonly beforeStart: number;
  readonly removedLines: readonly string[];
  readonly afterStart: number;
  readonly addedLines: readonly string[];
}

/**
 * Maximum number of differing lines, which limits the time of the diff. A file with more counts as rewritten and
 * becomes one hunk.
 */
const MAX_DIFFERENCES = 4000;

/** Maximum number of unchanged lines between two changes of one hunk. */
const MAX_GAP = 2;

/** Creates the hunks of all edits, in the order of files and lines. */
export function createHunks(edits: readonly FileEdit[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (const edit of edits) {
    const before = splitLines(edit.before ?? '');
    for (const group of groupChanges(findChanges(edit), MAX_GAP)) {
      const [first] = group;
      if (!first) continue;
      hunks.push({
        index: hunks.length,
        path: edit.path,
        beforeLine: first.beforeStart + 1,
        beforeCount: group.reduce((sum, { removedLines }) => sum + removedLines.length, 0),
        afterLine: first.afterStart + 1,
        afterCount: group.reduce((sum, { addedLines }) => sum + addedLines.length, 0),
        lines: formatLines(group, before, first.beforeStart).map(removeLineEnd),
      });
    }
  }
  return hunks;
}

/** The edits with only the hunks of these indices. Line ends are kept. Files without a selected hunk are omitted. */
export function selectHunks(edits: readonly FileEdit[], indices: readonly number[]): FileEdit[] {
  const wantedIndices = new Set(indices);
  let index = 0;
  return edits.flatMap((edit) => {
    const groups = groupChanges(findChanges(edit), MAX_GAP);
    const chosenGroups = groups.filter(() => wantedIndices.has(index++));
    if (chosenGroups.length === 0) return [];
    if (chosenGroups.length === groups.length || edit.before === null || edit.after === null) return [edit];
    const lines = splitLines(edit.before);
    for (const { beforeStart, removedLines, addedLines } of chosenGroups.flat().toReversed())
      lines.splice(beforeStart, removedLines.length, ...addedLines);
    return [{ ...edit, after: lines.join('') }];
  });
}

/** Groups changes that have at most `gap` unchanged lines between them. */
export function groupChanges(changes: readonly Change[], gap: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const lastChange = groups.at(-1)?.at(-1);
    if (lastChange && change.beforeStart - (lastChange.beforeStart + lastChange.removedLines.length) <= gap)
      groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

/**
 * Writes the lines of `before` from `from` (an index from 0) to the end of the group, each with its mark: space, `-` or
 * `+`.
 */
export function formatLines(group: readonly Change[], before: readonly string[], from: number): string[] {
  const lines: string[] = [];
  let position = from;
  for (const { beforeStart, removedLines, addedLines } of group) {
    lines.push(
      ...before.slice(position, beforeStart).map((line) => ` ${line}`),
      ...removedLines.map((line) => `-${line}`),
      ...addedLines.map((line) => `+${line}`),
    );
    position = beforeStart + removedLines.length;
  }
  return lines;
}

/** Finds the changes of an edit. A created, deleted or rewritten file is one change; an unchanged one has none. */
export function findChanges(edit: FileEdit): Change[] {
  if (edit.before === edit.after) return [];
  const before = splitLines(edit.before ?? '');
  const after = splitLines(edit.after ?? '');
  const fileChange = [{ beforeStart: 0, removedLines: before, afterStart: 0, addedLines: after }];
  if (edit.before === null || edit.after === null) return fileChange;
  const parts = diffArrays(before, after, { maxEditLength: MAX_DIFFERENCES });
  if (!parts) return fileChange;

  const changes: Change[] = [];
  let [beforeIndex, afterIndex, isAdjacent] = [0, 0, false];
  for (const { value, added, removed } of parts) {
    if (added || removed) {
      const lastChange = isAdjacent ? changes.pop() : undefined;
      const openChange = lastChange ?? {
        beforeStart: beforeIndex,
        removedLines: [],
        afterStart: afterIndex,
        addedLines: [],
      };
      changes.push(
        removed
          ? { ...openChange, removedLines: [...openChange.removedLines, ...value] }
          : { ...openChange, addedLines: [...openChange.addedLines, ...value] },
      );
    }
    isAdjacent = added || removed;
    if (!added) beforeIndex += value.length;
    if (!removed) afterIndex += value.length;
  }
  return changes;
}

function removeLineEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}

/** Counts the lines that the edits add and remove. */
export function countChangedLines(edits: readonly FileEdit[]): { readonly added: number; readonly removed: number } {
  const hunks = createHunks(edits);
  return {
    added: hunks.reduce((sum, { afterCount }) => sum + afterCount, 0),
    removed: hunks.reduce((sum, { beforeCount }) => sum + beforeCount, 0),
  };
}
