// A problem of a type checker or linter. It is identified without its line number, because a change moves lines.

import type { FileEdit } from '../../model.ts';
import { subtractByKey } from '../../../util/values/countBy.ts';

/** A problem of a type checker or linter. */
export interface Problem {
  readonly path: string;
  /** Diagnostic code or rule. */
  readonly code: string;
  readonly message: string;
  /** 1-based line number, if known. */
  readonly line?: number;
  /** The line of code with the problem, trimmed. */
  readonly text?: string;
}

/** Problems of `after` that are not in `before`, compared as multisets by `keyOf`. */
export function findAddedProblems(
  before: readonly Problem[],
  after: readonly Problem[],
  keyOf: (problem: Problem) => string,
): Problem[] {
  return subtractByKey(after, before, keyOf);
}

/**
 * Problems of `after` that are not in `before`, compared as multisets by path, code, message and line of code, so that
 * an error that disappears in one place does not offset an error in another place. On an edited line, an error counts
 * as old if the same error disappeared from a removed line.
 */
export function findAddedInCode(
  before: readonly Problem[],
  after: readonly Problem[],
  edits: readonly FileEdit[],
): Problem[] {
  const disappearedProblems = findAddedProblems(after, before, createKeyWithCode).filter(
    ({ path, text }) => text !== undefined && !hasLine(edits, path, 'after', text),
  );
  return findAddedProblems(before, after, createKeyWithCode).filter((problem) => {
    if (problem.text === undefined || hasLine(edits, problem.path, 'before', problem.text)) return true;
    const twinIndex = disappearedProblems.findIndex(
      (candidate) => createProblemKey(candidate) === createProblemKey(problem),
    );
    if (twinIndex < 0) return true;
    disappearedProblems.splice(twinIndex, 1);
    return false;
  });
}

/** The identity of a problem, with the line of code. */
function createKeyWithCode(problem: Problem): string {
  return `${createProblemKey(problem)}\0${problem.text ?? ''}`;
}

/** The identity of a problem, without the line of code. */
function createProblemKey({ path, code, message }: Problem): string {
  return `${path}\0${code}\0${message}`;
}

/** True if that side of an edit contains the line. Also true for a file without edits. */
function hasLine(edits: readonly FileEdit[], path: string, side: 'before' | 'after', line: string): boolean {
  const edit = edits.find((candidate) => candidate.path === path);
  return !edit || (edit[side] ?? '').split('\n').some((text) => text.trim() === line);
}
