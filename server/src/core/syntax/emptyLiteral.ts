// Recognises `[]` and `{}`, with or without type assertions.

import { ts } from 'ts-morph';

/** True for an empty list or object literal, even in parentheses or with type assertions. */
export function isEmptyLiteral(value: ts.Expression | undefined): boolean {
  if (!value) return false;
  let inner = value;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isTypeAssertionExpression(inner) ||
    ts.isSatisfiesExpression(inner)
  )
    inner = inner.expression;
  return (
    (ts.isArrayLiteralExpression(inner) && inner.elements.length === 0) ||
    (ts.isObjectLiteralExpression(inner) && inner.properties.length === 0)
  );
}
