// Makes the short texts about a review (checks, points, reason, titles), and answers questions about its hunks. Does
// not use VS Code's API.

import { formatCount } from '../counted.ts';
import { formatGain } from '#protocol/gain';
import { checkLabel } from '#protocol/plainWords';
import type { Review, ReviewFile, ReviewHunk, ReviewVerdict } from '#protocol/review';
import { strengthText } from '#protocol/strength';
import { formatPoints } from '../status/statusText.ts';

/**
 * Number of characters of a reason that fit above a change, in a window of 1280 pixels with a sidebar and both sides of
 * a diff.
 */
const MAX_REASON_CHARACTERS = 46;
/** The end of the titles of multi-file reviews; their tabs are recognised by it. */
export const MULTI_FILE_TITLE_SUFFIX = ' · Selfware';

/** The parts of a review that say how well its change is proven. */
type Proof = Pick<Review, 'strength' | 'strengthMeaning' | 'claim' | 'verdicts'>;

/** A line such as "Tested: the tests that run this code pass. 5 of 7 checks passed · Linter: unknown". */
export function summariseVerdicts({ strength, strengthMeaning, claim, verdicts }: Proof): string {
  if (strength === null || strengthMeaning === null) return summariseGates(verdicts);
  const claimText = claim === null ? '' : `${claim} `;
  const meaning = strengthMeaning.charAt(0).toLowerCase() + strengthMeaning.slice(1);
  return `${claimText}${strengthText(strength)}: ${meaning} ${summariseGates(verdicts)}`;
}

/** A line such as "5 of 7 checks passed · Linter: unknown · Tests: unknown", without checks that were not needed. */
function summariseGates(verdicts: readonly ReviewVerdict[]): string {
  if (verdicts.length === 0) return 'no check has run yet';
  const neededVerdicts = verdicts.filter(({ notNeeded }) => notNeeded === undefined);
  const passedCount = neededVerdicts.filter(({ outcome }) => outcome === 'passed').length;
  const otherChecks = neededVerdicts
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ gate, outcome }) => `${checkLabel(gate)}: ${outcome}`);
  return [
    otherChecks.length === 0
      ? `${formatCount(passedCount, 'check')} passed`
      : `${passedCount} of ${neededVerdicts.length} checks passed`,
    ...otherChecks,
  ].join(' · ');
}

/** True if a decision is still possible. */
export function isDecidable({ status }: Pick<Review, 'status'>): boolean {
  return status === 'verified' || status === 'deferred' || status === 'approved';
}

/** The label of the button that applies the proposal. */
export function createApplyTitle(hunks: number, skipped: number, isEdited: boolean): string {
  const label = skipped > 0 ? `Apply all but ${skipped} skipped` : hunks > 1 ? 'Apply all' : 'Apply';
  return `${label}${isEdited ? ' with my edits' : ''}`;
}

/** The number of hunks in all files. */
export function countHunks({ files }: Pick<Review, 'files'>): number {
  return files.reduce((sum, { hunks }) => sum + hunks.length, 0);
}

/** The first statement of a reason on one line, shortened to at most `maxLength` characters at the end of a word. */
export function shortenReason(rationale: string, maxLength = MAX_REASON_CHARACTERS): string {
  const [statement = ''] = rationale.trim().split(/[.;:](?=\s|$)|,? (?:so|because|which) /);
  const firstStatement = statement.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  if (firstStatement.length <= maxLength) return firstStatement;
  const shortenedLine = firstStatement.slice(0, maxLength - 1);
  return `${shortenedLine.slice(0, shortenedLine.includes(' ') ? shortenedLine.lastIndexOf(' ') : undefined).replace(/[,;:]$/, '')}…`;
}

/**
 * The gain of a proposal, such as "+3.4 points". If it has a claim, the claim comes first: "Fixes a defect · costs 0.04
 * points". Null if there are neither points nor a claim.
 */
export function formatGainOf({ pointsDelta, claim }: Pick<Review, 'pointsDelta' | 'claim'>): string | null {
  const gain = pointsDelta === null ? null : formatGain(pointsDelta);
  // The first sentence of a claim is its label.
  const label = claim?.split('. ', 1)[0];
  if (label === undefined) return gain;
  if (gain === null || pointsDelta === 0) return label;
  return `${label} · ${pointsDelta! < 0 ? `costs ${gain.slice(1)}` : gain}`;
}

/** The points before and after the change, such as "61.2 → 61.9 points"; null if either is unknown. */
export function summarisePoints({
  pointsBefore,
  pointsAfter,
}: Pick<Review, 'pointsBefore' | 'pointsAfter'>): string | null {
  if (pointsBefore === null || pointsAfter === null) return null;
  const [before, after] =
    formatPoints(pointsBefore) === formatPoints(pointsAfter)
      ? [formatFinely(pointsBefore), formatFinely(pointsAfter)]
      : [formatPoints(pointsBefore), formatPoints(pointsAfter)];
  return `${before} → ${after} points`;
}

/** The title of the editor tab. The title of the proposal comes first, because VS Code may cut off the end. */
export function createReviewTitle(review: Review): string {
  const [onlyFile] = review.files;
  return review.files.length === 1 && onlyFile
    ? `${review.title} · ${onlyFile.path.split('/').at(-1)}`
    : `${review.title}${MULTI_FILE_TITLE_SUFFIX}`;
}

/** Indices of the hunks of a file. The server numbers hunks throughout the proposal. */
export function hunkIndicesOf({ hunks }: ReviewFile): readonly number[] {
  return hunks.map(({ index }) => index);
}

/**
 * True if the hunks can be applied without the others: each of them is independent, or they are all hunks of the
 * proposal.
 */
export function canStandAlone(files: Review['files'], hunks: readonly number[]): boolean {
  const allHunks = files.flatMap((file) => file.hunks);
  return hunks.length === allHunks.length || allHunks.every(({ index, alone }) => alone || !hunks.includes(index));
}

/** The hunk that contains a line (1-based) of one side, otherwise the nearest hunk. Null for a file without hunks. */
export function findHunkAt(file: ReviewFile, side: 'before' | 'after', line: number): ReviewHunk | null {
  const distanceTo = (hunk: ReviewHunk) => {
    const firstLine = side === 'after' ? hunk.afterLine : hunk.beforeLine;
    const lastLine = firstLine + Math.max(0, (side === 'after' ? hunk.afterLines : hunk.beforeLines) - 1);
    return line < firstLine ? firstLine - line : Math.max(0, line - lastLine);
  };
  return file.hunks.reduce<ReviewHunk | null>(
    (nearest, hunk) => (nearest && distanceTo(nearest) <= distanceTo(hunk) ? nearest : hunk),
    null,
  );
}

/** The value with three decimals, for a gain that would not show with one. */
function formatFinely(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
