// What the client says in one line, from plain data.

import { expect, test } from 'vitest';
import type { Review, ReviewFile, ReviewHunk, ReviewVerdict } from '#protocol/review';
import type { Strength } from '#protocol/strength';
import {
  createApplyTitle,
  canStandAlone,
  formatGainOf,
  findHunkAt,
  summarisePoints,
  createReviewTitle,
  shortenReason,
  summariseVerdicts,
} from '../../../client/src/review/reviewText.ts';
import { explainUnusableRuntime } from '../../../client/src/server/runtime.ts';
import { formatElapsed, composeStatus } from '../../../client/src/status/statusText.ts';
import { fresh, full } from '../../webview/fixtures/states.ts';
import { createPart } from '../../helpers/createPart.ts';

const verdict = (gate: string, outcome: ReviewVerdict['outcome']): ReviewVerdict => ({
  gate,
  outcome,
  reason: '',
  millis: 1,
});

/** As a server tells it. */
const proof = (strength: Strength | null, verdicts: readonly ReviewVerdict[]) => ({
  strength,
  strengthMeaning: strength && 'The tests say so.',
  claim: null,
  verdicts,
});

test.each([
  [[], 'no check has run yet'],
  [[verdict('types', 'passed'), verdict('tests', 'passed')], '2 checks passed'],
  [[verdict('types', 'passed'), verdict('tests', 'unknown')], '1 of 2 checks passed · Tests: unknown'],
  [[verdict('types', 'passed'), { ...verdict('guard', 'unknown'), notNeeded: 'only tests change' }], '1 check passed'],
  [[verdict('types', 'failed'), verdict('tests', 'unknown')], '0 of 2 checks passed · Types: failed · Tests: unknown'],
])('verdicts of a review: %#', (verdicts, expected) => {
  expect(summariseVerdicts(proof(null, verdicts))).toBe(expected);
  expect(summariseVerdicts(proof('tested', verdicts))).toBe(`Tested: the tests say so. ${expected}`);
});

test.each([
  [61.23, 61.91, '61.2 → 61.9 points'],
  [61.23, 61.234, '61.23 → 61.234 points'],
  [null, 61, null],
  [61, null, null],
])('points from %s to %s', (pointsBefore, pointsAfter, expected) => {
  expect(summarisePoints({ pointsBefore, pointsAfter })).toBe(expected);
});

const hunk = (
  index: number,
  afterLine: number,
  added: number,
  beforeLine = afterLine,
  removed = added,
): ReviewHunk => ({
  index,
  afterLine,
  added,
  beforeLine,
  removed,
  afterLines: added,
  beforeLines: removed,
  alone: true,
});
const file = (hunks: readonly ReviewHunk[]): ReviewFile => ({
  path: 'src/a.ts',
  uri: '',
  before: '',
  after: '',
  created: false,
  deleted: false,
  hunks,
});

test.each([
  ['none in a file without hunks', [], 'after', 3, undefined],
  ['the one that the line lies in', [hunk(0, 2, 3), hunk(1, 10, 2)], 'after', 11, 1],
  ['the nearest above', [hunk(0, 2, 3), hunk(1, 20, 2)], 'after', 6, 0],
  ['the nearest below', [hunk(0, 2, 3), hunk(1, 20, 2)], 'after', 18, 1],
  // Unchanged lines lie between the changes of a hunk.
  ['the one that the line lies in, unchanged', [{ ...hunk(0, 2, 2), afterLines: 6 }, hunk(1, 9, 2)], 'after', 7, 0],
  ['a deletion by its place', [hunk(0, 5, 0, 5, 4), hunk(1, 9, 1, 13, 1)], 'after', 5, 0],
  ['the line of the other side', [hunk(0, 5, 0, 5, 4), hunk(1, 9, 1, 13, 1)], 'before', 13, 1],
] as const)('the hunk at a line: %s', (_, hunks, side, line, expected) => {
  expect(findHunkAt(file(hunks), side, line)?.index).toBe(expected);
});

test('the tab of one file is named after it, that of several after the proposal', () => {
  const review = createPart<Review>({ title: 'Remove unused round', files: [file([])] });
  expect(createReviewTitle(review)).toBe('Remove unused round · a.ts');
  expect(createReviewTitle({ ...review, files: [file([]), file([])] })).toBe('Remove unused round · Selfware');
});

test.each([
  ['starting', null, null, 'Selfware', false],
  ['a server that failed', null, 'It is damaged.', 'Selfware', false],
  ['points and a proposal that waits', full, null, '61.4 points $(git-pull-request) 1 to decide', true],
  ['indexing', fresh, null, 'Indexing 412 of 1,284', false],
  ['restricted', { ...full, trusted: false, waiting: 0, pending: [] }, null, 'Selfware restricted', false],
  ['stopped', { ...full, activity: 'stopped' as const, waiting: 0, pending: [] }, null, 'Selfware stopped', false],
] as const)('the status bar: %s', (_, state, failure, expected, isProminent) => {
  const shown = composeStatus(state, failure);
  expect(shown.text.replace(/^\$\([^)]*\) /, '')).toBe(expected);
  expect(shown.isProminent).toBe(isProminent);
  expect(shown.tooltip).not.toMatch(/undefined|%/);
});

test.each(['proposing', 'verifying', 'applying'] as const)(
  'the status bar says for how long somebody has waited: %s',
  (activity) => {
    expect(composeStatus({ ...full, activity }, null, 'running', 65_400).text).toMatch(/ing 1 min 5 s/);
  },
);

test('a time is told in seconds, and from a minute on in minutes', () => {
  expect([0, 999, 59_999, 60_000, 3_725_000].map(formatElapsed)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 0 s',
    '62 min 5 s',
  ]);
});

test.each([
  ['24.1.0', true, null],
  ['22.13.0', true, null],
  ['22.12.9', true, /22\.13/],
  ['20.18.0', false, /22\.13/],
  ['22.17.0', false, /without SQLite/],
])('Node %s with SQLite: %s', (version, hasSqlite, expected) => {
  const trouble = explainUnusableRuntime(version, hasSqlite);
  if (expected === null) expect(trouble).toBeNull();
  else expect(trouble).toMatch(expected);
});

test.each([
  [1, 0, false, 'Apply'],
  [3, 0, false, 'Apply all'],
  [3, 2, false, 'Apply all but 2 skipped'],
  [3, 1, true, 'Apply all but 1 skipped with my edits'],
  [1, 0, true, 'Apply with my edits'],
] as const)('the button for %s hunks with %s skipped and edits: %s', (hunks, skipped, edited, expected) => {
  expect(createApplyTitle(hunks, skipped, edited)).toBe(expected);
});

test.each([
  ["Nothing reads round; TypeScript's own check for unused declarations says so.", 'Nothing reads round'],
  ['The code before always leaves, so it never runs.', 'The code before always leaves'],
  [
    'The condition wraps everything that is left to do, and the opposite case can leave.',
    'The condition wraps everything that is left…',
  ],
  ['`?.` asks whether it is there.', '?. asks whether it is there'],
  ['In version 1.2 it is `a.b`.', 'In version 1.2 it is a.b'],
  ['x'.repeat(80), `${'x'.repeat(45)}…`],
  ['', ''],
])('the reason on one line: %s', (rationale, expected) => {
  expect(shortenReason(rationale)).toBe(expected);
});

test.each([
  [3.42, '+3.4 points'],
  [0.056, '+0.06 points'],
  [0.012, '+0.01 points'],
  [0.0042, '+0.0042 points'],
  [1, '+1 point'],
  [0, 'same points'],
  [-1.25, '−1.3 points'],
  [null, null],
])('a gain of %s', (pointsDelta, expected) => {
  expect(formatGainOf({ pointsDelta, claim: null })).toBe(expected);
});

test.each([
  [-0.04, 'Fixes a defect. Without the change “a” fails. It costs 0.04 points.', 'Fixes a defect · costs 0.04 points'],
  [0, 'Makes types exact. The JavaScript is the same.', 'Makes types exact'],
  [0.06, 'Fixes a defect (not shown). No test.', 'Fixes a defect (not shown) · +0.06 points'],
  [null, 'Makes it faster. By 20 %.', 'Makes it faster'],
])('a gain of %s with a claim', (pointsDelta, claim, expected) => {
  expect(formatGainOf({ pointsDelta, claim })).toBe(expected);
});

test('a part of what belongs together cannot be applied or skipped, all of it can', () => {
  const files = [
    {
      hunks: [
        { index: 0, alone: false },
        { index: 1, alone: false },
        { index: 2, alone: true },
      ],
    },
  ];
  const alone = (hunks: readonly number[]) => canStandAlone(files as unknown as Review['files'], hunks);
  expect([[0], [1, 2], [2], [0, 1, 2]].map(alone)).toEqual([false, false, true, true]);
});
