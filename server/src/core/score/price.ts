// Computes the price of new lines of code: the points that the same number of average lines of the repository cost.

import { diffLines } from 'diff';
import type { FileEdit } from '../model.ts';
import { INPUT_MAX, ruler } from './ruler.ts';
import { amountOf, shareOf } from './score.ts';

/**
 * The cost in points of this number of average lines of the repository. New lines are assumed to contain as many
 * findings as the existing ones. As in `comparePoints`, new lines do not enlarge the size of a density. A line counts
 * as a statement. Never negative; 0 if nothing is measured.
 */
export function priceOf(sums: ReadonlyMap<string, number>, lines: number): number {
  let price = 0;
  for (const input of ruler.definition.inputs) {
    const size = sums.get(input.per);
    if (input.kind !== 'density' || !size) continue;
    const share = shareOf(input, sums);
    if (share === null) continue;
    const amount = amountOf(input, (name) => sums.get(name) ?? 0);
    const density = (1000 * amount * (1 + lines / size)) / Math.max(ruler.definition.leastSize, size);
    price += (INPUT_MAX[input.name] ?? 0) * (share - input.half / (input.half + density));
  }
  return price;
}

/** Lines of code that the edits add or rewrite, without blank lines and comment lines. */
export function addedLines(edits: readonly FileEdit[]): number {
  return edits.reduce(
    (sum, { before, after }) =>
      sum +
      diffLines(before ?? '', after ?? '')
        .filter(({ added }) => added)
        .flatMap(({ value }) => value.split('\n'))
        .filter((line) => line.trim() !== '' && !/^\s*(?:\/[/*]|\*|#)/.test(line)).length,
    0,
  );
}
