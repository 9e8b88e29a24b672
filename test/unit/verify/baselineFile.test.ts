// A file of kept results that holds something else, as one from another machine may, counts as empty.

import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';

test.each([5, 'x', { entries: 5 }, { entries: {} }, { entries: [5, ['a'], [1, {}], null] }])('%j', async (found) => {
  const written: unknown[] = [];
  const cache = createBaselineCache({
    read: async <T>() => found as T,
    write: async (_name, value) => void written.push(value),
  });
  expect(await cache.find('tree', 'what')).toBeUndefined();
  await cache.keep('tree', 'what', 1);
  expect(await cache.find('tree', 'what')).toBe(1);
  expect(written).toEqual([{ entries: [[expect.any(String), 1]] }]);
});

test('results of a tree count after a commit of it, also after several, and results of the new tree come first', async () => {
  const cache = createBaselineCache();
  await cache.keep('uncommitted', 'tests', 'green');
  cache.follow('first commit', 'uncommitted');
  cache.follow('second commit', 'first commit');
  cache.follow('uncommitted', 'second commit');
  expect(await cache.find('second commit', 'tests')).toBe('green');
  expect(await cache.find('second commit', 'types')).toBeUndefined();
  expect(await cache.find('another', 'tests')).toBeUndefined();
  await cache.keep('first commit', 'tests', 'red');
  expect(await cache.find('second commit', 'tests')).toBe('red');
  expect(await cache.find('uncommitted', 'tests')).toBe('green');
});
