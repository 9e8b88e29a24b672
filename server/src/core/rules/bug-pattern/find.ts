// bug-pattern: finds code that cannot be what its author meant, such as a comparison of a value with itself.

import type { ts } from 'ts-morph';
import { hasCommentBeside } from '../../analysis/shared/reasons.ts';
import { BUG_PATTERN_NODES, findBugPattern } from '../../syntax/bugPatterns/allPatterns.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: BUG_PATTERN_NODES, find: findPattern };

/**
 * The finding about a bug pattern at a node. Null if there is none, or if the pattern may be intended and has a comment
 * beside it, because the comment may give the reason.
 */
function findPattern(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const pattern = findBugPattern(node, sourceFile);
  if (!pattern || (pattern.mayBeIntended && hasCommentBeside(pattern.node, sourceFile))) return null;
  const start = pattern.node.getStart(sourceFile);
  return {
    rule: 'bug-pattern',
    start,
    end: pattern.node.end,
    nameStart: start,
    nameEnd: pattern.node.end,
    impact: 45,
    confidence: 0.8,
    message: pattern.message,
    evidence: { pattern: pattern.name },
    recipe: pattern.replacement === undefined ? null : 'mend-pattern',
    ...(pattern.conflicting
      ? {
          related: [
            {
              start: pattern.conflicting.node.getStart(sourceFile),
              end: pattern.conflicting.node.end,
              message: pattern.conflicting.message,
            },
          ],
        }
      : {}),
  };
}
