// Where the buttons of a review stand: what is asked and why it is proposed, beside the change itself.

import { expect, test } from 'vitest';
import type { Review, ReviewFile, ReviewHunk } from '#protocol/review';
import { createLensRows } from '../../../client/src/review/lensRows.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');
const hunk = (index: number, afterLine: number, afterLines = 1): ReviewHunk => ({
  index,
  afterLine,
  beforeLine: afterLine,
  added: afterLines,
  removed: 1,
  afterLines,
  beforeLines: 1,
  alone: true,
});

function file(path: string, hunks: readonly ReviewHunk[], text = lines(200)): ReviewFile {
  return { path, uri: '', before: '', after: text, created: false, deleted: false, hunks };
}

function reviewOf(files: readonly ReviewFile[], more: Partial<Review> = {}): Review {
  return {
    id: 'p',
    title: 'Remove unused round',
    rationale: 'Nothing reads round; the compiler says so.',
    status: 'verified',
    recipe: 'remove-unused',
    safety: 'behaviorPreserving',
    strength: 'tested',
    strengthMeaning: 'The tests that run this code pass.',
    claim: null,
    files,
    verdicts: [],
    pointsBefore: 1,
    pointsAfter: 4.2,
    pointsDelta: 3.2,
    reason: null,
    rule: 'unused-import',
    hasTest: false,
    checkpoint: null,
    ...more,
  };
}

/** Each line (from 1) with what stands above it. */
function shown(
  review: Review,
  of: ReviewFile | undefined = review.files[0],
  skipped: readonly number[] = [],
  edited = false,
): Record<number, string> {
  const above: Record<number, string> = {};
  if (!of) return above;
  for (const { line, title } of createLensRows({
    review,
    file: of,
    text: of.after,
    skipped: new Set(skipped),
    isEdited: edited,
  }))
    above[line + 1] = above[line + 1] ? `${above[line + 1]} | ${title}` : title;
  return above;
}

test('the only hunk of a proposal, far below the top: all that is asked stands above it', () => {
  expect(shown(reviewOf([file('a.ts', [hunk(0, 155)])]))).toEqual({
    154: 'Why? Nothing reads round',
    155: 'Apply | Reject | Tested | +3.2 points',
  });
});

test('a claim is named before the points that it costs', () => {
  const claim = 'Fixes a defect. Without the change “a” fails; with it, it passes. It costs 0.04 points.';
  const fix = { claim, pointsDelta: -0.04 };
  expect(shown(reviewOf([file('a.ts', [hunk(0, 155)])], fix))[155]).toBe(
    'Apply | Reject | Tested | Fixes a defect · costs 0.04 points',
  );
  expect(shown(reviewOf([file('a.ts', [hunk(0, 20), hunk(1, 90)])], fix))[19]).toBe(
    'Fixes a defect · costs 0.04 points | Why? Nothing reads round',
  );
});

test('lines that are only inserted: nothing stands above the code before them', () => {
  const inserted = { ...hunk(0, 155, 3), removed: 0, beforeLines: 0 };
  expect(shown(reviewOf([file('a.ts', [inserted])]))).toEqual({
    155: 'Apply | Reject | Tested | +3.2 points | Why? Nothing reads round',
  });
  expect(shown(reviewOf([file('a.ts', [inserted, hunk(1, 180)])]))).toEqual({
    155: 'Apply all | Reject | Apply hunk | Skip hunk | Tested | +3.2 points | Why?',
    180: 'Apply hunk | Skip hunk | Why?',
  });
});

test('a hunk in the first line: the reason stands below it', () => {
  expect(shown(reviewOf([file('a.ts', [hunk(0, 1, 2)])]))).toEqual({
    1: 'Apply | Reject | Tested | +3.2 points',
    3: 'Why? Nothing reads round',
  });
});

test('a file of one line: everything on it', () => {
  expect(shown(reviewOf([file('a.ts', [hunk(0, 1)], 'line 1')]))).toEqual({
    1: 'Apply | Reject | Tested | +3.2 points | Why? Nothing reads round',
  });
});

test('several hunks: each has its own buttons, and the first those of the whole as well', () => {
  const review = reviewOf([file('a.ts', [hunk(0, 20), hunk(1, 90)])]);
  expect(shown(review)).toEqual({
    19: '+3.2 points | Why? Nothing reads round',
    20: 'Apply all | Reject | Apply hunk | Skip hunk | Tested',
    90: 'Apply hunk | Skip hunk | Why?',
  });
  expect(shown(review, undefined, [0])[20]).toBe('Apply all but 1 skipped | Reject | Skipped | Include hunk | Tested');
});

test('several files: the whole on top of the first, each file by itself where it has several hunks', () => {
  const files = [file('a.ts', [hunk(0, 5)]), file('b.ts', [hunk(1, 8), hunk(2, 40)])];
  const review = reviewOf(files);
  expect(shown(review)[5]).toBe('Apply all | Reject | Apply hunk | Skip hunk | Tested');
  expect(shown(review, files[1])).toEqual({
    8: 'Apply hunk | Skip hunk | Why? | Apply file | Skip file',
    40: 'Apply hunk | Skip hunk | Why?',
  });
  expect(shown(review, files[1], [1, 2])[8]).toBe('Skipped | Include hunk | Why? | Include file');
});

test('what a person has typed moves the buttons along, and can be discarded', () => {
  const changed = file('a.ts', [hunk(0, 30)]);
  const review = reviewOf([changed]);
  const rows = createLensRows({
    review,
    file: changed,
    text: `mine\n${changed.after}`,
    skipped: new Set(),
    isEdited: true,
  });
  expect(rows.map(({ line, title }) => [line + 1, title])).toEqual([
    [31, 'Apply with my edits'],
    [31, 'Reject'],
    [31, 'Discard my edits'],
    [31, 'Tested'],
    [31, '+3.2 points'],
    [30, 'Why? Nothing reads round'],
  ]);
});

test('unknown points are left out, and what is not verified yet is said', () => {
  expect(
    shown(reviewOf([file('a.ts', [hunk(0, 9)])], { pointsDelta: null, strength: null, strengthMeaning: null }))[9],
  ).toBe('Apply | Reject | Not checked yet');
});

test('a decided one says what became of it, at the change', () => {
  expect(shown(reviewOf([file('a.ts', [hunk(0, 155)])], { status: 'rolledBack' }))).toEqual({ 155: 'rolled back' });
});

test('hunks that belong together are applied or rejected together; the others keep their buttons', () => {
  const bound = (index: number, line: number): ReviewHunk => ({ ...hunk(index, line), alone: false });
  const rows = Object.values(shown(reviewOf([file('a.ts', [bound(0, 20), bound(1, 60), hunk(2, 90)])])));
  expect(rows.filter((row) => row.includes('Apply all'))).toHaveLength(1);
  expect(rows.filter((row) => /(Apply|Skip) hunk/.test(row))).toEqual(['Apply hunk | Skip hunk | Why?']);
  const files = [file('a.ts', [bound(0, 20), hunk(1, 60)]), file('b.ts', [bound(2, 20)])];
  expect(Object.values(shown(reviewOf(files))).join(' ')).not.toContain('Apply file');
});
