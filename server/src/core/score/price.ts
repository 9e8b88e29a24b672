// What new lines of code may cost: as many points as so many average lines of the repository.

import { diffLines } from 'diff';
import type { FileEdit } from '../model.ts';
import { INPUT_MAX, ruler } from './ruler.ts';
import { amountOf, shareOf } from './score.ts';

/**
 * Points that so many average lines of the repository cost. New lines are taken to hold as much of what costs points as
 * the lines that are there. As in `comparePoints`, they do not enlarge the size that a density is counted against. A
 * line counts as a statement. Never negative; 0 where nothing is measured.
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

/** Lines of code that the edits add or rewrite; blank lines and lines of comment do not count. */
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
