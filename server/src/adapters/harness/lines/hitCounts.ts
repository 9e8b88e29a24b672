// Counts how often places of a script ran, from the ranges that V8 reports
// (https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-ScriptCoverage).

import type { Profiler } from 'node:inspector';

/** The functions of a script with the counts of their ranges, as V8 reports them. */
export type V8Functions = Profiler.ScriptCoverage['functions'];

/**
 * For each offset, the count of the innermost range that contains it; 0 if no range does. `offsets`: in ascending
 * order.
 */
export function countHits(offsets: readonly number[], functions: V8Functions): readonly number[] {
  const hitCounts = new Array<number>(offsets.length).fill(0);
  const ranges = functions
    .flatMap((fn) => fn.ranges)
    .sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  // The widest range comes first, so inner ones overwrite it.
  for (const { startOffset, endOffset, count } of ranges)
    for (
      let index = findFirstFrom(offsets, startOffset);
      index < offsets.length && offsets[index]! < endOffset;
      index += 1
    )
      hitCounts[index] = count;
  return hitCounts;
}

/** The length of the script as it ran: the end of its last range. */
export function measureScriptLength(functions: V8Functions): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((maxEnd, { endOffset }) => Math.max(maxEnd, endOffset), 0);
}

/** The index of the first offset that is not before `start`; the number of offsets if there is none. */
function findFirstFrom(offsets: readonly number[], start: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
