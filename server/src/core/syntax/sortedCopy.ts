// Recognises calls that create a sorted copy of a list.

import { ts } from 'ts-morph';
import { skipParentheses } from './controlFlow.ts';

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
