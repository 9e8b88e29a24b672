// Computes the cognitive complexity of parts of a function. It is defined as in the metrics, so moving a part out of
// the function reduces the figure of the finding by exactly the complexity of that part.

import { ts } from 'ts-morph';
import { addNodePoints, NESTED_POINTS } from '../../syntax/complexityPoints.ts';
import { isNestedPart } from '../../syntax/controlFlow.ts';

/**
 * The complexity of a function without its inner functions, and without its decorators and its computed name, which run
 * outside it.
 */
export function computeFunctionComplexity(outer: ts.FunctionLikeDeclaration): number {
  let sum = 0;
  ts.forEachChild(outer, (child) => {
    if (!runsOutside(child)) sum += computeCognitive(child);
  });
  return sum;
}

/**
 * The complexity of a node at the given depth of nesting. For inner functions, only decorators and computed names
 * count.
 */
export function computeCognitive(node: ts.Node, nesting = 0): number {
  const isInner = ts.isFunctionLike(node);
  let sum = 0;
  if (!isInner) addNodePoints(node, (_, __, ___, adds) => (sum += adds === NESTED_POINTS ? 1 + nesting : adds));
  ts.forEachChild(node, (child) => {
    if (!isInner || runsOutside(child)) sum += computeCognitive(child, isNestedPart(child) ? nesting + 1 : nesting);
  });
  return sum;
}

/** The depth of `inner` within `outer`, as `computeCognitive(outer)` counts it. */
export function computeNesting(outer: ts.Node, inner: ts.Node): number {
  let depth = 0;
  for (let node = inner; node !== outer && node.parent; node = node.parent) if (isNestedPart(node)) depth++;
  return depth;
}

/** True for a decorator or a computed name, which runs together with the code around the function. */
function runsOutside(part: ts.Node): boolean {
  return ts.isDecorator(part) || ts.isComputedPropertyName(part);
}
