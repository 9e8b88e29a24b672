// Computes the price of new lines of code: the points that the same number of average lines of the repository cost.

import { diffLines } from 'diff';
import type { FileEdit, Language } from '../model.ts';
import { findCodeLines } from './codeLines.ts';
import { INPUT_MAX, ruler } from './ruler.ts';
import { amountOf, shareOf } from './score.ts';

/**
 * Cost in points of this number of lines. Assumes that the new lines have the repository's average density of
 * findings. `sums`: the measures of the repository. The size of the repository is not increased by the new lines, as
 * in `comparePoints`. One line counts as one statement. Not negative; 0 if nothing is measured.
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

/**
 * Number of lines of code that the edits add, rewrite or take out of comments, without blank lines and comment lines.
 * `languageOf`: the language of a path; null if it is unknown, in which case comments count as code.
 */
export function countAddedLines(edits: readonly FileEdit[], languageOf: (path: string) => Language | null): number {
  return edits.reduce((sum, { path, before, after }) => {
    const language = languageOf(path);
    const oldCodeLines = findCodeLines(before ?? '', language);
    const newCodeLines = findCodeLines(after ?? '', language);
    let oldLine = 0;
    let line = 0;
    let count = 0;
    for (const part of diffLines(before ?? '', after ?? '')) {
      if (!part.removed) {
        const oldFlags = part.added ? [] : oldCodeLines.slice(oldLine, oldLine + part.count);
        count += newCodeLines
          .slice(line, line + part.count)
          .filter((flag, index) => flag && oldFlags[index] !== true).length;
        line += part.count;
      }
      if (!part.added) oldLine += part.count;
    }
    return sum + count;
  }, 0);
}
