// What a review says in one line: checks, points, hunks. Plain data in and out.

import { checkLabel } from '#protocol/plainWords';
import type { Review, ReviewFile, ReviewHunk, ReviewVerdict } from '#protocol/review';
import { strengthText } from '#protocol/strength';
import { points } from '../statusText.ts';

/** What a review knows of its proof. */
type Proof = Pick<Review, 'strength' | 'strengthMeaning' | 'verdicts'>;

/** "Tested: the tests that run this code pass. 5 of 7 checks passed · Linter: unknown". */
export function verdictSummary({ strength, strengthMeaning, verdicts }: Proof): string {
  if (strength === null || strengthMeaning === null) return gateSummary(verdicts);
  return `${strengthText(strength)}: ${strengthMeaning.charAt(0).toLowerCase()}${strengthMeaning.slice(1)} ${gateSummary(verdicts)}`;
}

/** "5 of 7 checks passed · Linter: unknown · Tests: unknown". */
function gateSummary(verdicts: readonly ReviewVerdict[]): string {
  if (verdicts.length === 0) return 'no check has run yet';
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').length;
  const others = verdicts.filter(({ outcome }) => outcome !== 'passed').map(({ gate, outcome }) => `${checkLabel(gate)}: ${outcome}`);
  return [others.length === 0 ? `${passed} checks passed` : `${passed} of ${verdicts.length} checks passed`, ...others].join(' · ');
}

/** As short as a button has to be: the strength, and what failed; what is unknown is in the list behind it. */
export function gatesTitle({ strength, verdicts }: Pick<Proof, 'strength' | 'verdicts'>): string {
  const [first = '', ...others] = gateSummary(verdicts).split(' · ');
  const failed = others.filter((other) => other.endsWith(' failed'));
  // What is unchecked has passed some checks all the same, and none that says anything about harm: a count would only confuse.
  const facts = strength === 'unchecked' ? failed : [first, ...failed];
  return [...(strength === null ? [] : [strengthText(strength)]), ...facts].join(' · ');
}

/** Whether a decision is still possible. */
export function isOpen({ status }: Pick<Review, 'status'>): boolean {
  return status === 'verified' || status === 'deferred' || status === 'approved';
}

/** What the button that applies says that it does. */
export function applyTitle(skipped: number, edited: boolean): string {
  return `${skipped ? `Apply all but ${skipped} skipped` : 'Apply all'}${edited ? ' with my edits' : ''}`;
}

/** A text of others as Markdown that shows it as it is, on one line. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#|~&!$]/g, (mark) => `\\${mark}`);
}

/** "61.2 → 61.9 points", or null when either side is unknown. */
export function pointsSummary({ pointsBefore, pointsAfter }: Pick<Review, 'pointsBefore' | 'pointsAfter'>): string | null {
  if (pointsBefore === null || pointsAfter === null) return null;
  const [before, after] = points(pointsBefore) === points(pointsAfter) ? [finer(pointsBefore), finer(pointsAfter)] : [points(pointsBefore), points(pointsAfter)];
  return `${before} → ${after} points`;
}

/** Title of the editor tab. */
export function reviewTitle(review: Review): string {
  const [only] = review.files;
  return review.files.length === 1 && only ? `${only.path.split('/').at(-1)}: ${review.title}` : `Selfware: ${review.title}`;
}

export function hunksOf({ hunks }: ReviewFile): readonly number[] {
  return hunks.map(({ index }) => index);
}

/** The hunk that a line of one side belongs to: the one it lies in, else the nearest. Null for a file without hunks. */
export function hunkAt(file: ReviewFile, side: 'before' | 'after', line: number): ReviewHunk | null {
  const distance = (hunk: ReviewHunk) => {
    const first = side === 'after' ? hunk.afterLine : hunk.beforeLine;
    const last = first + Math.max(0, (side === 'after' ? hunk.added : hunk.removed) - 1);
    return line < first ? first - line : Math.max(0, line - last);
  };
  return file.hunks.reduce<ReviewHunk | null>((best, hunk) => (best && distance(best) <= distance(hunk) ? best : hunk), null);
}

/** Two more decimals for a gain that one decimal would hide. */
function finer(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
