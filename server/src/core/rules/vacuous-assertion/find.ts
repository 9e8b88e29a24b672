// vacuous-assertion: finds assertions that cannot fail (`expect(x);`, `expect(x).toBe;`, `expect(x).toBe(x)`,
// `assert.equal(x, x)`), and empty tests.

import { ts } from 'ts-morph';
import { findVacuousTest } from '../../analysis/shared/vacuousTests.ts';
import { hasCommentBeside } from '../../analysis/shared/reasons.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { findVacuousAssertion } from '../../syntax/assertions/vacuousAssertion.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.ExpressionStatement],
  find: (node, sourceFile) =>
    createAssertionFinding(node as ts.ExpressionStatement, sourceFile) ??
    findVacuousTestCase(node as ts.ExpressionStatement, sourceFile),
};

/**
 * Reports an assertion that cannot fail, unless a comment is beside it, which may explain it. `node` is a statement
 * that is only an expression.
 */
function createAssertionFinding(node: ts.ExpressionStatement, sourceFile: ts.SourceFile): Finding | null {
  const assertion = findVacuousAssertion(node, sourceFile);
  if (!assertion || hasCommentBeside(node, sourceFile) || declaresExpect(sourceFile)) return null;
  const start = node.getStart(sourceFile);
  return {
    rule: 'vacuous-assertion',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: node.expression.end,
    impact: 40,
    confidence: 0.9,
    message: `this assertion cannot fail: ${assertion.problem}.`,
    evidence: {},
    recipe: assertion.completed === null ? null : 'complete-assertion',
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
