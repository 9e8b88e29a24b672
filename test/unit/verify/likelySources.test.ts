// Which files get mutants first for new tests.

import { expect, test } from 'vitest';
import { putLikelySourcesFirst } from '../../../server/src/core/verify/claims/likelySources.ts';

const SOURCES = ['index.js', 'src/mean.js', 'src/sum.js', 'src/sum_simple.js', 'src/test_sum.js'].map((path) => ({
  path,
}));
const orderOf = (addresses: readonly string[], edited: string) =>
  putLikelySourcesFirst(SOURCES, { addresses }, [{ path: edited }]).map(({ path }) => path);

test('files with a mutant for which the tests were written come first', () => {
  expect(orderOf(['src/sum_simple.js:3 += → -='], 'test/all.test.js')[0]).toBe('src/sum_simple.js');
  expect(orderOf(['src/sum_simple.js:3 += → -='], 'test/mean.test.js').slice(0, 2)).toEqual([
    'src/sum_simple.js',
    'src/mean.js',
  ]);
});

test.each(['test/sum.test.js', 'test/sum-test.ts', 'test/sum.spec.js', 'tests/test_sum.py', 'test/sum.js'])(
  'files that are named like %s come next',
  (edited) => {
    expect(orderOf([], edited)).toEqual([
      'src/sum.js',
      'index.js',
      'src/mean.js',
      'src/sum_simple.js',
      'src/test_sum.js',
    ]);
  },
);

test('the order of the others stays', () => {
  expect(orderOf([], 'test/other.test.js')).toEqual(SOURCES.map(({ path }) => path));
});
