// bug-pattern: finds code that cannot be what its author meant, such as a comparison of a value with itself.

import type { ts } from 'ts-morph';
import { hasCommentBeside } from '../../analysis/shared/reasons.ts';
import { BUG_PATTERN_NODE_KINDS, findBugPattern } from '../../syntax/bugPatterns/allPatterns.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: BUG_PATTERN_NODE_KINDS, find: createPatternFinding };

/**
 * The finding about a bug pattern at a node. Null if there is none, or if the pattern may be intended and has a comment
 * beside it, because the comment may give the reason.
 */
function createPatternFinding(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const match = findBugPattern(node, sourceFile);
  if (!match || (match.mayBeIntended && hasCommentBeside(match.node, sourceFile))) return null;
  const start = match.node.getStart(sourceFile);
  return {
    rule: 'bug-pattern',
    start,
    end: match.node.end,
    nameStart: start,
    nameEnd: match.node.end,
    impact: 45,
    confidence: 0.8,
    message: match.message,
    evidence: { pattern: match.name },
    recipe: match.replacement === undefined ? null : 'mend-pattern',
    ...(match.conflicting
      ? {
          related: [
            {
              start: match.conflicting.node.getStart(sourceFile),
              end: match.conflicting.node.end,
              message: match.conflicting.message,
            },
          ],
        }
      : {}),
  };
}
