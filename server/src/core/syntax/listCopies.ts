// Recognises expressions that create a copy of a list.

import { ts } from 'ts-morph';
import { skipParentheses } from './controlFlow.ts';

/** `x` in `[...x]`; null for any other array literal. */
export function findOnlySpread(node: ts.ArrayLiteralExpression): ts.Expression | null {
  const [onlyElement] = node.elements;
  return node.elements.length === 1 && onlyElement && ts.isSpreadElement(onlyElement)
    ? skipParentheses(onlyElement.expression)
    : null;
}

/** The list in `list.toSorted()`, `[...list].sort()` or `list.slice().sort()`; null for any other call. */
export function findSourceOfSortedCopy(callee: ts.PropertyAccessExpression, method: string): ts.Expression | null {
  const owner = skipParentheses(callee.expression);
  if (method === 'toSorted') return owner;
  if (method !== 'sort') return null;
  if (ts.isArrayLiteralExpression(owner) && owner.elements.length === 1 && ts.isSpreadElement(owner.elements[0]!))
    return owner.elements[0].expression;
  const isCopy =
    ts.isCallExpression(owner) &&
    ts.isPropertyAccessExpression(owner.expression) &&
    owner.expression.name.text === 'slice' &&
    owner.arguments.length === 0;
  return isCopy ? (owner.expression as ts.PropertyAccessExpression).expression : null;
}
