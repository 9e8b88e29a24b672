// lost-cause: finds a `catch` that throws a new error without the caught one.

import { ts } from 'ts-morph';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import { parseLostCause } from '../../syntax/errorWithoutCause.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ThrowStatement], find: findLostCause };

/** `node` is a throw. */
function findLostCause(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const lostCause = parseLostCause(node as ts.ThrowStatement);
  if (!lostCause || hasAdjacentComment(node, sourceFile)) return null;
  const { newError: made, caught } = lostCause;
  return {
    rule: 'lost-cause',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: made.getStart(sourceFile),
    nameEnd: made.expression.end,
    impact: 30,
    confidence: 0.8,
    message: `the new \`${made.expression.getText(sourceFile)}\` loses \`${caught}\`: whoever reads the trace sees neither its message nor where it came from. Pass it on as \`{ cause: ${caught} }\`.`,
    evidence: { caught },
    recipe: 'add-cause',
  };
}
