// How large a change is, in lines.

import { diffLines } from 'diff';
import type { FileEdit } from '../model.ts';

/** True if the edits remove and add more than `limit` lines in total. */
export function changesMoreLines(edits: readonly FileEdit[], limit: number): boolean {
  let changed = 0;
  for (const { before, after } of edits) {
    const parts = diffLines(before ?? '', after ?? '', { maxEditLength: limit - changed });
    // The diff was given up, so there are more.
    if (!parts) return true;
    for (const { added, removed, count } of parts) if (added || removed) changed += count;
    if (changed > limit) return true;
  }
  return false;
}
