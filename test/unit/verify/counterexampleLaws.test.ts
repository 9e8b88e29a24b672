// Which laws a name promises.

import { expect, test } from 'vitest';
import {
  isComparatorName,
  isNormaliserName,
  listInverseNames,
} from '../../../server/src/core/verify/counterexamples/laws.ts';

test.each([
  ['stringifyQuery', 'parseQuery'],
  ['serialize', 'deserialize'],
  ['serialize', 'parse'],
  ['base64Encode', 'base64Decode'],
  ['encodeURL', 'decodeURL'],
  ['escapeHtml', 'unescapeHtml'],
  ['toHex', 'fromHex'],
  ['hexToBytes', 'bytesToHex'],
])('%s leads to what %s leads back from', (there, back) => {
  expect(listInverseNames(there)).toContain(back);
});

test.each(['formatDate', 'encoder', 'packages', 'total', 'together', 'decode', 'escaped'])(
  '%s leads nowhere',
  (name) => {
    expect(listInverseNames(name)).toEqual([]);
  },
);

test('names of comparators, but not of measures', () => {
  const names = ['compare', 'compareVersions', 'byName', 'nameComparator', 'cmp', 'sortCompare'];
  expect(names.filter((name) => !isComparatorName(name))).toEqual([]);
  const others = ['comparison', 'compareSimilarity', 'bypass', 'distance', 'compareAndScore', 'comparable'];
  expect(others.filter(isComparatorName)).toEqual([]);
});

test('names of what rests after the first time, but not of what takes one layer away', () => {
  const names = ['normalizePath', 'normalise', 'trimEnd', 'uniq', 'sortKeys', 'dedupe', 'cleanText'];
  expect(names.filter((name) => !isNormaliserName(name))).toEqual([]);
  const others = [
    'sorted',
    'trimFirst',
    'stripIndent',
    'removeAll',
    'sortBy',
    'stripExtension',
    'stripOnce',
    'cleaner',
  ];
  expect(others.filter(isNormaliserName)).toEqual([]);
});
