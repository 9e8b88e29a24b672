// Completes assertions of Jest and Vitest that lack a matcher or its call, if only one meaning is plausible.

import { ts } from 'ts-morph';
import { isExpectation } from './expectation.ts';
import { skipParentheses } from '../controlFlow.ts';

/** Matchers that are called without arguments. */
const MATCHERS_WITHOUT_ARGUMENTS = new Set(
  (
    'toBeTruthy toBeFalsy toBeNull toBeUndefined toBeDefined toBeNaN toBeCalled toHaveBeenCalled ' +
    'toHaveBeenCalledOnce toHaveReturned toThrow toThrowError'
  ).split(' '),
);
/** Matches a call of a matcher of Jest or Vitest, which shows that the file uses them. */
const MATCHER_CALL_PATTERN = /\)\s*\.(?:not\s*\.\s*)?to(?:Be|Equal|StrictEqual|Throw|Match|Contain)\w*\(/;
/** The results of `typeof`. */
const TYPE_NAMES = new Set('string number boolean object function undefined symbol bigint'.split(' '));
/** Matches functions that return `true` or `false`. */
const CONDITION_PATTERN = /^(?:Array\.isArray|Number\.is[A-Z]\w*|Object\.is|isNaN|isFinite)$/;

/**
 * The assertion that was meant by one that cannot fail, as code: `expect(x).toBeNull` → `expect(x).toBeNull()`,
 * `expect(x === 3)` → `expect(x).toBe(3)`, `expect(typeof x, 'number')` → `expect(typeof x).toBe('number')`. Null if
 * several are plausible, or if the file uses no matchers of Jest and Vitest.
 */
export function completeAssertion(expression: ts.Expression, sourceFile: ts.SourceFile): string | null {
  if (!MATCHER_CALL_PATTERN.test(sourceFile.text)) return null;
  if (ts.isPropertyAccessExpression(expression)) return completeMatcher(expression, sourceFile);
  if (!isExpectation(expression)) return null;
  const [value, second] = expression.arguments;
  const callee = expression.expression.getText(sourceFile);
  if (second !== undefined) return expression.arguments.length === 2 ? completePair(callee, value!, second) : null;
  return completeCondition(callee, value!);
}

/** `expect(x).toBeNull` → `expect(x).toBeNull()`, if the matcher takes no argument. */
function completeMatcher(expression: ts.PropertyAccessExpression, sourceFile: ts.SourceFile): string | null {
  return MATCHERS_WITHOUT_ARGUMENTS.has(expression.name.text) ? `${expression.getText(sourceFile)}()` : null;
}

/**
 * `expect(x, 3)` → `expect(x).toBe(3)`. A second text may be a message, unless it says which type the first argument
 * has.
 */
function completePair(callee: string, value: ts.Expression, expected: ts.Expression): string | null {
  const isNamedType = ts.isTypeOfExpression(value) && ts.isStringLiteralLike(expected) && TYPE_NAMES.has(expected.text);
  if (isNamedType || isPlainLiteral(expected)) return `${callee}(${value.getText()}).toBe(${expected.getText()})`;
  if (ts.isArrayLiteralExpression(expected) || ts.isObjectLiteralExpression(expected))
    return `${callee}(${value.getText()}).toEqual(${expected.getText()})`;
  return null;
}

/** `expect(x === 3)` → `expect(x).toBe(3)`, `expect(Array.isArray(x))` → `expect(Array.isArray(x)).toBe(true)`. */
function completeCondition(callee: string, value: ts.Expression): string | null {
  const condition = skipParentheses(value);
  if (ts.isBinaryExpression(condition)) {
    const { left, operatorToken, right } = condition;
    const isEqual = operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
    if (isEqual || operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) {
      const negation = isEqual ? '' : '.not';
      // Nothing equals NaN.
      return /^(?:Number\.)?NaN$/.test(right.getText())
        ? null
        : `${callee}(${left.getText()})${negation}.toBe(${right.getText()})`;
    }
    const isComparison = ['<', '<=', '>', '>=', 'in', 'instanceof'].includes(operatorToken.getText());
    return isComparison ? `${callee}(${condition.getText()}).toBe(true)` : null;
  }
  return ts.isCallExpression(condition) && CONDITION_PATTERN.test(condition.expression.getText())
    ? `${callee}(${condition.getText()}).toBe(true)`
    : null;
}

/** True for a number, `true`, `false` and `null`. */
function isPlainLiteral(node: ts.Expression): boolean {
  return (
    ts.isNumericLiteral(node) ||
    (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand)) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
  );
}
