// Which new tests have noticed nothing: a fixture that breaks is no notice of any of them.

import { expect, test } from 'vitest';
import { createQuietTests } from '../../../server/src/core/verify/claims/testsWithoutMutant.ts';
import type { TestRun } from '../../../server/src/core/verify/testing/testRun.ts';

const failing = (failures: Readonly<Record<string, string | undefined>>): TestRun => {
  const cases = Object.entries(failures).map(([name, failure]) => ({
    file: 'a.test.js',
    name,
    outcome: 'failed' as const,
    millis: null,
    ...(failure === undefined ? {} : { failure }),
  }));
  const value = { passed: 0, failed: cases.length, skipped: 0, failedNames: [], cases };
  return { answer: { outcome: 'exited', exitCode: 1 } as TestRun['answer'], value, touched: [] };
};

test.each([
  ['each for a reason of its own', { one: '1 != 2', two: '2 != 4' }, 0],
  ['for a reason that nobody knows', { one: undefined, two: undefined }, 0],
  ['one of them', { one: '1 != 2' }, 1],
  ['both alike, as when a fixture breaks', { one: 'no such file', two: 'no such file' }, 2],
])('two new tests fail: %s', (_what, failures, size) => {
  const quiet = createQuietTests(['a.test.js › one', 'a.test.js › two']);
  quiet.recordRun(failing(failures));
  expect(quiet.size).toBe(size);
});

test('a new test that is alone in its file has noticed it', () => {
  const quiet = createQuietTests(['a.test.js › one', 'b.test.js › two']);
  quiet.recordRun(failing({ one: 'no such file' }));
  expect(quiet.size).toBe(1);
});

test.each([
  ['one by its name', ['returns 31556952 for "1 year"'], 1],
  ['one by its name in a group', ['parse › returns 2 for "2"'], 1],
  ['none of the new ones', ['older'], 2],
  [
    'all of them, as when shared code breaks',
    ['parse › returns 31556952 for "1 year"', 'parse › returns 2 for "2"'],
    2,
  ],
])('a run that names only its failures: %s', (_what, failedNames, size) => {
  const quiet = createQuietTests([
    'a.test.js › parse › returns # for "1 year"',
    'a.test.js › parse › returns 2 for "2"',
  ]);
  const value = { passed: 3, failed: failedNames.length, skipped: 0, failedNames, cases: null };
  quiet.recordRun({ answer: { outcome: 'exited', exitCode: 1 } as TestRun['answer'], value, touched: [] });
  expect(quiet.size).toBe(size);
});
