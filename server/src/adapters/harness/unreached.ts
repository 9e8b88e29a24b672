// Finds lines that differ between old and new code and that no input reached. Code that never ran was never compared.

import { diffLines } from 'diff';
import { ts } from 'ts-morph';
import type { HarnessReport } from '../../core/verify/differential/plan.ts';
import type { RanCode } from './messages.ts';

/** The code of a file as it ran in one process. */
type RanLines = Omit<RanCode, 'seen'>;
/** Ranges of offsets. */
type Ranges = readonly (readonly [from: number, to: number])[];

/**
 * The changed lines with code that no input reached, trimmed, with their paths. `oldRuns` and `newRuns`: the code that
 * ran in each process of that side. A range counts as unreached if no process reached it. `created`: paths of files
 * that the old side does not have.
 */
export function findUnreachedLines(
  oldRuns: readonly (readonly RanLines[])[],
  newRuns: readonly (readonly RanLines[])[],
  paths: ReadonlySet<string>,
  created: ReadonlySet<string>,
): HarnessReport['unreached'] {
  const oldCodeByPath = mergeRuns(oldRuns);
  const newCodeByPath = mergeRuns(newRuns);
  return [...paths].flatMap((path) => {
    const newCode = newCodeByPath.get(path);
    const oldCode = oldCodeByPath.get(path) ?? (created.has(path) ? { path, code: '', unreached: [] } : undefined);
    if (!oldCode || !newCode) return [];
    return [
      ...findUnreachedChangedLines(oldCode.code, newCode.code, 'removed', oldCode.unreached),
      ...findUnreachedChangedLines(oldCode.code, newCode.code, 'added', newCode.unreached),
    ].map((text) => ({ path, text }));
  });
}

/** The code of each file, with the ranges that no process reached. */
function mergeRuns(processes: readonly (readonly RanLines[])[]): ReadonlyMap<string, RanLines> {
  const codeByPath = new Map<string, RanLines>();
  for (const { path, code, unreached } of processes.flat()) {
    const mergedSoFar = codeByPath.get(path);
    codeByPath.set(path, {
      path,
      code,
      unreached: mergedSoFar ? intersectRanges(mergedSoFar.unreached, unreached) : unreached,
    });
  }
  return codeByPath;
}

/** The parts of the ranges that are in both lists. */
function intersectRanges(ranges: Ranges, otherRanges: Ranges): Ranges {
  return ranges.flatMap(([from, to]) =>
    otherRanges.flatMap(([start, end]): [number, number][] =>
      Math.max(from, start) < Math.min(to, end) ? [[Math.max(from, start), Math.min(to, end)]] : [],
    ),
  );
}

/**
 * The trimmed lines of one side that the other side does not have and that contain code which never ran. Lines of code
 * that can never run are omitted.
 */
function findUnreachedChangedLines(
  before: string,
  after: string,
  side: 'added' | 'removed',
  unreached: Ranges,
): string[] {
  const code = side === 'added' ? after : before;
  const unreachableRanges = collectUnreachable(code);
  const lines: string[] = [];
  let index = 0;
  for (const part of diffLines(before, after)) {
    if ((side === 'added' && part.removed) || (side === 'removed' && part.added)) continue;
    for (const line of part.value.split(/(?<=\n)/)) {
      const from = index + (line.length - line.trimStart().length);
      const to = index + line.trimEnd().length;
      index += line.length;
      if (!part[side] || !/[\w$]/.test(line)) continue;
      const unreachedRange = unreached.find(
        ([start, end]) =>
          Math.max(start, from) < Math.min(end, to) &&
          /[\w$]/.test(code.slice(Math.max(start, from), Math.min(end, to))),
      );
      if (unreachedRange && !unreachableRanges.some(([start, end]) => start <= from && to <= end))
        lines.push(line.trim());
    }
  }
  return lines;
}

/** The ranges of statements that can never run, because an earlier statement in the same block always leaves it. */
function collectUnreachable(code: string): [number, number][] {
  const ranges: [number, number][] = [];
  const visit = (node: ts.Node): void => {
    const statements =
      ts.isBlock(node) || ts.isSourceFile(node) || ts.isCaseOrDefaultClause(node) ? node.statements : [];
    const exitIndex = statements.findIndex(
      (statement) =>
        ts.isReturnStatement(statement) ||
        ts.isThrowStatement(statement) ||
        ts.isBreakStatement(statement) ||
        ts.isContinueStatement(statement),
    );
    if (exitIndex >= 0)
      for (const laterStatement of statements.slice(exitIndex + 1))
        if (!ts.isFunctionDeclaration(laterStatement)) ranges.push([laterStatement.pos, laterStatement.end]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('code.js', code, ts.ScriptTarget.Latest, true));
  return ranges;
}
