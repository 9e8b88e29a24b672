// Finds runs of statements that are equal in two places of a file, except for names of variables and a few values.

import { ts } from 'ts-morph';
import { collectDescendants, type Span } from '../syntax/locate.ts';
import type { Names } from '../syntax/names.ts';
import { compareStatements, type DifferingValue } from './differences.ts';

/** Statements that behave alike in two places, except for values that could become parameters. */
export interface RunPair {
  readonly firstRun: readonly ts.Statement[];
  readonly secondRun: readonly ts.Statement[];
  /** The names of parameters and variables in the second run, by their names in the first. */
  readonly renames: ReadonlyMap<string, string>;
  readonly differences: readonly DifferingValue[];
  /** Number of lines of the first run that are not blank. */
  readonly lineCount: number;
}

/** Minimum number of lines. Sharing fewer would not make the file shorter. */
const MIN_LINES = 6;
/** Maximum number of statements in a list. Longer lists are tables or generated code. */
const MAX_LIST_LENGTH = 80;
/** Maximum number of runs that are returned. */
const MAX_PAIRS = 30;
/** Maximum number of differing values. Copies with more have developed separately. */
const MAX_DIFFERENCES = 6;

/**
 * Finds the pairs of equal runs, one run in each span, longest first, at most `MAX_PAIRS`. Parts of longer runs are
 * included.
 */
export function findTwinRuns(sourceFile: ts.SourceFile, names: Names, span: Span, otherSpan: Span): RunPair[] {
  const pairs: RunPair[] = [];
  for (const statements of collectLists(sourceFile, span))
    for (const otherStatements of collectLists(sourceFile, otherSpan))
      pairs.push(...collectRuns(sourceFile, names, statements, otherStatements));
  return pairs.sort((a, b) => b.lineCount - a.lineCount || a.firstRun[0]!.pos - b.firstRun[0]!.pos).slice(0, MAX_PAIRS);
}

/** Collects the statements of each block or case that are inside the span. */
function collectLists(sourceFile: ts.SourceFile, { start, end }: Span): (readonly ts.Statement[])[] {
  return collectDescendants(sourceFile)
    .filter((node): node is ts.Block | ts.CaseOrDefaultClause => ts.isBlock(node) || ts.isCaseOrDefaultClause(node))
    .map(({ statements }) =>
      statements.filter((statement) => statement.getStart(sourceFile) >= start && statement.end <= end),
    )
    .filter(({ length }) => length > 0 && length <= MAX_LIST_LENGTH);
}

/** Collects all pairs of equal runs of at least `MIN_LINES` lines, one run in each list. */
function collectRuns(
  sourceFile: ts.SourceFile,
  names: Names,
  statements: readonly ts.Statement[],
  otherStatements: readonly ts.Statement[],
): RunPair[] {
  const [outermostFunction, otherOutermostFunction] = [
    findOutermostFunction(statements[0]!),
    findOutermostFunction(otherStatements[0]!),
  ];
  if (!outermostFunction || !otherOutermostFunction) return [];
  const runs: RunPair[] = [];
  for (const [firstIndex, firstStatement] of statements.entries()) {
    for (const [otherIndex, otherFirstStatement] of otherStatements.entries()) {
      if (firstStatement === otherFirstStatement || firstStatement.kind !== otherFirstStatement.kind) continue;
      for (
        let length = 1;
        firstIndex + length <= statements.length && otherIndex + length <= otherStatements.length;
        length++
      ) {
        const run = statements.slice(firstIndex, firstIndex + length);
        const otherRun = otherStatements.slice(otherIndex, otherIndex + length);
        if (haveCommonPart(run, otherRun)) break;
        const comparison = compareStatements(
          { node: outermostFunction, names },
          { node: otherOutermostFunction, names },
          run,
          otherRun,
        );
        if ('refused' in comparison || comparison.differences.length > MAX_DIFFERENCES) break;
        const lines = countLines(sourceFile, run);
        if (lines >= MIN_LINES) runs.push({ ...comparison, firstRun: run, secondRun: otherRun, lineCount: lines });
      }
    }
  }
  return runs;
}

/** Finds the outermost function that contains the statement; null outside functions. */
function findOutermostFunction(statement: ts.Statement): ts.FunctionLikeDeclaration | null {
  let outermost: ts.FunctionLikeDeclaration | null = null;
  for (let node: ts.Node = statement; node.parent; node = node.parent)
    if (ts.isFunctionLike(node)) outermost = node as ts.FunctionLikeDeclaration;
  return outermost;
}

function haveCommonPart(run: readonly ts.Statement[], otherRun: readonly ts.Statement[]): boolean {
  return run[0]!.pos < otherRun.at(-1)!.end && otherRun[0]!.pos < run.at(-1)!.end;
}

/** The number of lines of the run that are not empty. */
function countLines({ text }: ts.SourceFile, run: readonly ts.Statement[]): number {
  return text
    .slice(run[0]!.getStart(), run.at(-1)!.end)
    .split('\n')
    .filter((line) => line.trim() !== '').length;
}
