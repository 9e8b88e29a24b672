// Decides how a run of statements ends: whether control can pass its end, and whether it jumps out.

import { ts } from 'ts-morph';

/**
 * True if every path through the statements ends with `return` or `throw`. The end of a loop counts as reachable, even
 * if the loop is endless. The answer is valid only for statements for which `jumpsOut` returns false.
 */
export function leavesFunction(statements: readonly ts.Statement[]): boolean {
  return statements.some(alwaysLeaves);
}

/**
 * True if the statement is or contains a `break` or `continue` whose loop, switch or label is outside it. The other
 * parameters describe the part of the statement around the examined node.
 */
export function jumpsOut(
  statement: ts.Node,
  isInLoop = false,
  isInSwitch = false,
  labels: readonly string[] = [],
): boolean {
  if (ts.isFunctionLike(statement) || ts.isClassLike(statement)) return false;
  if (ts.isBreakOrContinueStatement(statement)) {
    if (statement.label) return !labels.includes(statement.label.text);
    return ts.isContinueStatement(statement) ? !isInLoop : !isInLoop && !isInSwitch;
  }
  const isInsideLoop = isInLoop || ts.isIterationStatement(statement, false);
  const innerLabels = ts.isLabeledStatement(statement) ? [...labels, statement.label.text] : labels;
  return (
    ts.forEachChild(
      statement,
      (child) => jumpsOut(child, isInsideLoop, isInSwitch || ts.isSwitchStatement(statement), innerLabels) || undefined,
    ) ?? false
  );
}

/** True if each path through the statement returns or throws. Loops count as not leaving. */
function alwaysLeaves(statement: ts.Statement): boolean {
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) return true;
  if (ts.isBlock(statement)) return leavesFunction(statement.statements);
  if (ts.isIfStatement(statement))
    return (
      statement.elseStatement !== undefined &&
      alwaysLeaves(statement.thenStatement) &&
      alwaysLeaves(statement.elseStatement)
    );
  if (ts.isTryStatement(statement)) {
    if (statement.finallyBlock && alwaysLeaves(statement.finallyBlock)) return true;
    return (
      alwaysLeaves(statement.tryBlock) &&
      (statement.catchClause === undefined || alwaysLeaves(statement.catchClause.block))
    );
  }
  if (!ts.isSwitchStatement(statement)) return false;
  const { clauses } = statement.caseBlock;
  const lastClause = clauses.at(-1);
  // A case that does not leave the function falls through to the next one.
  return (
    lastClause !== undefined &&
    clauses.some((clause) => ts.isDefaultClause(clause)) &&
    leavesFunction(lastClause.statements) &&
    !clauses.some((clause) => clause.statements.some((inner) => breaksSwitch(inner)))
  );
}

/** True if the node is or contains a `break` of the enclosing switch, or a `break` with a label. */
function breaksSwitch(node: ts.Node): boolean {
  if (ts.isBreakStatement(node)) return true;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  if (ts.isIterationStatement(node, false) || ts.isSwitchStatement(node)) return hasLabelledBreak(node);
  return ts.forEachChild(node, (child) => breaksSwitch(child) || undefined) ?? false;
}

/** True if the node is or contains a `break` with a label. */
function hasLabelledBreak(node: ts.Node): boolean {
  if (ts.isBreakStatement(node)) return node.label !== undefined;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  return ts.forEachChild(node, (child) => hasLabelledBreak(child) || undefined) ?? false;
}
