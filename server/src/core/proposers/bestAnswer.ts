// Orders promising answers to one question: tests run only for the first one, and for the next one if it fails.

import type { FileEdit } from '../model.ts';

/** The properties by which answers are sorted. */
export interface RankedAnswer {
  /** True if the form of the edits fits the claim of the task, for example code with tests for a request. */
  readonly fits: boolean;
  /** Points that the answer gains; null if unknown. */
  readonly gain: number | null;
  readonly edits: readonly FileEdit[];
}

/**
 * Best first: an answer that fits the claim of the task, then more points, then fewer changed characters. Equal answers
 * keep their order.
 */
export function sortBestAnswersFirst<T extends RankedAnswer>(answers: readonly T[]): readonly T[] {
  return answers.toSorted(
    (a, b) =>
      Number(b.fits) - Number(a.fits) ||
      compareGains(b.gain, a.gain) ||
      sumChangedCharacters(a.edits) - sumChangedCharacters(b.edits),
  );
}

/** Compares two gains for sorting. An unknown gain is less than every known one. */
function compareGains(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a - b;
}

/** Number of characters of both texts outside of their common beginning and end. */
function sumChangedCharacters(edits: readonly FileEdit[]): number {
  return edits.reduce((sum, { before, after }) => sum + countChangedCharacters(before ?? '', after ?? ''), 0);
}

function countChangedCharacters(before: string, after: string): number {
  const sharedLength = Math.min(before.length, after.length);
  let start = 0;
  while (start < sharedLength && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < sharedLength - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return before.length + after.length - 2 * (start + end);
}
