// nullish-coalescing: finds choices between a value and a fallback that `??` can express.

import { ts } from 'ts-morph';
import { parseNullTest } from '../../syntax/nullTests.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ConditionalExpression], find: findNullishCoalescing };

/** Reports a choice between a value and its fallback. `node` is a conditional expression (`c ? a : b`). */
function findNullishCoalescing(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const { condition, whenTrue, whenFalse } = node as ts.ConditionalExpression;
  const test = parseNullTest(condition);
  // A test for only null also lets undefined pass, so `??` would differ.
  if (!test || test.comparedValues === 'null' || hasCommentWithin(sourceFile.text, node.getStart(sourceFile), node.end))
    return null;
  const valueIfPresent = skipParentheses(test.passesIfPresent ? whenTrue : whenFalse);
  if (valueIfPresent.getText(sourceFile) !== test.subject.getText(sourceFile)) return null;
  const start = node.getStart(sourceFile);
  return {
    rule: 'nullish-coalescing',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: node.end,
    impact: 12,
    confidence: 0.75,
    message: `\`${test.subject.getText(sourceFile)} ??\` says this without naming it twice.`,
    evidence: { tells: test.comparedValues },
    recipe: 'nullish-coalescing',
  };
}
