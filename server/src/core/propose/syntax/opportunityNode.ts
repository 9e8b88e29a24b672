// Finds the node of an opportunity by its ranges, even if the text has changed slightly.

import type { ts } from 'ts-morph';
import type { RecipeContext } from '../recipe.ts';
import { collectDescendants, findSpan } from './locate.ts';

/**
 * Finds the node that `accepts` accepts and that best matches the opportunity; null if there is none. In order of
 * preference, it has exactly the range of the opportunity, begins where its `nameRange` begins, or is the first one
 * inside the range.
 */
export function findOpportunityNode<T extends ts.Node>(
  { sourceFile, opportunity }: RecipeContext,
  accepts: (node: ts.Node) => node is T,
): T | null {
  const [wholeSpan, nameSpan] = [findSpan(sourceFile, opportunity.range), findSpan(sourceFile, opportunity.nameRange)];
  if (!wholeSpan || !nameSpan) return null;
  const candidates = collectDescendants(sourceFile)
    .filter((node) => node.end > wholeSpan.start && node.pos <= Math.max(wholeSpan.end, nameSpan.end))
    .filter(accepts);
  const start = (node: ts.Node) => node.getStart(sourceFile);
  return (
    candidates.find((node) => start(node) === wholeSpan.start && node.end === wholeSpan.end) ??
    candidates.find((node) => start(node) === nameSpan.start) ??
    candidates.find((node) => start(node) >= wholeSpan.start && node.end <= wholeSpan.end) ??
    null
  );
}
