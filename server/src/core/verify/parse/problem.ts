// One problem of a type checker or linter. It is identified without its line number, because a change moves lines.

import type { FileEdit } from '../../model.ts';

export interface Problem {
  readonly path: string;
  /** Diagnostic code or rule. */
  readonly code: string;
  readonly message: string;
  /** 1-based, if known. */
  readonly line?: number;
  /** The line of code that it is about, trimmed. */
  readonly text?: string;
}

/** Problems of `after` that `before` does not have, compared as multisets by `keyOf`. */
export function added(
  before: readonly Problem[],
  after: readonly Problem[],
  keyOf: (problem: Problem) => string,
): Problem[] {
  const left = new Map<string, number>();
  for (const problem of before) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    const count = left.get(keyOf(problem)) ?? 0;
    left.set(keyOf(problem), count - 1);
    return count <= 0;
  });
}

/**
 * Like `added`, but the line of code is part of the key: an error that disappears in one place does not offset one in
 * another. On an edited line, an error counts as old if exactly the same one disappeared from a removed line.
 */
export function addedInCode(
  before: readonly Problem[],
  after: readonly Problem[],
  edits: readonly FileEdit[],
): Problem[] {
  const gone = added(after, before, inCode).filter(
    ({ path, text }) => text !== undefined && !has(edits, path, 'after', text),
  );
  return added(before, after, inCode).filter((problem) => {
    if (problem.text === undefined || has(edits, problem.path, 'before', problem.text)) return true;
    const twin = gone.findIndex((one) => bare(one) === bare(problem));
    if (twin < 0) return true;
    gone.splice(twin, 1);
    return false;
  });
}

function inCode(problem: Problem): string {
  return `${bare(problem)}\0${problem.text ?? ''}`;
}

function bare({ path, code, message }: Problem): string {
  return `${path}\0${code}\0${message}`;
}

/** True if that side of an edit contains the line, and for a file without edits. */
function has(edits: readonly FileEdit[], path: string, side: 'before' | 'after', line: string): boolean {
  const edit = edits.find((one) => one.path === path);
  return !edit || (edit[side] ?? '').split('\n').some((text) => text.trim() === line);
}
