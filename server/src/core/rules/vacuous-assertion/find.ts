// vacuous-assertion: finds assertions that cannot fail (`expect(x);`, `expect(x).toBe;`, `expect(x).toBe(x)`,
// `assert.equal(x, x)`), and empty tests.

import { ts } from 'ts-morph';
import { findVacuousTest } from '../../analysis/shared/vacuousTests.ts';
import { hasCommentBeside } from '../../analysis/shared/reasons.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { isSameCode, quoteCode } from '../../syntax/bugPatterns/sameCode.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.ExpressionStatement],
  find: (node, sourceFile) =>
    findVacuousAssertion(node as ts.ExpressionStatement, sourceFile) ??
    findVacuousTestCase(node as ts.ExpressionStatement, sourceFile),
};

/** Matches the functions that begin an assertion. */
const EXPECT_NAME_PATTERN = /^(?:expect|expect\.soft)$/;
/**
 * Words between `expect(x)` and the matcher that assert nothing alone. `not`, which negates the matcher, is not among
 * them.
 */
const CONNECTING_WORDS = new Set(
  'to be been is that which and has have with at of same deep does still also'.split(' '),
);
/** Matches the matchers that compare two values. */
const COMPARING_MATCHER_PATTERN = /^(?:toBe|toEqual|toStrictEqual|equal|equals|eql|eq|deepEqual)$/;
/** Matches the assertions that compare their first two arguments. */
const COMPARING_CALL_PATTERN =
  /^(?:(?:assert|chai\.assert|assert\.strict)\.(?:equal|strictEqual|deepEqual|deepStrictEqual|same)|t\.(?:is|same|deepEqual|equal|strictEqual|strictSame))$/;

/**
 * Reports an assertion that cannot fail, unless a comment is beside it, which may explain it. `node` is a statement
 * that is only an expression.
 */
function findVacuousAssertion(node: ts.ExpressionStatement, sourceFile: ts.SourceFile): Finding | null {
  const { expression } = node;
  const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
  const problem = explainVacuous(inner, sourceFile);
  if (problem === null || hasCommentBeside(node, sourceFile) || declaresExpect(sourceFile)) return null;
  const start = node.getStart(sourceFile);
  return {
    rule: 'vacuous-assertion',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: expression.end,
    impact: 40,
    confidence: 0.9,
    message: `this assertion cannot fail: ${problem}.`,
    evidence: {},
    recipe: null,
  };
}

/** Reports a test that is empty or only compares literals, unless a comment beside the test or in it explains it. */
function findVacuousTestCase(node: ts.ExpressionStatement, sourceFile: ts.SourceFile): Finding | null {
  const { expression: call } = node;
  const vacuousTest = ts.isCallExpression(call) ? findVacuousTest(call, sourceFile) : null;
  if (
    !vacuousTest ||
    vacuousTest.kind === 'no assertion' ||
    !ts.isCallExpression(call) ||
    hasCommentBeside(node, sourceFile)
  )
    return null;
  const start = node.getStart(sourceFile);
  return {
    rule: 'vacuous-assertion',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: call.arguments[0]!.end,
    impact: 30,
    confidence: 0.7,
    message: `${vacuousTest.reason}.`,
    evidence: { kind: vacuousTest.kind },
    recipe: null,
    identity: call.arguments[0]!.getText(sourceFile),
  };
}

/** True if the file has a function `expect` of its own, which may assert without a matcher. */
function declaresExpect(sourceFile: ts.SourceFile): boolean {
  return collectNodesBelow(sourceFile).some((node) => {
    if (ts.isFunctionDeclaration(node)) return node.name?.text === 'expect';
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.name.text !== 'expect') return false;
    const { initializer } = node;
    return initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  });
}

/**
 * The reason why an assertion cannot fail, as a clause; null if it can fail, or if the expression is not an assertion.
 */
function explainVacuous(expression: ts.Expression, sourceFile: ts.SourceFile): string | null {
  if (isExpectation(expression)) return `${quoteCode(expression)} has no matcher`;
  if (ts.isPropertyAccessExpression(expression)) {
    const { name } = expression;
    const isUncalled = /^to[A-Z]/.test(name.text) || CONNECTING_WORDS.has(name.text) || name.text === 'not';
    return isUncalled && findExpectation(expression.expression)
      ? `\`${name.text}\` is ${/^to[A-Z]/.test(name.text) ? 'a matcher that is not called' : 'not a matcher'}`
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

/** The `expect(x)` at the beginning of `expect(x).to.be`, if only connecting words follow it; otherwise null. */
function findExpectation(expression: ts.Expression): ts.CallExpression | null {
  let current = expression;
  while (ts.isPropertyAccessExpression(current) && CONNECTING_WORDS.has(current.name.text))
    current = current.expression;
  return isExpectation(current) ? current : null;
}

function isExpectation(node: ts.Expression): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !EXPECT_NAME_PATTERN.test(node.expression.getText())) return false;
  return node.arguments.length > 0 && !isNumber(node.arguments[0]!);
}

/** True for a number or a calculation, because in QUnit `expect(4)` sets the number of assertions. */
function isNumber(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node) || ts.isPrefixUnaryExpression(node)) return true;
  return ts.isBinaryExpression(node) && /^[-+*]$/.test(node.operatorToken.getText());
}
