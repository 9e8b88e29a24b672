// Decides whether every iteration of a loop reaches a place.

import { ts } from 'ts-morph';

const SHORT_CUTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/**
 * True if the place runs in every iteration. False if a condition, a short circuit (`&&`, `||`, `??`), a `case` or a
 * `throw` is between the place and the loop, or if errors thrown there are caught.
 */
export function isDoneEveryTurn(place: ts.Node, loop: ts.Node): boolean {
  for (let at = place; at.parent && at !== loop; at = at.parent) {
    const { parent } = at;
    if (
      ts.isTryStatement(parent) ||
      ts.isCatchClause(parent) ||
      ts.isCaseOrDefaultClause(parent) ||
      ts.isThrowStatement(parent)
    )
      return false;
    if (ts.isIfStatement(parent) && parent.expression !== at) return false;
    if (ts.isConditionalExpression(parent) && parent.condition !== at) return false;
    if (ts.isBinaryExpression(parent) && parent.right === at && SHORT_CUTS.has(parent.operatorToken.kind)) return false;
  }
  return true;
}
