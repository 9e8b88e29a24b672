// Which command runs the tests: by itself, behind the build, or told to end, and what is remembered of that.

import { describe, expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { gate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import { answerOf, counts, said, spoken, type Result } from './inMemory.ts';
import { edit } from './verifying.ts';

describe('tests that may need a build', () => {
  const manifest = JSON.stringify({ scripts: { build: 'make-it', test: 'run-tests' } });
  const files = { 'package.json': manifest, 'a.ts': 'old' };
  const edits = [edit('a.ts', 'old', 'new')];
  /** What the tests print by themselves and behind the build, on both sides; and what was run. */
  async function chosen(plain: Result, built: Result, baseline = createBaselineCache()) {
    const ran: string[] = [];
    const run = (line: string, result: Result) => () => {
      ran.push(line);
      return result;
    };
    const answer = await answerOf(gate, {
      files,
      edits,
      overrides: { baseline },
      commands: { 'run-tests': run('plain', plain), 'make-it && run-tests': run('built', built) },
    });
    return { said: spoken(answer), ran: ran.join(' ') };
  }
  const red = counts(1, ['x', 'y']);

  test.each<[string, Result, Result, string, string]>([
    ['green by themselves', counts(3), counts(3), 'passed: 3 tests passed.', 'plain plain'],
    ['green behind the build', red, counts(3), 'passed: 3 tests passed.', 'plain built built'],
    [
      'less red behind the build',
      red,
      counts(2, ['x']),
      'passed: Already failing: 1 test fails with and without the change; 2 passed.',
      'plain built built',
    ],
    [
      'just as red behind the build',
      red,
      red,
      'passed: Already failing: 2 tests fail with and without the change; 1 passed.',
      'plain built plain',
    ],
    [
      'less red behind the build, where fewer pass',
      counts(2, ['x', 'y']),
      counts(1, ['x']),
      'passed: Already failing: 2 tests fail with and without the change; 2 passed.',
      'plain built plain',
    ],
    [
      'none behind the build',
      red,
      counts(0),
      'passed: Already failing: 2 tests fail with and without the change; 1 passed.',
      'plain built plain',
    ],
    [
      'none passes, and fewer fail behind the build',
      counts(0, ['x', 'y']),
      counts(0, ['x']),
      'unknown: No test passes, with or without the change.',
      'plain built plain',
    ],
    ['not readable by themselves', said('oh', 3), counts(3), 'passed: 3 tests passed.', 'plain built built'],
    [
      'stopped by themselves',
      { outcome: 'timedOut', exitCode: null, millis: 60_000 },
      counts(3),
      'unknown: The tests were ended after 60 s, even without the change.',
      'plain',
    ],
  ])('%s', async (_what, plain, built, expected, ran) => {
    expect(await chosen(plain, built)).toEqual({ said: expected, ran });
  });

  test('the choice is remembered, either way', async () => {
    for (const [built, later] of [
      [counts(3), 'built built'],
      [red, 'plain plain'],
    ] as const) {
      const baseline = createBaselineCache();
      await chosen(red, built, baseline);
      expect((await chosen(red, built, baseline)).ran).toBe(later);
    }
  });

  test('a build that is stopped is tried again the next time', async () => {
    const baseline = createBaselineCache();
    const stopped: Result = { outcome: 'timedOut', exitCode: null };
    expect((await chosen(red, stopped, baseline)).ran).toBe('plain built plain');
    expect((await chosen(red, counts(3), baseline)).ran).toBe('plain built built');
  });

  test('the command of the setting is taken as it is', async () => {
    const answer = await answerOf(gate, {
      files,
      edits,
      overrides: { settings: { testCommand: 'run-mine' } },
      commands: { 'run-mine': () => red },
    });
    expect(spoken(answer)).toContain('passed: Already failing: 2 tests fail');
  });
});

test('tests that do not end are told to end where that helps, and that is remembered', async () => {
  const files = { 'package.json': JSON.stringify({ scripts: { test: 'mocha' } }), 'a.ts': 'old' };
  const line = (more: string, at: number) =>
    `mocha --reporter json --reporter-option output=/sandboxes/${at}/node_modules/.selfware/report-`.concat(`#${more}`);
  const ran: string[] = [];
  const baseline = createBaselineCache();
  const ok = { stdout: '  ✔ x\n\n  1 passing (4ms)\n' };
  const table = (ending: Result): Record<string, () => Result> =>
    Object.fromEntries(
      [1, 2].flatMap((tree) =>
        [1, 2, 3, 4].flatMap((report) =>
          ['', ' --exit'].map((more) => {
            const run = () => {
              ran.push(more === '' ? 'plain' : 'ending');
              return more === '' ? { ...ok, outcome: 'timedOut' as const, exitCode: null, millis: 60_000 } : ending;
            };
            return [line(more, tree).replace('#', String(report)), run] as const;
          }),
        ),
      ),
    );
  const judge = async (ending: Result, known = baseline) => {
    ran.length = 0;
    const edits = [edit('a.ts', 'old', 'new')];
    const answer = await answerOf(gate, { files, edits, overrides: { baseline: known }, commands: table(ending) });
    return [spoken(answer), ran.join(' ')];
  };
  expect(await judge(ok)).toEqual(['passed: 1 test passed.', 'plain ending ending']);
  expect(await judge(ok)).toEqual(['passed: 1 test passed.', 'ending ending']);
  const hopeless = createBaselineCache();
  const stopped = 'unknown: The tests were ended after 60 s, even without the change.';
  const never: Result = { outcome: 'timedOut', exitCode: null, millis: 60_000 };
  expect(await judge(never, hopeless)).toEqual([stopped, 'plain ending']);
  expect(await judge(never, hopeless)).toEqual([stopped, 'plain']);
});
