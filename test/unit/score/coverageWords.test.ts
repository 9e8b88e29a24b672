// Coverage as people read it.

import { expect, test } from 'vitest';
import { formatPercent, formatRanges } from '../../../server/src/core/score/coverage/coverageTexts.ts';

test('lines in a row are one range', () => {
  expect(formatRanges([3, 9, 10, 11, 14])).toEqual(['3', '9-11', '14']);
  expect(formatRanges([])).toEqual([]);
});

test('a share has one decimal, and nothing is no share of nothing', () => {
  expect(formatPercent(7, 8)).toBe('87.5 %');
  expect(formatPercent(0, 0)).toBe('0.0 %');
});
