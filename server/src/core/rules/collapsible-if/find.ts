// collapsible-if: finds an `if` whose only content is another `if`.

import { ts } from 'ts-morph';
import { containsAssignment } from '../../syntax/writtenNames.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';
import { findOnlyInnerIf } from '../../syntax/controlFlow.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.IfStatement], find: findCollapsibleIf };

/** Maximum number of parts of a combined condition. One with more is harder to read than separate ones. */
const MAX_PARTS = 4;
/** Maximum number of characters of both conditions. A longer line would have to be broken. */
const MAX_WIDTH = 90;

/**
 * Reports an `if` whose only content is another `if`. Skips ifs with a comment between them, with conditions that would
 * not fit on a line or would have too many parts together, and with conditions that assign, because an assignment in a
 * condition should be visible.
 */
function findCollapsibleIf(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const outer = node as ts.IfStatement;
  const inner = findOnlyInnerIf(outer);
  // Only the innermost pair of a nest is reported; the merged if may be merged again.
  if (!inner || findOnlyInnerIf(inner)) return null;
  if (containsAssignment(outer.expression) || containsAssignment(inner.expression)) return null;
  const { text } = sourceFile;
  const width =
    inner.expression.end -
    inner.expression.getStart(sourceFile) +
    (outer.expression.end - outer.expression.getStart(sourceFile));
  if (width > MAX_WIDTH || countParts(outer.expression) + countParts(inner.expression) > MAX_PARTS) return null;
  if (
    text.slice(outer.expression.pos, outer.expression.end).includes('\n') ||
    text.slice(inner.expression.pos, inner.expression.end).includes('\n')
  )
    return null;
  if (
    hasCommentWithin(text, outer.getStart(sourceFile), inner.thenStatement.getStart(sourceFile)) ||
    hasCommentWithin(text, inner.end, outer.end)
  )
    return null;
  const start = outer.getStart(sourceFile);
  return {
    rule: 'collapsible-if',
    start,
    end: outer.end,
    nameStart: start,
    nameEnd: start + 'if'.length,
    impact: 14,
    confidence: 0.75,
    message: 'an `if` holds only another `if`: one with both conditions needs one level less.',
    evidence: { parts: countParts(outer.expression) + countParts(inner.expression) },
    recipe: 'merge-if',
    identity: `${outer.expression.getText(sourceFile)} ${inner.expression.getText(sourceFile)}`,
  };
}

/** Number of operands of `&&`, `||` and `??`; 1 for any other condition. */
function countParts(condition: ts.Expression): number {
  if (ts.isParenthesizedExpression(condition)) return countParts(condition.expression);
  if (!ts.isBinaryExpression(condition)) return 1;
  const { kind } = condition.operatorToken;
  const isLogical =
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken;
  return isLogical ? countParts(condition.left) + countParts(condition.right) : 1;
}
