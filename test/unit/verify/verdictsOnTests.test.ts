// What the gate of the tests answers, row by row: the output of the tests without the change and with it → the verdict.

import { expect, test } from 'vitest';
import { gate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import type { GateAnswer } from '../../../server/src/core/verify/answer.ts';
import { answerOf, counts, said, spoken, type Result } from './inMemory.ts';
import { edit } from './verifying.ts';

/** The gate's answer where each side runs like this, one after the other; the last one stays. */
function judged(without: readonly Result[], withIt: readonly Result[]): Promise<GateAnswer> {
  const turns = { old: 0, new: 0 };
  return answerOf(gate, {
    files: { 'a.ts': 'old' },
    edits: [edit('a.ts', 'old', 'new')],
    overrides: { settings: { testCommand: 'run-tests' } },
    commands: {
      'run-tests': (texts) => {
        const side = texts.get('a.ts') === 'new' ? 'new' : 'old';
        const results = side === 'new' ? withIt : without;
        const at = Math.min(turns[side], results.length - 1);
        turns[side] += 1;
        return results[at]!;
      },
    },
  });
}

test.each<[string, Result, Result, string]>([
  ['all pass', counts(3), counts(3), 'passed: 3 tests passed.'],
  ['more pass', counts(3), counts(4), 'passed: 4 tests passed.'],
  [
    'some are skipped',
    counts(2, [], { skipped: 1 }),
    counts(2, [], { skipped: 1 }),
    'passed: 2 tests passed, 1 skipped.',
  ],
  [
    'one fails with it alone',
    counts(3),
    counts(2, ['x']),
    'failed: 1 test fails with the change and not without it: test_a.py::x.',
  ],
  [
    'several fail with it alone, and five are named',
    counts(6),
    counts(0, ['a', 'b', 'c', 'd', 'e', 'f']),
    `failed: 6 tests fail with the change and not without it: ${[...'abcde'].map((name) => `test_a.py::${name}`).join('; ')}; …`,
  ],
  [
    'five fail with it alone, and all are named',
    counts(5),
    counts(0, ['a', 'b', 'c', 'd', 'e']),
    `failed: 5 tests fail with the change and not without it: ${[...'abcde'].map((name) => `test_a.py::${name}`).join('; ')}.`,
  ],
  [
    'none fails, and the command does',
    counts(3),
    counts(3, [], { exitCode: 2 }),
    'failed: `run-tests` ends with 2 with the change and with 0 without it.',
  ],
  [
    'the command fails all the same',
    counts(3, [], { exitCode: 2 }),
    counts(3, [], { exitCode: 2 }),
    'passed: 3 tests passed; `run-tests` ends with 2 all the same, as it does without the change.',
  ],
  ['fewer pass', counts(3), counts(2), 'failed: Fewer tests pass with the change: 2 instead of 3.'],
  [
    'red before, and the same fails',
    counts(2, ['x']),
    counts(2, ['x']),
    'passed: Already failing: 1 test fails with and without the change; 2 passed.',
  ],
  [
    'red before, and the same two fail',
    counts(2, ['x', 'y']),
    counts(2, ['x', 'y']),
    'passed: Already failing: 2 tests fail with and without the change; 2 passed.',
  ],
  ['red before, and another fails', counts(2, ['x']), counts(2, ['y']), 'failed: 1 new failing test: test_a.py::y.'],
  [
    'red before, and more fail that are not named',
    counts(1, ['', '']),
    counts(1, ['', '', '', '', '']),
    'failed: 3 new failing tests.',
  ],
  [
    'red before, and fewer pass',
    counts(3, ['x']),
    counts(2, ['x']),
    'failed: Fewer tests pass with the change: 2 instead of 3.',
  ],
  ['red before, and green with it', counts(2, ['x']), counts(3), 'passed: 3 tests passed.'],
  ['none passes', counts(0, ['x']), counts(0, ['x']), 'unknown: No test passes, with or without the change.'],
  ['none runs', counts(0), counts(0), 'unknown: No test ran.'],
  [
    'nothing can be read',
    said('fine'),
    said('fine'),
    'unknown: The tests ran, but no count could be read from their output.',
  ],
  [
    'nothing can be read, and the command fails with it',
    said('fine'),
    said('oh', 3),
    'failed: `run-tests` ends with 3 with the change and with 0 without it.',
  ],
  [
    'nothing can be read, and the command fails on both sides',
    said('oh', 3),
    said('oh', 3),
    'unknown: The tests fail with and without the change, and no count could be read from their output, which ends with “oh”.',
  ],
  [
    'nothing can be read with it alone',
    counts(3, ['x']),
    said('oh', 3),
    'failed: `run-tests` ends with 3 with the change, before a test reports a result; without it 3 passed and 1 failed.',
  ],
  [
    'nothing can be read without it alone',
    said('oh', 3),
    counts(3),
    'unknown: The tests ran, and there is no count without the change to compare with.',
  ],
  [
    'they are not installed',
    { outcome: 'notFound', exitCode: null },
    counts(3),
    'unknown: `run-tests` could not be started: it is not installed.',
  ],
  [
    'they do not end without it',
    { outcome: 'timedOut', exitCode: null, millis: 90_400 },
    counts(3),
    'unknown: The tests were ended after 90 s, even without the change.',
  ],
  [
    'they take too much without it',
    { exitCode: null, exceeded: 'more than 4 GB of memory' },
    counts(3),
    'unknown: The tests had to be ended even without the change: more than 4 GB of memory.',
  ],
  [
    'they take too much with it',
    counts(3),
    { exitCode: null, exceeded: 'more than 4 GB of memory' },
    'failed: With the change the tests had to be ended: more than 4 GB of memory. Without it they end on their own.',
  ],
  [
    'they cannot be started with it',
    counts(3),
    { outcome: 'notFound', exitCode: null },
    'unknown: `run-tests` could not be started: it is not installed.',
  ],
  [
    'they do not end with it, and take less than half of that without it',
    counts(3, [], { millis: 4_900 }),
    { outcome: 'timedOut', exitCode: null, millis: 10_000 },
    'failed: The tests do not end with the change: stopped after 10 s, and without it they take 5 s.',
  ],
  [
    'they do not end with it, and take half of that without it',
    counts(3, [], { millis: 5_000 }),
    { outcome: 'timedOut', exitCode: null, millis: 10_000 },
    'unknown: The tests were ended after 10 s; without the change they take 5 s.',
  ],
])('%s', async (_what, without, withIt, expected) => {
  expect(spoken(await judged([without], [withIt]))).toBe(expected);
});

/** As the Test Anything Protocol prints them, every test by its name: `x` passed, `!x` failed. */
const named = (words: string, rest: Result = {}): Result => {
  const tests = words.split(' ').filter(Boolean);
  const points = tests.map(
    (word, at) => `${word.startsWith('!') ? 'not ' : ''}ok ${at + 1} - ${word.replace('!', '')}`,
  );
  return {
    stdout: ['TAP version 13', ...points, `1..${tests.length}`].join('\n'),
    exitCode: words.includes('!') ? 1 : 0,
    ...rest,
  };
};

test.each<[string, readonly Result[], readonly Result[], string]>([
  ['all pass', [named('x y')], [named('x y')], 'passed: 2 tests passed.'],
  [
    'one always fails with it',
    [named('x y')],
    [named('x !y')],
    'failed: 1 test fails with the change and not without it: y.',
  ],
  [
    'two always fail with it',
    [named('x y')],
    [named('!x !y')],
    'failed: 2 tests fail with the change and not without it: x; y.',
  ],
  [
    'one does not run with it',
    [named('x y')],
    [named('x')],
    'failed: 1 test of those that pass without the change does not run with it: y.',
  ],
  [
    'two do not run with it',
    [named('x y z')],
    [named('x')],
    'failed: 2 tests of those that pass without the change do not run with it: y; z.',
  ],
  [
    'one fails without it at times',
    [named('x y'), named('x !y')],
    [named('x !y')],
    'passed: 1 test passed. 1 flaky test not counted: y.',
  ],
  [
    'one fails at times with it, and never without it',
    [named('x y')],
    [named('x !y'), named('x y')],
    'unknown: 1 test sometimes failed with the change, and never without it: y.',
  ],
  [
    'all pass, and the command fails with it',
    [named('x y')],
    [named('x y', { exitCode: 1 })],
    'failed: `run-tests` ends with 1 with the change and with 0 without it.',
  ],
  [
    'red before, and the same fails',
    [named('x !y')],
    [named('x !y')],
    'passed: Already failing: 1 test fails with and without the change; 1 passed.',
  ],
  [
    'red before, and another fails',
    [named('x !y z')],
    [named('x !y !z')],
    'failed: 1 test fails with the change and not without it: z.',
  ],
])('tests by name: %s', async (_what, without, withIt, expected) => {
  expect(spoken(await judged(without, withIt))).toBe(expected);
});

test('what a person can look up: both counts, both times, and what failed', async () => {
  const { evidence } = await judged([counts(3, [], { millis: 1_000 })], [counts(2, ['x'], { millis: 2_000 })]);
  expect(evidence).toMatchObject({
    command: 'run-tests',
    exitCode: 1,
    seconds: 2,
    secondsBefore: 1,
    passed: 2,
    failed: 1,
    passedBefore: 3,
    failedBefore: 0,
    failing: 'test_a.py::x',
    output: 'FAILED test_a.py::x\n==== 1 failed, 2 passed in 0.64s ====',
  });
  expect(Object.keys(evidence)).not.toContain('flaky');
  expect(Object.keys(evidence)).not.toContain('repetitions');
});

test('of a long output the beginning, the end and what fails are shown', async () => {
  const noise = Array.from({ length: 400 }, (_, index) => `a line ${index}\n`).join('');
  const { evidence } = await judged([counts(3)], [said(`${noise}FAIL src/a.test.js\n${noise}`)]);
  expect(evidence['output']).toMatch(
    /^a line 0\n[^]*\(\d+ lines are left out\.\)\n[^]*\nFAIL src\/a\.test\.js\n[^]*a line 399$/,
  );
});

test('only what is stopped for its time depends on time', async () => {
  const stopped: Result = { outcome: 'timedOut', exitCode: null, millis: 10_000 };
  const missing: Result = { outcome: 'notFound', exitCode: null };
  const depends = async (without: Result, withIt: Result) =>
    'dependsOnTime' in (await judged([without], [withIt])).evidence;
  expect(await depends(stopped, counts(1))).toBe(true);
  expect(await depends(missing, counts(1))).toBe(false);
  expect(await depends(counts(1), stopped)).toBe(true);
  expect(await depends(counts(1, [], { millis: 9_000 }), stopped)).toBe(true);
  expect(await depends(counts(1), missing)).toBe(false);
  expect(await depends(counts(1), counts(0, ['x']))).toBe(false);
});

test.each<[string, readonly Result[], string]>([
  [
    'one that fails once is not the fault of the change for sure',
    [counts(2, ['x']), counts(3)],
    'unknown: Not the same in two runs with the change. The first one: 1 test fails with the change and not without it: test_a.py::x.',
  ],
  [
    'others that fail the second time are',
    [counts(2, ['x']), counts(2, ['y']), counts(3)],
    'failed: 1 test fails with the change and not without it: test_a.py::x.',
  ],
  [
    'a second run that breaks down excuses nothing',
    [counts(2, ['x']), said('Segmentation fault', 139), counts(3)],
    'failed: 1 test fails with the change and not without it: test_a.py::x.',
  ],
])('where tests are not named, %s', async (_name, withIt, expected) => {
  expect(spoken(await judged([counts(3)], withIt))).toBe(expected);
});

test('where tests are not named, what fails without the change the second time is not its fault', async () => {
  const slow = [counts(2, ['x'])];
  expect(spoken(await judged([counts(3), counts(2, ['x'])], slow))).toBe(
    'unknown: Not the same in two runs without the change. The first one: 1 test fails with the change and not without it: test_a.py::x.',
  );
  const first = 'failed: 1 test fails with the change and not without it: test_a.py::x.';
  expect(spoken(await judged([counts(3), counts(2, ['y'])], slow))).toBe(first);
});
