// How much of a file a change rewrites: lines that are only removed or only added do not count.

import { diffArrays } from 'diff';

/** A change of at most this many lines reads like a change; a larger one reads like another file. */
const MOST_LINES = 100;
/** In a short file half of it is much, unless it is as little as this. */
const FEW_LINES = 40;
const LARGEST_SHARE = 0.5;
/** Beyond so many differences the file counts as rewritten. Bounds the time of the diff. */
const MOST_DIFFERENCES = 2_000;

/** Lines of `before` that others have taken the place of, re-indented ones included. */
export function rewrittenLines(before: string, after: string): number {
  const changes = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: MOST_DIFFERENCES });
  if (!changes) return before.split('\n').length;
  let [removed, added] = [0, 0];
  for (const change of changes) {
    if (change.removed) removed += change.count;
    if (change.added) added += change.count;
  }
  return Math.min(removed, added);
}

/** True if a change rewrites so much that only a person who asked for it would read it to its end. */
export function tooMuch(before: string, after: string): boolean {
  const rewritten = rewrittenLines(before, after);
  return rewritten > MOST_LINES || (rewritten > FEW_LINES && rewritten > before.split('\n').length * LARGEST_SHARE);
}
