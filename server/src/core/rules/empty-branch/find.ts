// empty-branch: finds an `if` with a branch that does nothing.

import { ts } from 'ts-morph';
import { isElseIf } from '../../syntax/controlFlow.ts';
import { isEmptyBlock } from '../../syntax/needlessParts.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.IfStatement], find: findEmptyBranch };

/**
 * Reports an empty branch. Skips an empty branch with a comment, because somebody considered the case, and an empty
 * first branch in or before a chain, which it keeps readable. `node` is an `if`.
 */
function findEmptyBranch(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const { thenStatement, elseStatement } = node as ts.IfStatement;
  if (!elseStatement) return null;
  const { text } = sourceFile;
  const isElseEmpty = isEmptyBlock(elseStatement) && !isEmptyBlock(thenStatement);
  const isThenEmpty =
    isEmptyBlock(thenStatement) &&
    !isEmptyBlock(elseStatement) &&
    !isElseIf(node as ts.IfStatement) &&
    text[elseStatement.getStart(sourceFile)] === '{';
  if (!isThenEmpty && !isElseEmpty) return null;
  const start = isElseEmpty ? thenStatement.end : thenStatement.getStart(sourceFile);
  const end = isElseEmpty ? elseStatement.end : elseStatement.getStart(sourceFile);
  if (hasCommentWithin(text, start, end)) return null;
  const emptyBranch = isElseEmpty ? elseStatement : thenStatement;
  return {
    rule: 'empty-branch',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: emptyBranch.getStart(sourceFile),
    nameEnd: emptyBranch.end,
    impact: 12,
    confidence: 0.8,
    message: isElseEmpty
      ? 'an empty `else` does nothing.'
      : 'an `if` whose first branch is empty: the opposite condition needs no `else`.',
    evidence: { side: isElseEmpty ? 'else' : 'then' },
    recipe: 'remove-branch',
    identity: (node as ts.IfStatement).expression.getText(sourceFile),
  };
}
