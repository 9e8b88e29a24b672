// Lists the runs of statements in a function that could become functions of their own, best first.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { computeCognitive, computeFunctionComplexity, computeNesting } from './cognitive.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** A function with a block as its body. */
export type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.Block };

/** A run of statements that could become a function. */
export interface ExtractionCandidate {
  readonly statements: readonly ts.Statement[];
  /** Complexity that the outer function would lose. */
  readonly removedComplexity: number;
  /** Complexity that the new function would have. */
  readonly newComplexity: number;
  /** The quality of the candidate; higher is better. It has no unit. */
  readonly score: number;
}

/** Minimum number of moved statements, including nested ones. */
const MIN_STATEMENTS = 4;
/** Minimum complexity that the outer function loses. */
const MIN_REMOVED = 3;
/** SonarSource's default limit, above which a function is too complex. */
const MAX_COMPLEXITY = 15;
/** Minimum reduction of the complexity above the limit, if the outer function stays above the limit. */
const MIN_GAIN = 5;
/**
 * Minimum reduction as a share of the complexity above the limit. It is stricter than `MIN_GAIN` for functions far
 * above the limit.
 */
const MIN_SHARE_OF_EXCESS = 1 / 8;
/**
 * The score of an edge of a run that is at a blank line, at a comment or at an end of its list. Any other edge costs as
 * much, or nothing if a single statement moves.
 */
const SEAM_SCORE = 2;
/** Penalty for a run that is the whole body of a loop. */
const LOOP_BODY_PENALTY = 3;
/** Maximum number of examined statements of a list, because the number of runs grows with its square. */
const MAX_STATEMENTS = 80;
/**
 * Maximum number of moved lines. A reviewer compares them with the lines at their old place, and few people compare
 * more than a screenful.
 */
const MAX_LINES = 40;
/**
 * Maximum complexity of the new function as a share of the old one's. A larger share would only move the complexity.
 */
const MAX_SHARE = 0.75;

/**
 * Finds the extraction candidates of a function, best first; empty if none is worth moving. Statements of inner
 * functions and classes are not examined. Data flow is not considered yet.
 */
export function findExtractionCandidates(outerFunction: FunctionWithBody): ExtractionCandidate[] {
  const sourceFile = outerFunction.getSourceFile();
  const totalComplexity = computeFunctionComplexity(outerFunction);
  return collectLists(outerFunction)
    .flatMap((siblings) => collectCandidates(siblings, outerFunction, totalComplexity, sourceFile))
    .sort(
      (a, b) =>
        b.score - a.score || a.statements.length - b.statements.length || a.statements[0]!.pos - b.statements[0]!.pos,
    );
}

/**
 * Measures of a statement or of a run of statements: the complexity that the outer function loses, the complexity of
 * the new function, and the number of statements (`statementCount`).
 */
interface Weight {
  readonly removedComplexity: number;
  readonly newComplexity: number;
  readonly statementCount: number;
}

/** Collects the candidates in one list of statements. `totalComplexity`: the complexity of the outer function. */
function collectCandidates(
  siblings: readonly ts.Statement[],
  outerFunction: FunctionWithBody,
  totalComplexity: number,
  sourceFile: ts.SourceFile,
): ExtractionCandidate[] {
  const statements = siblings.slice(0, MAX_STATEMENTS);
  const [firstStatement] = statements;
  if (!firstStatement) return [];
  const nesting = computeNesting(outerFunction.body, firstStatement);
  const weights = statements.map((statement) => ({
    removedComplexity: computeCognitive(statement, nesting),
    newComplexity: computeCognitive(statement),
    statementCount: countStatements(statement),
  }));
  const candidates: ExtractionCandidate[] = [];
  for (let firstIndex = 0; firstIndex < statements.length; firstIndex++) {
    let weight: Weight = { removedComplexity: 0, newComplexity: 0, statementCount: 0 };
    for (let lastIndex = firstIndex; lastIndex < statements.length; lastIndex++) {
      weight = addWeights(weight, weights[lastIndex]!);
      const isWholeBody =
        siblings === outerFunction.body.statements && firstIndex === 0 && lastIndex === siblings.length - 1;
      if (isWholeBody || !isWorthMoving(weight, totalComplexity)) continue;
      const run = statements.slice(firstIndex, lastIndex + 1);
      if (countLines(run, sourceFile) > MAX_LINES || !isCoherent(run, weights[firstIndex]!, weights[lastIndex]!))
        continue;
      // If the whole body of a loop moves, hardly anything remains in the loop.
      const penalty = run.length === siblings.length && isLoopBody(run[0]!) ? LOOP_BODY_PENALTY : 0;
      const { removedComplexity, newComplexity } = weight;
      const baseScore =
        computeGain(totalComplexity, removedComplexity, newComplexity) +
        (removedComplexity - newComplexity) / 2 +
        rateEdges(siblings, firstIndex, lastIndex, sourceFile);
      candidates.push({
        statements: run,
        removedComplexity,
        newComplexity,
        score: baseScore - penalty - run.length / 10,
      });
    }
  }
  return candidates;
}

function addWeights(a: Weight, b: Weight): Weight {
  return {
    removedComplexity: a.removedComplexity + b.removedComplexity,
    newComplexity: a.newComplexity + b.newComplexity,
    statementCount: a.statementCount + b.statementCount,
  };
}

/** True if the run is neither too small nor too large, and the outer function gains enough. */
function isWorthMoving({ removedComplexity, newComplexity, statementCount }: Weight, totalComplexity: number): boolean {
  if (
    statementCount < MIN_STATEMENTS ||
    removedComplexity < MIN_REMOVED ||
    newComplexity > Math.min(MAX_COMPLEXITY, totalComplexity * MAX_SHARE)
  )
    return false;
  const minGain = Math.max(MIN_GAIN, (totalComplexity - MAX_COMPLEXITY) * MIN_SHARE_OF_EXCESS);
  return (
    totalComplexity - removedComplexity <= MAX_COMPLEXITY ||
    computeGain(totalComplexity, removedComplexity, newComplexity) >= minGain
  );
}

/**
 * True if the first statement adds complexity or declares a variable that the other statements use, and if the last one
 * adds complexity or uses a variable that the run declares.
 */
function isCoherent(run: readonly ts.Statement[], firstWeight: Weight, lastWeight: Weight): boolean {
  return (
    (firstWeight.removedComplexity > 0 || beginsWithUsedDeclaration(run)) &&
    (lastWeight.removedComplexity > 0 || endsWithUseOfDeclaration(run))
  );
}

/** The number of lines from the comment above the run to the end of its last statement. */
function countLines(run: readonly ts.Statement[], sourceFile: ts.SourceFile): number {
  const text = sourceFile.text.slice(run[0]!.getFullStart(), run.at(-1)!.end);
  return text.trim().split('\n').length;
}

/**
 * Rates both edges of a run. Each adds `SEAM_SCORE` if it is at a blank line, at a comment or at an end of the list;
 * otherwise it subtracts as much, or nothing if a single statement moves.
 */
function rateEdges(
  statements: readonly ts.Statement[],
  firstIndex: number,
  lastIndex: number,
  sourceFile: ts.SourceFile,
): number {
  // A single loop or branch is complete in itself, so it needs no blank line or comment around it.
  const penalty = firstIndex === lastIndex ? 0 : -SEAM_SCORE;
  const rateEdge = (before: ts.Statement | undefined, after: ts.Statement | undefined) =>
    before && after && !isSeam(sourceFile, before, after) ? penalty : SEAM_SCORE;
  return (
    rateEdge(statements[firstIndex - 1], statements[firstIndex]) +
    rateEdge(statements[lastIndex], statements[lastIndex + 1])
  );
}

/** Collects every node of the run, including its statements. */
export function collectCandidateNodes({ statements }: Pick<ExtractionCandidate, 'statements'>): ts.Node[] {
  return statements.flatMap((statement) => [statement, ...collectDescendants(statement)]);
}

/**
 * The reduction of complexity above the limit: the excess of the old function, less the excess of what remains of it
 * and of the new function.
 */
function computeGain(totalComplexity: number, removedComplexity: number, newComplexity: number): number {
  const excess = (complexity: number) => Math.max(0, complexity - MAX_COMPLEXITY);
  return excess(totalComplexity) - excess(totalComplexity - removedComplexity) - excess(newComplexity);
}

/** True for a statement directly in the body of a loop. */
function isLoopBody({ parent }: ts.Node): boolean {
  return ts.isBlock(parent) && ts.isIterationStatement(parent.parent, false);
}

/** True if a blank line or a comment on a line of its own separates the statements. */
function isSeam(sourceFile: ts.SourceFile, before: ts.Statement, after: ts.Statement): boolean {
  const betweenText = sourceFile.text.slice(before.end, after.getStart(sourceFile));
  return /\n[ \t]*\r?\n/.test(betweenText) || /\n[ \t]*\/[/*]/.test(betweenText);
}

/** True if the first statement declares a name that the others use. */
function beginsWithUsedDeclaration([first, ...otherStatements]: readonly ts.Statement[]): boolean {
  if (!first || !ts.isVariableStatement(first)) return false;
  const names = new Set(first.declarationList.declarations.flatMap(({ name }) => listBoundNames(name)));
  return otherStatements.some((statement) => refersTo(statement, names));
}

/** True if the last statement uses a variable that an earlier statement of the run declares. */
function endsWithUseOfDeclaration(run: readonly ts.Statement[]): boolean {
  const lastStatement = run.at(-1);
  const names = new Set(
    run
      .slice(0, -1)
      .flatMap((statement) =>
        ts.isVariableStatement(statement)
          ? statement.declarationList.declarations.flatMap(({ name }) => listBoundNames(name))
          : [],
      ),
  );
  return lastStatement !== undefined && refersTo(lastStatement, names);
}

function refersTo(statement: ts.Statement, names: ReadonlySet<string>): boolean {
  return collectDescendants(statement).some((node) => ts.isIdentifier(node) && names.has(node.text));
}

/** Collects all lists of statements in the function, except those in inner functions and classes. */
function collectLists(outerFunction: FunctionWithBody): (readonly ts.Statement[])[] {
  const lists: (readonly ts.Statement[])[] = [outerFunction.body.statements];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isBlock(node) && node !== outerFunction.body) lists.push(node.statements);
    if (ts.isCaseOrDefaultClause(node)) lists.push(node.statements);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(outerFunction.body, visit);
  return lists;
}

/** The number of statements, including nested ones but not blocks. */
function countStatements(statement: ts.Statement): number {
  return [statement, ...collectDescendants(statement)].filter((node) => ts.isStatement(node) && !ts.isBlock(node))
    .length;
}
