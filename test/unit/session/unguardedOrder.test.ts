// The order in which the search for missing tests calls functions, tries mistakes, and runs test files.

import { expect, test } from 'vitest';
import { hasFoundEnough } from '../../../server/src/core/session/analyse/unguarded/groupFiles.ts';
import { sortPromisingFirst, sortInTurns } from '../../../server/src/core/session/analyse/unguarded/functionOrder.ts';
import { chooseNamingTests, mergeStatuses } from '../../../server/src/core/session/analyse/unguarded/nearTests.ts';
import type { ShownBy } from '../../../server/src/core/session/analyse/unguarded/functionOrder.ts';

test('functions that tests call come first, objects of several steps last', () => {
  const made = { name: 'made', examples: [[1]], used: {} as never };
  const unknown = { name: 'unknown', examples: [] };
  const called = { name: 'called', examples: [[1]] };
  expect(sortPromisingFirst([made, unknown, called]).map(({ name }) => name)).toEqual(['called', 'unknown', 'made']);
});

test('the mistakes of a large function leave time for those of a small one; those of none come last', () => {
  const shownBy = new Map([
    ['large', [1, 2, 3, 4]],
    ['small', [2, 7, 8]],
  ]) as unknown as ShownBy;
  expect(sortInTurns([1, 2, 3, 4, 5, 7], shownBy)).toEqual([1, 7, 2, 3, 4, 5]);
});

test('of the test files that name a function, its own comes first, then the fastest', () => {
  const texts = [
    { file: 'test/all.test.js', text: 'clamp(1)' },
    { file: 'test/slow.test.js', text: 'clamp(2)' },
    { file: 'test/clamp.test.js', text: 'clamp(3)' },
    { file: 'test/other.test.js', text: 'wrap(3)' },
  ];
  const cases = [
    { file: 'test/all.test.js', millis: 5 },
    { file: 'test/slow.test.js', millis: 4 },
    { file: 'test/slow.test.js', millis: 300 },
    { file: 'test/clamp.test.js', millis: 900 },
  ];
  expect(chooseNamingTests(texts, [{ path: 'src/numbers.js', name: 'clamp' }], cases)).toEqual([
    'test/clamp.test.js',
    'test/all.test.js',
  ]);
  expect(chooseNamingTests(texts, [{ path: 'src/numbers.js', name: 'Ring.turn' }], cases)).toEqual([]);
});

test('what near tests have noticed stays known if no test passes in the run of all', () => {
  const [first, second] = ['a', 'b'].map((text) => ({ text }) as Parameters<typeof mergeStatuses>[0][number][0]);
  expect(mergeStatuses([[first!, 'noticed']], null)).toEqual(new Map([[first, 'noticed']]));
  expect(mergeStatuses([], null)).toBeNull();
  expect(mergeStatuses([[first!, 'noticed']], new Map([[second!, 'survived']]))?.size).toBe(2);
});

test('a search for tests of a night goes on until several functions share a check; a person gets the first one', () => {
  const written = { test: { path: 'a.test.js', added: '' } };
  const refused = { test: { refused: 'No test can be written.' } };
  const found = [written, refused, refused, refused, refused];
  expect(hasFoundEnough(found, { untilFound: true })).toBe(false);
  expect(hasFoundEnough([...found, written, written, written], { untilFound: true })).toBe(true);
  expect(hasFoundEnough(found, { untilFound: true, quick: true })).toBe(true);
  expect(hasFoundEnough([refused], { untilFound: true, quick: true })).toBe(false);
  expect(hasFoundEnough([written, written, written, written], {})).toBe(false);
});
