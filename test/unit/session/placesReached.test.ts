// The places of a file that a change touches: removed lines, and gaps into which lines are inserted.

import { expect, test } from 'vitest';
import { findRemovedLines } from '../../../server/src/core/session/verify/placesReached.ts';

test.each([
  ['a line that is inserted', 'a\nb', 'a\nnew\nb', [1.5]],
  ['a line that goes', 'a\nb\nc', 'a\nc', [2]],
  ['a line that is another one', 'a\nb\nc', 'a\nB\nc', [2]],
  ['an empty line that becomes code', 'a\n\nc', 'a\nnew\nc', [2.5]],
  ['an empty line that goes', 'a\n\nc', 'a\nc', []],
  ['an empty line that comes', 'a\nc', 'a\n\nc', []],
])('%s', (_, before, after, places) => {
  expect(findRemovedLines(before, after)).toEqual(places);
});
