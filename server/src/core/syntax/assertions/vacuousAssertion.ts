// Recognises assertions that cannot fail (`expect(x);`, `expect(x).toBe;`, `expect(x).toBe(x)`, `assert.equal(x, x)`),
// and completes those whose meaning is certain.

import { ts } from 'ts-morph';
import { isSameCode, quoteCode } from '../bugPatterns/sameCode.ts';
import { completeAssertion } from './completeAssertion.ts';
import { findExpectation, isExpectation, isMatcherName, isPlainMatcherWord } from './expectation.ts';

/** Matches the matchers that compare two values. */
const COMPARING_MATCHER_PATTERN = /^(?:toBe|toEqual|toStrictEqual|equal|equals|eql|eq|deepEqual)$/;
/** Matches the assertions that compare their first two arguments. */
const COMPARING_CALL_PATTERN =
  /^(?:(?:assert|chai\.assert|assert\.strict)\.(?:equal|strictEqual|deepEqual|deepStrictEqual|same)|t\.(?:is|same|deepEqual|equal|strictEqual|strictSame))$/;

/** An assertion that cannot fail. */
export interface VacuousAssertion {
  /** The reason why it cannot fail, as a clause. */
  readonly problem: string;
  /** The assertion that was meant, as code; null if only a person knows it. */
  readonly completed: string | null;
}

/** The assertion that cannot fail of a statement that is only an expression; null if there is none, or if it can fail. */
export function findVacuousAssertion(
  { expression }: ts.ExpressionStatement,
  sourceFile: ts.SourceFile,
): VacuousAssertion | null {
  const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
  const problem = explainVacuous(inner, sourceFile);
  if (problem === null) return null;
  // What is awaited may be the value or the assertion.
  return { problem, completed: inner === expression ? completeAssertion(inner, sourceFile) : null };
}

function explainVacuous(expression: ts.Expression, sourceFile: ts.SourceFile): string | null {
  if (isExpectation(expression)) return `${quoteCode(expression)} has no matcher`;
  if (ts.isPropertyAccessExpression(expression)) {
    const { name } = expression;
    const isUncalled = isMatcherName(name.text) || isPlainMatcherWord(name.text) || name.text === 'not';
    return isUncalled && findExpectation(skipNegation(expression))
      ? `\`${name.text}\` is ${isMatcherName(name.text) ? 'a matcher that is not called' : 'not a matcher'}`
      : null;
  }
  if (!ts.isCallExpression(expression)) return null;
  const comparedPair = findComparedPair(expression, sourceFile);
  if (!comparedPair) return null;
  // Only names are compared. A getter may return a different value each time, so comparing a property with itself is a
  // real test.
  if (!comparedPair.every(ts.isIdentifier) || !isSameCode(comparedPair[0], comparedPair[1])) return null;
  return `${quoteCode(comparedPair[0])} is compared with itself`;
}

/** The owner of a matcher, without `not`, which may only stand before a matcher. */
function skipNegation({ name, expression: owner }: ts.PropertyAccessExpression): ts.Expression {
  const isNegated = isMatcherName(name.text) && ts.isPropertyAccessExpression(owner) && owner.name.text === 'not';
  return isNegated ? owner.expression : owner;
}

/** The two values that a call of a matcher or an assertion compares; null for other calls. */
function findComparedPair(
  { expression: callee, arguments: values }: ts.CallExpression,
  sourceFile: ts.SourceFile,
): readonly [ts.Expression, ts.Expression] | null {
  const [first, second] = values;
  if (!first) return null;
  if (second && COMPARING_CALL_PATTERN.test(callee.getText(sourceFile))) return [first, second];
  if (!ts.isPropertyAccessExpression(callee) || !COMPARING_MATCHER_PATTERN.test(callee.name.text)) return null;
  const value = findExpectation(callee.expression)?.arguments[0];
  return value ? [value, first] : null;
}
