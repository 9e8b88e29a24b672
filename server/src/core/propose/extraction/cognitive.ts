// Cognitive complexity of parts of a function, by the definition that the metrics have: what a cut takes off is what
// the finding loses.

import { ts } from 'ts-morph';
import { addPointsOf, NESTED } from '../../syntax/complexityPoints.ts';
import { isNestedPart } from '../../syntax/controlFlow.ts';

/** Of a whole function, without the functions inside it. */
export function complexityOf(outer: ts.FunctionLikeDeclaration): number {
  let sum = 0;
  ts.forEachChild(outer, (child) => {
    if (!runsOutside(child)) sum += cognitiveOf(child);
  });
  return sum;
}

/** Of a part that stands at the given depth of nesting. A function inside it counts for itself. */
export function cognitiveOf(node: ts.Node, nesting = 0): number {
  const isInner = ts.isFunctionLike(node);
  let sum = 0;
  if (!isInner) addPointsOf(node, (_, __, ___, adds) => (sum += adds === NESTED ? 1 + nesting : adds));
  ts.forEachChild(node, (child) => {
    if (!isInner || runsOutside(child)) sum += cognitiveOf(child, isNestedPart(child) ? nesting + 1 : nesting);
  });
  return sum;
}

/** Depth at which `inner` stands within `outer`, as `cognitiveOf(outer)` counts it. */
export function nestingWithin(outer: ts.Node, inner: ts.Node): number {
  let depth = 0;
  for (let node = inner; node !== outer && node.parent; node = node.parent) if (isNestedPart(node)) depth++;
  return depth;
}

/** What is written in a function and runs with what is around it. */
function runsOutside(part: ts.Node): boolean {
  return ts.isDecorator(part) || ts.isComputedPropertyName(part);
}
