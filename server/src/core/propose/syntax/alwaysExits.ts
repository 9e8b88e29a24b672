// Decides by syntax whether control can pass the end of a statement.

import { ts } from 'ts-morph';

/**
 * True if control certainly never passes the end: a `return`, `throw`, `continue` or `break`, an `if` whose branches
 * all exit, an endless loop, or a `try` that exits on every path. False for other statements, such as a `switch`.
 */
export function alwaysExits(statement: ts.Statement): boolean {
  if (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  )
    return true;
  if (ts.isBlock(statement)) return statement.statements.some(alwaysExits);
  if (ts.isIfStatement(statement))
    return (
      statement.elseStatement !== undefined &&
      alwaysExits(statement.thenStatement) &&
      alwaysExits(statement.elseStatement)
    );
  if (ts.isTryStatement(statement)) {
    if (statement.finallyBlock && alwaysExits(statement.finallyBlock)) return true;
    return (
      alwaysExits(statement.tryBlock) &&
      (statement.catchClause === undefined || alwaysExits(statement.catchClause.block))
    );
  }
  if (ts.isWhileStatement(statement) || ts.isDoStatement(statement))
    return statement.expression.kind === ts.SyntaxKind.TrueKeyword && !breaksOut(statement.statement);
  return (
    ts.isForStatement(statement) &&
    (statement.condition === undefined || statement.condition.kind === ts.SyntaxKind.TrueKeyword) &&
    !breaksOut(statement.statement)
  );
}

/** True if the body contains a `break` of its loop, or a `break` with a label, which may be that of this loop. */
function breaksOut(body: ts.Node, isNested = false): boolean {
  if (ts.isBreakStatement(body)) return !isNested || body.label !== undefined;
  if (ts.isFunctionLike(body) || ts.isClassLike(body)) return false;
  const isInnerNested = isNested || ts.isIterationStatement(body, false) || ts.isSwitchStatement(body);
  return ts.forEachChild(body, (child) => breaksOut(child, isInnerNested) || undefined) ?? false;
}
