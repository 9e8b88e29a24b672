// Finds the nesting of the functions that a change extends, which determines what a guard costs there.

import { groupBy } from '../../util/values/groupBy.ts';
import type { FunctionMetrics } from '../model.ts';

/** The functions of one edited file before and after a change. */
export interface FunctionsOfFile {
  readonly before: readonly FunctionMetrics[];
  readonly after: readonly FunctionMetrics[];
}

/**
 * The number of control structures around the deepest code of the functions that grow, before the change. If several
 * functions grow, the one with the least nesting counts: a line in a deeply nested function must not raise the price
 * that a change in another function may cost. New functions and code outside of functions count as 0.
 */
export function findNestingOfGrowth(files: readonly FunctionsOfFile[]): number {
  const pairs = files.flatMap(pairFunctions);
  const moreComplexPairs = pairs.filter(
    ({ oldFunction, changedFunction: changed }) => changed.cognitive > (oldFunction?.cognitive ?? 0),
  );
  const longerPairs = pairs.filter(
    ({ oldFunction, changedFunction: changed }) => changed.statements > (oldFunction?.statements ?? 0),
  );
  const grownFunctions = moreComplexPairs.length > 0 ? moreComplexPairs : longerPairs;
  return grownFunctions.length === 0 ? 0 : Math.min(...grownFunctions.map(({ nesting }) => nesting));
}

/**
 * A function after the change and the same function before it, which is null if it is unknown. `nesting`: control
 * structures around its deepest code before the change.
 */
interface FunctionPair {
  readonly oldFunction: FunctionMetrics | null;
  readonly changedFunction: FunctionMetrics;
  readonly nesting: number;
}

/**
 * Pairs functions by kind, name and position among the functions of that kind and name. If the number of functions of a
 * name has changed, none of them has an old function.
 */
function pairFunctions({ before, after }: FunctionsOfFile): readonly FunctionPair[] {
  const oldByName = new Map(groupBy(before, keyOf).map((group) => [keyOf(group[0]!), group]));
  return groupBy(after, keyOf).flatMap((group) => {
    const oldGroup = oldByName.get(keyOf(group[0]!)) ?? [];
    return group.map((changed, index): FunctionPair => {
      const oldFunction = oldGroup.length === group.length ? oldGroup[index]! : null;
      return {
        oldFunction: oldFunction,
        changedFunction: changed,
        nesting: oldFunction ? computeNestingWithin(oldFunction, before) : 0,
      };
    });
  });
}

function keyOf({ kind, name }: FunctionMetrics): string {
  return `${kind} ${name}`;
}

/**
 * The nesting of a function, plus the nesting of the functions around it, each of which counts as one more level
 * because a callback may be called in a loop.
 */
function computeNestingWithin(inner: FunctionMetrics, functions: readonly FunctionMetrics[]): number {
  return functions
    .filter((outer) => outer !== inner && outer.kind !== 'topLevel')
    .filter((outer) => outer.line <= inner.line && outer.endLine >= inner.endLine)
    .reduce((sum, { nesting }) => sum + nesting + 1, inner.nesting);
}
