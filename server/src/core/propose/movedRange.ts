// Finds the new position of an opportunity after other lines of the text have changed.

import { diffArrays } from 'diff';
import type { Opportunity } from '../model.ts';

/**
 * Returns the opportunity with its ranges in `after`; null if the first or the last line of one of them has changed.
 */
export function moveOpportunity(opportunity: Opportunity, before: string, after: string): Opportunity | null {
  const newLineByOldLine = mapUnchangedLines(before, after);
  const moveRange = (range: Opportunity['range']): Opportunity['range'] | null => {
    const [startLine, endLine] = [newLineByOldLine.get(range.startLine), newLineByOldLine.get(range.endLine)];
    return startLine === undefined || endLine === undefined ? null : { ...range, startLine, endLine };
  };
  const [range, nameRange] = [moveRange(opportunity.range), moveRange(opportunity.nameRange)];
  return range && nameRange ? { ...opportunity, range, nameRange } : null;
}

/** Maps the number of each unchanged line in the old text to its number in the new one. Line numbers begin with 1. */
function mapUnchangedLines(before: string, after: string): ReadonlyMap<number, number> {
  const newLines = new Map<number, number>();
  let [oldLine, newLine] = [1, 1];
  for (const { added, removed, count } of diffArrays(before.split('\n'), after.split('\n'))) {
    if (!added && !removed) for (let line = 0; line < count; line++) newLines.set(oldLine + line, newLine + line);
    if (!added) oldLine += count;
    if (!removed) newLine += count;
  }
  return newLines;
}
