// needless-jump: finds a `return` or `continue` to the place where control continues anyway.

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
 * Reports a needless jump. Skips a jump that is the only statement of its block, because it marks a case with nothing
 * to do, and a jump next to a comment, which may explain it. `node` is a `return` or a `continue`.
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
