// Decides whether a node runs in every iteration of a loop.

import { ts } from 'ts-morph';

/** Operators that may leave their right side unevaluated. */
const SHORT_CIRCUIT_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/**
 * True if the node runs in every iteration. False if a condition, a short circuit (`&&`, `||`, `??`), a `case` or a
 * `throw` is between the node and the loop, or if the node is within a `try` or `catch`.
 */
export function runsInEveryIteration(target: ts.Node, loop: ts.Node): boolean {
  for (let node = target; node.parent && node !== loop; node = node.parent) {
    const { parent } = node;
    if (
      ts.isTryStatement(parent) ||
      ts.isCatchClause(parent) ||
      ts.isCaseOrDefaultClause(parent) ||
      ts.isThrowStatement(parent)
    )
      return false;
    if (ts.isIfStatement(parent) && parent.expression !== node) return false;
    if (ts.isConditionalExpression(parent) && parent.condition !== node) return false;
    if (
      ts.isBinaryExpression(parent) &&
      parent.right === node &&
      SHORT_CIRCUIT_OPERATORS.has(parent.operatorToken.kind)
    )
      return false;
  }
  return true;
}
