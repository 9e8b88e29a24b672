// When the tests of a judged change have to run without it as well.

import { expect, test } from 'vitest';
import { gate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import { fixedTestsOf } from '../../../server/src/core/verify/judge/fixedTests.ts';
import { whyIn } from '../../../server/src/core/verify/testing/headFirst.ts';
import type { TestCase } from '../../../server/src/core/verify/parse/testCounts.ts';
import { answerOf, type Result } from './inMemory.ts';
import { edit } from './verifying.ts';

/** Not in one word with `test`, because our own tests may hold no such call. */
const off = 'skip';
const SPEC = "import test from 'ava';\nimport { parse } from './a.js';\ntest('a', (t) => t.is(parse(1), 1));\n";
const MORE = "test('b', (t) => t.is(parse(2), 2));\n";
const tap = (...lines: readonly string[]): Result => ({
  stdout: ['TAP version 13', ...lines, `1..${lines.length}`, ''].join('\n'),
  exitCode: lines.some((line) => line.startsWith('not ok')) ? 1 : 0,
});
const BOTH = tap('ok 1 - a', 'ok 2 - b');

/** The answer, and whether the tests ran without the change. */
async function judged({
  withIt = BOTH,
  after = 'export const parse = (x) => x;\n',
  more = [],
  files = {},
  expectedTests = null,
}: {
  withIt?: Result;
  after?: string;
  more?: readonly ReturnType<typeof edit>[];
  files?: Readonly<Record<string, string>>;
  expectedTests?: number | null;
} = {}) {
  const before = 'export const parse = (x) => 0 + x;\n';
  let ranBase = false;
  const { outcome, evidence } = await answerOf(gate, {
    files: { 'a.js': before, 'test.js': SPEC + MORE, ...files },
    edits: [edit('a.js', before, after), ...more],
    headFirst: {
      fixedTests: async (all) => all.map(({ path, text }) => fixedTestsOf(path, text)),
      enough: null,
    },
    overrides: {
      settings: { testCommand: 'run-tests' },
      setUp: { testCommand: null, services: [], values: {}, expectedTests },
    },
    commands: {
      'run-tests': (texts) => {
        if (texts.get('a.js') === after) return withIt;
        ranBase = true;
        return BOTH;
      },
    },
  });
  return { outcome, ranBase, why: evidence['baseRan'] };
}

test('if all tests pass and none can have vanished, the base does not run', async () => {
  expect(await judged()).toEqual({ outcome: 'passed', ranBase: false, why: undefined });
});

test.each([
  ['a test fails', { withIt: tap('ok 1 - a', 'not ok 2 - b') }, 'failed'],
  ['a test is gone', { withIt: tap('ok 1 - a') }, 'failed'],
  ['a test is skipped', { withIt: tap('ok 1 - a', 'ok 2 - b # SKIP') }, 'failed'],
  ['nothing can be read', { withIt: { stdout: 'done', exitCode: 0 } }, 'failed'],
  ['the code looks at the process', { after: 'export const parse = (x) => (process.argv, x);\n' }, 'passed'],
  ['data changes', { more: [edit('rows.json', null, '[]')] }, 'passed'],
  ['what runs the tests changes', { more: [edit('ava.config.js', null, 'export default {};\n')] }, 'passed'],
  ['another file has tests, and the runner does not say whose they are', { files: { 'tests.js': SPEC } }, 'passed'],
] as const)('the base runs as well if %s', async (_what, given, outcome) => {
  expect(await judged(given)).toEqual({ outcome, ranBase: true, why: expect.any(String) });
});

test('the base runs as well if far fewer tests run than in the set-up', async () => {
  expect(await judged({ expectedTests: 40 })).toMatchObject({ outcome: 'unknown', ranBase: true });
});

test('a file of which no test ran, or too few, is noticed; what is switched off may be skipped', () => {
  const fixed = fixedTestsOf('a.test.js', `${SPEC}test.${off}('c', () => {});\n`);
  const one = (name: string, outcome: TestCase['outcome']): TestCase => ({ file: null, name, outcome, millis: null });
  expect(whyIn(fixed, [])).toBe('none of its tests ran');
  expect(whyIn(fixed, [one('a', 'passed'), one('c', 'skipped')])).toBeNull();
  expect(whyIn(fixed, [one('a', 'skipped'), one('c', 'skipped')])).toBe('“a” was skipped');
  expect(whyIn(fixed, [one('a', 'passed'), one('c', 'skipped'), one('x c', 'skipped')])).toBe(
    '3 tests ran, 2 of them skipped, and its text switches off 1',
  );
  expect(whyIn(fixedTestsOf('a.test.js', SPEC + MORE), [one('a', 'passed')])).toBe(
    '1 of its tests ran, and it declares 2',
  );
});
