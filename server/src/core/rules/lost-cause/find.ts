// lost-cause: finds a `catch` that throws a new error without the caught one.

import { ts } from 'ts-morph';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import { parseLostCause, type LostCause } from '../../syntax/errorWithoutCause.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ThrowStatement], find: findLostCause };

/** Reports a new error that loses the caught one, unless a comment is next to it. `node` is a `throw`. */
function findLostCause(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const lostCause = parseLostCause(node as ts.ThrowStatement);
  if (!lostCause || hasAdjacentComment(node, sourceFile)) return null;
  const { newError, caughtName, keepsPart } = lostCause;
  return {
    rule: 'lost-cause',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: newError.getStart(sourceFile),
    nameEnd: newError.expression.end,
    impact: keepsPart ? 20 : 30,
    confidence: caughtName === null || keepsPart ? 0.7 : 0.8,
    message: `the new \`${newError.expression.getText(sourceFile)}\` ${describeLoss(lostCause)}`,
    evidence: { caught: caughtName ?? 'no name' },
    recipe: 'add-cause',
  };
}

/** What the new error loses, as the predicate of the message, with advice. */
function describeLoss({ caughtName, keepsPart }: LostCause): string {
  if (caughtName === null)
    return 'replaces the error that was caught: whoever reads the trace sees neither its message nor where it came from. Name it and pass it on as the `cause`.';
  return keepsPart
    ? `has text of \`${caughtName}\`, but not its stack: whoever reads the trace does not see where it came from. Pass it on as \`{ cause: ${caughtName} }\`.`
    : `loses \`${caughtName}\`: whoever reads the trace sees neither its message nor where it came from. Pass it on as \`{ cause: ${caughtName} }\`.`;
}
