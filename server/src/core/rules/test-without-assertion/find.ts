// test-without-assertion: finds tests that only call something, such as `test('adds', () => { total([1, 2]); })`.

import { ts } from 'ts-morph';
import { hasCommentBeside } from '../../analysis/shared/reasons.ts';
import { findVacuousTest } from '../../analysis/shared/vacuousTests.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ExpressionStatement], find: findTestWithoutAssertion };

/**
 * Reports a test without assertions, unless a comment beside the test or in it explains it. `node` is a statement that
 * is only an expression.
 */
function findTestWithoutAssertion(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const { expression: call } = node as ts.ExpressionStatement;
  if (!ts.isCallExpression(call)) return null;
  const vacuousTest = findVacuousTest(call, sourceFile);
  if (vacuousTest?.kind !== 'no assertion' || hasCommentBeside(node, sourceFile)) return null;
  const start = node.getStart(sourceFile);
  const title = call.arguments[0]!;
  return {
    rule: 'test-without-assertion',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: title.end,
    impact: 20,
    confidence: 0.5,
    message: `${vacuousTest.reason}.`,
    evidence: {},
    recipe: null,
    identity: title.getText(sourceFile),
  };
}
