// Recognises parts of the control flow that have no effect: a `catch` that only rethrows, an empty branch, an `if`
// alone in an `else`, and a jump to the place where control continues anyway.

import { ts } from 'ts-morph';

/** True for `catch (e) { throw e; }`. */
export function isOnlyRethrow({ variableDeclaration, block }: ts.CatchClause): boolean {
  const [statement, secondStatement] = block.statements;
  return (
    statement !== undefined &&
    !secondStatement &&
    ts.isThrowStatement(statement) &&
    ts.isIdentifier(statement.expression) &&
    variableDeclaration !== undefined &&
    ts.isIdentifier(variableDeclaration.name) &&
    variableDeclaration.name.text === statement.expression.text
  );
}

/** True for `{}`, even with a comment in it. */
export function isEmptyBlock(node: ts.Node | undefined): node is ts.Block {
  return node !== undefined && ts.isBlock(node) && node.statements.length === 0;
}

/** The `if` that is the only content of the block after `else`; null if there is none. */
export function findLonelyIf({ elseStatement }: ts.IfStatement): ts.IfStatement | null {
  if (!elseStatement || !ts.isBlock(elseStatement)) return null;
  const [statement, secondStatement] = elseStatement.statements;
  return statement && !secondStatement && ts.isIfStatement(statement) ? statement : null;
}

/** True for `return;` at the end of a function, and `continue;` at the end of a loop. */
export function isNeedlessJump(node: ts.Node): node is ts.ReturnStatement | ts.ContinueStatement {
  const isReturn = ts.isReturnStatement(node) && !node.expression;
  if (!isReturn && !(ts.isContinueStatement(node) && !node.label)) return false;
  const { parent } = node;
  if (!ts.isBlock(parent) || parent.statements.at(-1) !== node || !parent.parent) return false;
  return isReturn ? ts.isFunctionLike(parent.parent) : ts.isIterationStatement(parent.parent, false);
}
