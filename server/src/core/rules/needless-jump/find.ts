// needless-jump: finds a `return` or `continue` that leads where control goes anyway.

import { ts } from 'ts-morph';
import { isNeedlessJump } from '../../syntax/needlessParts.ts';
import type { Finding } from '../finding.ts';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.ReturnStatement, ts.SyntaxKind.ContinueStatement],
  find: findNeedlessJump,
};

/**
 * `node` is a return or a continue. A jump that is the only statement of its block is not reported, because it marks a
 * case with nothing to do; nor is one next to a comment, which may explain it.
 */
function findNeedlessJump(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  if (!isNeedlessJump(node) || (node.parent as ts.Block).statements.length < 2 || hasAdjacentComment(node, sourceFile))
    return null;
  const start = node.getStart(sourceFile);
  const word = sourceFile.text.startsWith('return', start) ? 'return' : 'continue';
  return {
    rule: 'needless-jump',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: start + word.length,
    impact: 8,
    confidence: 0.8,
    message: `a needless \`${word}\`: the ${word === 'return' ? 'function ends' : 'next turn begins'} here anyway.`,
    evidence: { word },
    recipe: 'remove-jump',
  };
}
