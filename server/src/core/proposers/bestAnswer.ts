// Sorts promising answers to one question, so that the tests run only for the best one, and for the next one if it
// fails.

import type { FileEdit } from '../model.ts';

/** The properties by which answers are sorted. */
export interface RankedAnswer {
  /** True if the form of the edits matches the claim of the task, such as code with tests for a request. */
  readonly matchesClaim: boolean;
  /** Points that the answer gains; null if unknown. */
  readonly gain: number | null;
  readonly edits: readonly FileEdit[];
}

/**
 * Sorts the best answers first: those that match the claim of the task, then those with more points, then those with
 * fewer changed characters. Equal answers keep their order.
 */
export function sortBestAnswersFirst<T extends RankedAnswer>(answers: readonly T[]): readonly T[] {
  return answers.toSorted(
    (a, b) =>
      Number(b.matchesClaim) - Number(a.matchesClaim) ||
      compareGains(b.gain, a.gain) ||
      sumChangedCharacters(a.edits) - sumChangedCharacters(b.edits),
  );
}

/** Compares two gains for sorting. An unknown gain is less than every known gain. */
function compareGains(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a - b;
}

/** Sums the characters of both texts of each edit that are outside the common start and end. */
function sumChangedCharacters(edits: readonly FileEdit[]): number {
  return edits.reduce((sum, { before, after }) => sum + countChangedCharacters(before ?? '', after ?? ''), 0);
}

/** The number of characters of both texts outside their common start and end. */
function countChangedCharacters(before: string, after: string): number {
  const sharedLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < sharedLength && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < sharedLength - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return before.length + after.length - 2 * (start + end);
}
