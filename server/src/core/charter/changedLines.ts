// Measures the size of a change in lines.

import { diffLines } from 'diff';
import type { FileEdit } from '../model.ts';

/** True if the edits remove and add more than `limit` lines in total. */
export function changesMoreLines(edits: readonly FileEdit[], limit: number): boolean {
  let changedLines = 0;
  for (const { before, after } of edits) {
    const parts = diffLines(before ?? '', after ?? '', { maxEditLength: limit - changedLines });
    // The diff was given up because the texts differ in more lines than remain of the limit.
    if (!parts) return true;
    for (const { added, removed, count } of parts) if (added || removed) changedLines += count;
    if (changedLines > limit) return true;
  }
  return false;
}
