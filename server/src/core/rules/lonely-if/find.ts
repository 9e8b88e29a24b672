// lonely-if: finds an `else` that contains only an `if`.

import { ts } from 'ts-morph';
import { findLonelyIf as lonelyIfOf } from '../../syntax/needlessParts.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.IfStatement], find: findLonelyElse };

/**
 * Reports an `else` that contains only an `if`. Null if a comment is before or after the inner `if`, because the
 * nesting is then intended. `node` is an `if`.
 */
function findLonelyElse(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const outer = node as ts.IfStatement;
  const inner = lonelyIfOf(outer);
  if (!inner || !outer.elseStatement) return null;
  const { text } = sourceFile;
  const [open, start] = [outer.elseStatement.getStart(sourceFile), inner.getStart(sourceFile)];
  if (
    hasCommentWithin(text, outer.thenStatement.end, start) ||
    hasCommentWithin(text, inner.end, outer.elseStatement.end)
  )
    return null;
  return {
    rule: 'lonely-if',
    start: open,
    end: outer.elseStatement.end,
    nameStart: start,
    nameEnd: start + 'if'.length,
    impact: 13,
    confidence: 0.75,
    message: 'an `if` alone in an `else`: `else if` needs one level less.',
    evidence: { lines: text.slice(start, inner.end).split('\n').length },
    recipe: 'else-if',
    identity: inner.expression.getText(sourceFile),
  };
}
