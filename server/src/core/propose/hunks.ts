// Hunks of a proposal: derived from its texts, never stored. Lines keep their own ends, so a chosen part is byte-exact.

import { createTwoFilesPatch, structuredPatch } from 'diff';
import type { FileEdit } from '../model.ts';

export interface Hunk {
  /** Counted over all files of the proposal, from 0. */
  readonly index: number;
  readonly path: string;
  /** 1-based; of a pure insertion the line that it goes before. */
  readonly beforeLine: number;
  readonly beforeCount: number;
  readonly afterLine: number;
  readonly afterCount: number;
  /** With their prefixes `+` and `-`, without line ends. */
  readonly lines: readonly string[];
}

/** Runs of changed lines; runs that touch are one hunk. */
export function hunksOf(edits: readonly FileEdit[]): Hunk[] {
  let index = 0;
  return edits.flatMap((edit) =>
    runsOf(edit).map((run) => ({
      index: index++,
      path: edit.path,
      beforeLine: run.beforeStart + 1,
      beforeCount: run.removed.length,
      afterLine: run.afterStart + 1,
      afterCount: run.added.length,
      lines: [...run.removed.map((line) => `-${stripEnd(line)}`), ...run.added.map((line) => `+${stripEnd(line)}`)],
    })),
  );
}

/** The edits with only the chosen hunks; files without one are left out. Indices that do not exist are ignored. */
export function selectHunks(edits: readonly FileEdit[], indices: readonly number[]): FileEdit[] {
  const wanted = new Set(indices);
  let index = 0;
  return edits.flatMap((edit) => {
    const runs = runsOf(edit);
    const chosen = runs.filter(() => wanted.has(index++));
    if (chosen.length === 0) return [];
    if (chosen.length === runs.length || edit.before === null || edit.after === null) return [edit];
    const lines = splitLines(edit.before);
    for (const run of chosen.toReversed()) lines.splice(run.beforeStart, run.removed.length, ...run.added);
    return [{ ...edit, after: lines.join('') }];
  });
}

/** For people and for `git apply`: three lines of context. */
export function unifiedDiff(edits: readonly FileEdit[]): string {
  return edits
    .map(({ path, before, after }) => createTwoFilesPatch(before === null ? '/dev/null' : `a/${path}`, after === null ? '/dev/null' : `b/${path}`, before ?? '', after ?? '', undefined, undefined, { context: 3 }).replace(/^={3,}\n/, ''))
    .join('');
}

interface Run {
  /** 0-based. */
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function runsOf({ path, before, after }: FileEdit): Run[] {
  const old = splitLines(before ?? '');
  const fresh = splitLines(after ?? '');
  const patch = structuredPatch(path, path, before ?? '', after ?? '', undefined, undefined, { context: 0, stripTrailingCr: false });
  return patch.hunks.map((hunk) => {
    // Unlike in a printed patch, an empty side starts where the other side goes, not one line before.
    const beforeStart = hunk.oldStart - 1;
    const afterStart = hunk.newStart - 1;
    return { beforeStart, afterStart, removed: old.slice(beforeStart, beforeStart + hunk.oldLines), added: fresh.slice(afterStart, afterStart + hunk.newLines) };
  });
}

/** Each line with its own end; the last may have none. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function stripEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}
