// useless-catch: finds a `catch` that only rethrows its error.

import { ts } from 'ts-morph';
import { isOnlyRethrow } from '../../syntax/needlessParts.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.TryStatement], find: findUselessCatch };

/**
 * Reports a `catch` that only rethrows. A `catch` with a comment is not reported, because the comment may give the
 * reason for it. `node` is a `try`.
 */
function findUselessCatch(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const { catchClause, finallyBlock } = node as ts.TryStatement;
  if (!catchClause || !isOnlyRethrow(catchClause)) return null;
  const start = catchClause.getStart(sourceFile);
  if (hasCommentWithin(sourceFile.text, start, catchClause.end)) return null;
  return {
    rule: 'useless-catch',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: start,
    nameEnd: start + 'catch'.length,
    impact: 16,
    confidence: 0.85,
    message: `a \`catch\` only rethrows its error: without ${finallyBlock ? 'it' : 'the `try`'} the same happens.`,
    evidence: { finally: finallyBlock ? 'yes' : 'no' },
    recipe: 'remove-catch',
  };
}
