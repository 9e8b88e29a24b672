// Decides by its code whether a callback may change something. If it does, the number of its calls matters.

import { ts } from 'ts-morph';
import { collectNodesBelow } from './nodesBelow.ts';
import { isAssignment } from './values.ts';

/** True if a node in the body of the function may have an effect. */
export function mayChangeState({ body }: ts.ArrowFunction | ts.FunctionExpression): boolean {
  return [body, ...collectNodesBelow(body)].some(hasEffect);
}

/**
 * True for code that may have effects: assignments, updates, deletions, `await`, `yield`, `throw`, statements that are
 * expressions, and calls whose names suggest an effect.
 */
function hasEffect(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return isAssignment(node);
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  if (
    ts.isPostfixUnaryExpression(node) ||
    ts.isDeleteExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isYieldExpression(node) ||
    ts.isThrowStatement(node)
  )
    return true;
  // A call whose value is not used is made for its effect.
  if (ts.isExpressionStatement(node)) return true;
  if (!ts.isCallExpression(node)) return false;
  const name = ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name.text
    : ts.isIdentifier(node.expression)
      ? node.expression.text
      : '';
  return /^(add|set|delete|push|pop|shift|unshift|splice|next|write|emit|dispatch|remove|register|log|increment|mark)([A-Z]|$)/.test(
    name,
  );
}
