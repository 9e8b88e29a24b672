// unreachable-code: finds statements that never run, according to the control flow that TypeScript's binder computes.

import { ts } from 'ts-morph';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [
    ts.SyntaxKind.SourceFile,
    ts.SyntaxKind.Block,
    ts.SyntaxKind.CaseClause,
    ts.SyntaxKind.DefaultClause,
    ts.SyntaxKind.ModuleBlock,
  ],
  find: findUnreachableCode,
};

/**
 * A node with the field that the binder sets, and leaves undefined for unreachable statements. The public types do not
 * show the field.
 */
interface NodeWithFlow extends ts.Node {
  readonly flowNode?: unknown;
}

/**
 * Reports the unreachable statements of a list. Null for a file that was not bound, for a branch of `if (true)` or `if
 * (false)`, after a `throw` that marks unfinished code, and for a single `break`. `node` is the block, clause or file
 * that contains the list.
 */
function findUnreachableCode(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  if (!isBound(sourceFile)) return null;
  const { statements } = node as ts.Block;
  const firstIndex = statements.findIndex(isUnreachable);
  if (firstIndex < 0 || isInUnreachable(node) || isSwitchedOff(node)) return null;
  const deadStatements = statements.slice(firstIndex).filter(doesSomething);
  const [firstDeadStatement] = deadStatements;
  if (!firstDeadStatement || (deadStatements.length === 1 && ts.isBreakStatement(firstDeadStatement))) return null;
  const exitStatement = statements[firstIndex - 1];
  if (exitStatement && isUnfinishedMarker(exitStatement, sourceFile)) return null;
  const end = deadStatements.at(-1)!.end;
  return {
    rule: 'unreachable-code',
    start: firstDeadStatement.getStart(sourceFile),
    end,
    nameStart: firstDeadStatement.getStart(sourceFile),
    nameEnd: firstDeadStatement.end,
    impact: 30,
    confidence: 0.85,
    message: `nothing reaches ${deadStatements.length === 1 ? 'a statement' : `${deadStatements.length} statements`}${exitStatement ? ': the code before it always leaves' : ''}.`,
    evidence: { statements: deadStatements.length },
    recipe: 'remove-unreachable',
    ...(exitStatement
      ? {
          related: [
            { start: exitStatement.getStart(sourceFile), end: exitStatement.end, message: 'Nothing after this runs.' },
          ],
        }
      : {}),
  };
}

/** True for a statement such as `throw new Error('not implemented yet')`, after which code is prepared for later. */
function isUnfinishedMarker(exitStatement: ts.Statement, sourceFile: ts.SourceFile): boolean {
  return (
    ts.isThrowStatement(exitStatement) &&
    /not[\s-](yet[\s-])?implemented|\btodo\b/i.test(exitStatement.getText(sourceFile))
  );
}

/** True if TypeScript's binder has worked on the file, which sets the flow nodes. */
function isBound(sourceFile: ts.SourceFile): boolean {
  return (sourceFile as ts.SourceFile & { readonly locals?: unknown }).locals !== undefined;
}

function isUnreachable(statement: ts.Statement): boolean {
  return hasFlow(statement) && (statement as NodeWithFlow).flowNode === undefined;
}

/** True if `node` or a statement around it in the same function or class is unreachable, and reported as a whole. */
function isInUnreachable(node: ts.Node): boolean {
  for (let outer = node; outer; outer = outer.parent) {
    if (hasFlow(outer) && (outer as NodeWithFlow).flowNode === undefined) return true;
    if (ts.isFunctionLike(outer) || ts.isClassLike(outer)) return false;
  }
  return false;
}

/** True for a branch of `if (true)` or `if (false)`, which the author uses as a switch. */
function isSwitchedOff(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isBlock(node) &&
    ts.isIfStatement(parent) &&
    (parent.expression.kind === ts.SyntaxKind.TrueKeyword || parent.expression.kind === ts.SyntaxKind.FalseKeyword)
  );
}

/** True for the kinds of statements that the binder marks. */
function hasFlow(node: ts.Node): boolean {
  return node.kind >= ts.SyntaxKind.FirstStatement && node.kind <= ts.SyntaxKind.LastStatement;
}

/** False for `;`, and for all declarations except those of variables with values, because they are not dead code. */
function doesSomething(statement: ts.Statement): boolean {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.some(({ initializer }) => initializer !== undefined);
  return hasFlow(statement) && !ts.isEmptyStatement(statement);
}
