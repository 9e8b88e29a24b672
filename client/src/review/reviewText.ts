// What a review says in one line: checks, points, hunks. Plain data in and out.

import { gainOf } from '#protocol/gain';
import { checkLabel } from '#protocol/plainWords';
import type { Review, ReviewFile, ReviewHunk, ReviewVerdict } from '#protocol/review';
import { strengthText } from '#protocol/strength';
import { points } from '../status/statusText.ts';

/** What a review knows of its proof. */
type Proof = Pick<Review, 'strength' | 'strengthMeaning' | 'claim' | 'verdicts'>;

/** "Tested: the tests that run this code pass. 5 of 7 checks passed · Linter: unknown". */
export function verdictSummary({ strength, strengthMeaning, claim, verdicts }: Proof): string {
  if (strength === null || strengthMeaning === null) return gateSummary(verdicts);
  const better = claim === null ? '' : `${claim} `;
  const meaning = strengthMeaning.charAt(0).toLowerCase() + strengthMeaning.slice(1);
  return `${better}${strengthText(strength)}: ${meaning} ${gateSummary(verdicts)}`;
}

/** "5 of 7 checks passed · Linter: unknown · Tests: unknown". */
function gateSummary(verdicts: readonly ReviewVerdict[]): string {
  if (verdicts.length === 0) return 'no check has run yet';
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').length;
  const others = verdicts
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ gate, outcome }) => `${checkLabel(gate)}: ${outcome}`);
  return [
    others.length === 0 ? `${passed} checks passed` : `${passed} of ${verdicts.length} checks passed`,
    ...others,
  ].join(' · ');
}

/** Whether a decision is still possible. */
export function isOpen({ status }: Pick<Review, 'status'>): boolean {
  return status === 'verified' || status === 'deferred' || status === 'approved';
}

/** What the button that applies says that it does. */
export function applyTitle(hunks: number, skipped: number, edited: boolean): string {
  const what = skipped > 0 ? `Apply all but ${skipped} skipped` : hunks > 1 ? 'Apply all' : 'Apply';
  return `${what}${edited ? ' with my edits' : ''}`;
}

/** Of all files. */
export function hunkCount({ files }: Pick<Review, 'files'>): number {
  return files.reduce((sum, { hunks }) => sum + hunks.length, 0);
}

/** Characters of a line above a change that a window of 1280 pixels shows beside a sidebar and the old text. */
const REASON_LENGTH = 46;

/** The first statement of a reason on one line, short enough that no editor cuts it off. */
export function shortReason(rationale: string, atMost = REASON_LENGTH): string {
  const [statement = ''] = rationale.trim().split(/[.;:](?=\s|$)|,? (?:so|because|which) /);
  const first = statement.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  if (first.length <= atMost) return first;
  const cut = first.slice(0, atMost - 1);
  return `${cut.slice(0, cut.includes(' ') ? cut.lastIndexOf(' ') : undefined).replace(/[,;:]$/, '')}…`;
}

/** "+3.4 points", or null where nobody knows. */
export function gainText({ pointsDelta }: Pick<Review, 'pointsDelta'>): string | null {
  return pointsDelta === null ? null : gainOf(pointsDelta);
}

/** "61.2 → 61.9 points", or null when either side is unknown. */
export function pointsSummary({
  pointsBefore,
  pointsAfter,
}: Pick<Review, 'pointsBefore' | 'pointsAfter'>): string | null {
  if (pointsBefore === null || pointsAfter === null) return null;
  const [before, after] =
    points(pointsBefore) === points(pointsAfter)
      ? [finer(pointsBefore), finer(pointsAfter)]
      : [points(pointsBefore), points(pointsAfter)];
  return `${before} → ${after} points`;
}

/** In the titles of tabs with several files; such a tab is known by it. */
export const SEVERAL_FILES = ' · Selfware';

/** Title of the editor tab: what changes comes first, because tabs are cut off at their end. */
export function reviewTitle(review: Review): string {
  const [only] = review.files;
  return review.files.length === 1 && only
    ? `${review.title} · ${only.path.split('/').at(-1)}`
    : `${review.title}${SEVERAL_FILES}`;
}

export function hunksOf({ hunks }: ReviewFile): readonly number[] {
  return hunks.map(({ index }) => index);
}

/** The hunks make sense without the others; all of them together always do. */
export function canStandAlone(files: Review['files'], hunks: readonly number[]): boolean {
  const all = files.flatMap((file) => file.hunks);
  return hunks.length === all.length || all.every(({ index, alone }) => alone || !hunks.includes(index));
}

/** The hunk that a line of one side belongs to: the one it lies in, else the nearest. Null for a file without hunks. */
export function hunkAt(file: ReviewFile, side: 'before' | 'after', line: number): ReviewHunk | null {
  const distance = (hunk: ReviewHunk) => {
    const first = side === 'after' ? hunk.afterLine : hunk.beforeLine;
    const last = first + Math.max(0, (side === 'after' ? hunk.added : hunk.removed) - 1);
    return line < first ? first - line : Math.max(0, line - last);
  };
  return file.hunks.reduce<ReviewHunk | null>(
    (best, hunk) => (best && distance(best) <= distance(hunk) ? best : hunk),
    null,
  );
}

/** Two more decimals for a gain that one decimal would hide. */
function finer(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
