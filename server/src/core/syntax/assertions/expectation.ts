// Recognises the parts of an assertion that begins with `expect(…)`.

import { ts } from 'ts-morph';

/** Matches the functions that begin an assertion. */
const EXPECT_NAME_PATTERN = /^(?:expect|expect\.soft)$/;
/**
 * Words between `expect(x)` and the matcher that assert nothing alone. `not`, which negates the matcher, is not among
 * them.
 */
const CONNECTING_WORDS = new Set(
  'to be been is that which and has have with at of same deep does still also'.split(' '),
);

/** True for a word between `expect(x)` and the matcher that asserts nothing alone. */
export function isPlainMatcherWord(word: string): boolean {
  return CONNECTING_WORDS.has(word);
}

/** True for the name of a matcher of Jest and Vitest, which has to be called: `toBe`. */
export function isMatcherName(name: string): boolean {
  return /^to[A-Z]/.test(name);
}

/** The `expect(x)` at the beginning of `expect(x).to.be`, if only connecting words follow it; otherwise null. */
export function findExpectation(expression: ts.Expression): ts.CallExpression | null {
  let current = expression;
  while (ts.isPropertyAccessExpression(current) && CONNECTING_WORDS.has(current.name.text))
    current = current.expression;
  return isExpectation(current) ? current : null;
}

/** True for `expect(x)`. */
export function isExpectation(node: ts.Expression): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !EXPECT_NAME_PATTERN.test(node.expression.getText())) return false;
  return node.arguments.length > 0 && !isNumber(node.arguments[0]!);
}

/** True for a number or a calculation, because in QUnit `expect(4)` sets the number of assertions. */
function isNumber(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node) || ts.isPrefixUnaryExpression(node)) return true;
  return ts.isBinaryExpression(node) && /^[-+*]$/.test(node.operatorToken.getText());
}
