// Measures how much of a file a change rewrites. Lines that are only removed or only added do not count.

import { diffArrays } from 'diff';

/** Maximum number of rewritten lines. After more, the text reads like another file. */
const MAX_LINES = 100;
/** In a short file, rewriting half of the lines is too much, but only from this number of rewritten lines on. */
const MIN_LINES = 40;
/** Maximum share of the lines of a file that a change may rewrite. */
const MAX_SHARE = 0.5;
/** Maximum number of differing lines. Beyond it, the file counts as rewritten. This limits the time of the diff. */
const MAX_DIFFERENCES = 2_000;

/**
 * Number of lines of `before` that were replaced by others, including re-indented ones: the smaller of the numbers of
 * removed and added lines. All lines if too many differ.
 */
export function countRewrittenLines(before: string, after: string): number {
  const changes = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: MAX_DIFFERENCES });
  if (!changes) return before.split('\n').length;
  let [removed, added] = [0, 0];
  for (const change of changes) {
    if (change.removed) removed += change.count;
    if (change.added) added += change.count;
  }
  return Math.min(removed, added);
}

/** True if a change rewrites more than 100 lines, or more than 40 that are over half of the file. */
export function rewritesTooMuch(before: string, after: string): boolean {
  const rewritten = countRewrittenLines(before, after);
  return rewritten > MAX_LINES || (rewritten > MIN_LINES && rewritten > before.split('\n').length * MAX_SHARE);
}
