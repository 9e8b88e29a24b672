// Measures how much of a file a change rewrites. Lines that are only removed or only added do not count as rewritten.

import { diffArrays } from 'diff';

/** Maximum number of rewritten lines. Beyond it, the change reads like a new file. */
const MAX_LINES = 100;
/**
 * Minimum number of rewritten lines from which `MAX_SHARE` applies, because half of a short file is still easy to
 * review.
 */
const MIN_LINES = 40;
/** Maximum share of the lines of a file that a change may rewrite. */
const MAX_SHARE = 0.5;
/**
 * Maximum number of differing lines, which limits the time of the diff. Beyond it, the whole file counts as rewritten.
 */
const MAX_DIFFERENCES = 2_000;

/**
 * Counts the lines of `before` that were replaced by others, including re-indented ones. It is the smaller of the
 * numbers of removed and of added lines, or the number of all lines if too many differ.
 */
function countRewrittenLines(before: string, after: string): number {
  const changes = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: MAX_DIFFERENCES });
  if (!changes) return before.split('\n').length;
  let [removed, added] = [0, 0];
  for (const change of changes) {
    if (change.removed) removed += change.count;
    if (change.added) added += change.count;
  }
  return Math.min(removed, added);
}

/** True if a change rewrites more than 100 lines, or more than 40 lines that are over half of the file. */
export function rewritesTooMuch(before: string, after: string): boolean {
  const rewrittenCount = countRewrittenLines(before, after);
  return (
    rewrittenCount > MAX_LINES || (rewrittenCount > MIN_LINES && rewrittenCount > before.split('\n').length * MAX_SHARE)
  );
}
