// A sample of a list: in order, and from all of its parts.

import { expect, test } from 'vitest';
import { sampleEvenly } from '../../../server/src/util/values/sampleEvenly.ts';

test('a short list is its own sample', () => {
  expect(sampleEvenly(['a', 'b'], 2)).toEqual(['a', 'b']);
  expect(sampleEvenly([], 3)).toEqual([]);
});

test('a long list gives as many items as allowed, each once and evenly distributed', () => {
  expect(sampleEvenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([0, 2, 4, 6, 8]);
  expect(sampleEvenly([0, 1, 2, 3], 3)).toEqual([0, 1, 2]);
});
