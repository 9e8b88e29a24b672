// needless-jump: a return or continue to where control goes anyway.

import type { ts } from 'ts-morph';
import { isNeedlessJump } from '../../syntax/needlessParts.ts';
import type { Finding } from './finding.ts';
import { hasCommentBeside } from './reasons.ts';

/** `node` is a return or a continue. Alone in its block it says that there is nothing to do. */
export function needlessJump(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  if (!isNeedlessJump(node) || (node.parent as ts.Block).statements.length < 2 || hasCommentBeside(node, sourceFile))
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
