// Recognises parts of the control flow that do nothing: a catch that only rethrows, an empty branch, a jump to where
// control goes anyway.

import { ts } from 'ts-morph';

/** True for `catch (e) { throw e; }`. */
export function rethrowsOnly({ variableDeclaration, block }: ts.CatchClause): boolean {
  const [only, more] = block.statements;
  return (
    only !== undefined &&
    !more &&
    ts.isThrowStatement(only) &&
    ts.isIdentifier(only.expression) &&
    variableDeclaration !== undefined &&
    ts.isIdentifier(variableDeclaration.name) &&
    variableDeclaration.name.text === only.expression.text
  );
}

/** True for `{}`, also with a comment in it. */
export function isEmptyBlock(node: ts.Node | undefined): node is ts.Block {
  return node !== undefined && ts.isBlock(node) && node.statements.length === 0;
}

/** The `if` that is the only content of the block after `else`; null if there is none. */
export function lonelyIf({ elseStatement }: ts.IfStatement): ts.IfStatement | null {
  if (!elseStatement || !ts.isBlock(elseStatement)) return null;
  const [only, more] = elseStatement.statements;
  return only && !more && ts.isIfStatement(only) ? only : null;
}

/** True for `return;` at the end of a function, and `continue;` at the end of a loop. */
export function isNeedlessJump(node: ts.Node): node is ts.ReturnStatement | ts.ContinueStatement {
  const isReturn = ts.isReturnStatement(node) && !node.expression;
  if (!isReturn && !(ts.isContinueStatement(node) && !node.label)) return false;
  const { parent } = node;
  if (!ts.isBlock(parent) || parent.statements.at(-1) !== node || !parent.parent) return false;
  return isReturn ? ts.isFunctionLike(parent.parent) : ts.isIterationStatement(parent.parent, false);
}
