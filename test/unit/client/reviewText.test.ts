// What the client says in one line, from plain data.

import { expect, test } from 'vitest';
import type { Review, ReviewFile, ReviewHunk, ReviewVerdict } from '#protocol/review';
import type { Strength } from '#protocol/strength';
import { applyTitle, gatesTitle, hunkAt, plain, pointsSummary, reviewTitle, verdictSummary } from '../../../client/src/review/reviewText.ts';
import { runtimeTrouble } from '../../../client/src/runtime.ts';
import { statusText } from '../../../client/src/statusText.ts';
import { fresh, full } from '../../webview/fixtures/states.ts';

const verdict = (gate: string, outcome: ReviewVerdict['outcome']): ReviewVerdict => ({ gate, outcome, reason: '', millis: 1 });

/** As a server tells it. */
const proof = (strength: Strength | null, verdicts: readonly ReviewVerdict[]) => ({ strength, strengthMeaning: strength && 'The tests say so.', verdicts });

test.each([
  [[], 'no check has run yet'],
  [[verdict('types', 'passed'), verdict('tests', 'passed')], '2 checks passed'],
  [[verdict('types', 'passed'), verdict('tests', 'unknown')], '1 of 2 checks passed · Tests: unknown'],
  [[verdict('types', 'failed'), verdict('tests', 'unknown')], '0 of 2 checks passed · Types: failed · Tests: unknown'],
])('verdicts of a review: %#', (verdicts, expected) => {
  expect(verdictSummary(proof(null, verdicts))).toBe(expected);
  expect(verdictSummary(proof('tested', verdicts))).toBe(`Tested: the tests say so. ${expected}`);
});

test.each([
  [61.23, 61.91, '61.2 → 61.9 points'],
  [61.23, 61.234, '61.23 → 61.234 points'],
  [null, 61, null],
  [61, null, null],
])('points from %s to %s', (pointsBefore, pointsAfter, expected) => {
  expect(pointsSummary({ pointsBefore, pointsAfter })).toBe(expected);
});

const hunk = (index: number, afterLine: number, added: number, beforeLine = afterLine, removed = added): ReviewHunk => ({ index, afterLine, added, beforeLine, removed, afterLines: added, beforeLines: removed });
const file = (hunks: readonly ReviewHunk[]): ReviewFile => ({ path: 'src/a.ts', uri: '', before: '', after: '', created: false, deleted: false, hunks });

test.each([
  ['none in a file without hunks', [], 'after', 3, undefined],
  ['the one that the line lies in', [hunk(0, 2, 3), hunk(1, 10, 2)], 'after', 11, 1],
  ['the nearest above', [hunk(0, 2, 3), hunk(1, 20, 2)], 'after', 6, 0],
  ['the nearest below', [hunk(0, 2, 3), hunk(1, 20, 2)], 'after', 18, 1],
  ['a deletion by its place', [hunk(0, 5, 0, 5, 4), hunk(1, 9, 1, 13, 1)], 'after', 5, 0],
  ['the line of the other side', [hunk(0, 5, 0, 5, 4), hunk(1, 9, 1, 13, 1)], 'before', 13, 1],
] as const)('the hunk at a line: %s', (_, hunks, side, line, expected) => {
  expect(hunkAt(file(hunks), side, line)?.index).toBe(expected);
});

test('the tab of one file is named after it, that of several after the proposal', () => {
  const review = { title: 'Remove unused round', files: [file([])] } as unknown as Review;
  expect(reviewTitle(review)).toBe('a.ts: Remove unused round');
  expect(reviewTitle({ ...review, files: [file([]), file([])] })).toBe('Selfware: Remove unused round');
});

test.each([
  ['starting', null, null, 'Selfware', false],
  ['a server that failed', null, 'It is damaged.', 'Selfware', false],
  ['points and a proposal that waits', full, null, '61.4 points $(git-pull-request) 1', true],
  ['indexing', fresh, null, 'Indexing 412 of 1284', false],
  ['restricted', { ...full, trusted: false, waiting: 0, pending: [] }, null, 'Selfware restricted', false],
  ['stopped', { ...full, activity: 'stopped' as const, waiting: 0, pending: [] }, null, 'Selfware stopped', false],
] as const)('the status bar: %s', (_, state, failure, expected, prominent) => {
  const shown = statusText(state, failure);
  expect(shown.text.replace(/^\$\([^)]*\) /, '')).toBe(expected);
  expect(shown.prominent).toBe(prominent);
  expect(shown.tooltip).not.toMatch(/undefined|%/);
});

test.each([
  ['24.1.0', true, null],
  ['22.13.0', true, null],
  ['22.12.9', true, /22\.13/],
  ['20.18.0', false, /22\.13/],
  ['22.17.0', false, /without SQLite/],
])('Node %s with SQLite: %s', (version, hasSqlite, expected) => {
  const trouble = runtimeTrouble(version, hasSqlite);
  if (expected === null) expect(trouble).toBeNull();
  else expect(trouble).toMatch(expected);
});

test.each([
  [0, false, 'Apply all'],
  [2, false, 'Apply all but 2 skipped'],
  [1, true, 'Apply all but 1 skipped with my edits'],
] as const)('the button with %s skipped and edits: %s', (skipped, edited, expected) => {
  expect(applyTitle(skipped, edited)).toBe(expected);
});

test('a text of others is no markup', () => {
  expect(plain('Remove `x`\n[y](command:z) <b>')).toBe('Remove \\`x\\` \\[y\\]\\(command:z\\) \\<b\\>');
});

test.each([
  ['checked', [verdict('types', 'passed'), verdict('lint', 'unknown')], 'Checked · 1 of 2 checks passed'],
  ['unchecked', [verdict('types', 'failed'), verdict('lint', 'unknown')], 'Unchecked · Types: failed'],
  [null, [], 'no check has run yet'],
] as const)('the button that leads to the checks: %#', (strength, verdicts, expected) => {
  expect(gatesTitle(proof(strength, verdicts))).toBe(expected);
});
