// How `selfware coverage` prints the lines that no test runs.

import { expect, test } from 'vitest';
import { rangesOf } from '../../server/src/cli/commands/coverage.ts';

test('lines in a row are one range', () => {
  expect(rangesOf([3, 9, 10, 11, 14])).toEqual(['3', '9-11', '14']);
  expect(rangesOf([])).toEqual([]);
});
