// How often a judgement starts the tests to show a fix: the run of all tests with the change counts as one of them.

import { expect, test } from 'vitest';
import { checkFix } from '../../../server/src/core/verify/claims/fix.ts';
import { tryClaims } from '../../../server/src/core/verify/judge/claims.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import type { Gate } from '../../../server/src/core/verify/gate.ts';
import { chooseTests } from '../../../server/src/core/verify/testing/chosenTests.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, spoken } from './inMemory.ts';
import { edit } from './verifying.ts';

const [WRONG, RIGHT] = ['export const one = 2;\n', 'export const one = 1;\n'];
const SPEC = "import { expect, test } from 'vitest';\nimport { one } from './one.js';\n";
const FIXED = `${SPEC}test('one', () => expect(one).toBe(1));\n`;

/** A report as Vitest writes it, for every line that calls it. */
function vitest(line: string, starts: string[]): MemoryCommand {
  return (texts) => {
    const isFixed = texts.get('one.js') === RIGHT;
    const isBrought = texts.get('one.test.js') === FIXED;
    starts.push(`${line.endsWith(' one.test.js') ? 'its tests' : 'all tests'} ${isFixed ? 'with' : 'without'}`);
    const result = isFixed
      ? { status: 'passed' }
      : { status: 'failed', failureMessages: ['AssertionError: expected 2 to be 1'] };
    const caseOf = (title: string, outcome: object) => ({ ancestorTitles: [], title, fullName: title, ...outcome });
    const assertionResults = isBrought ? [caseOf('one', result), caseOf('two', { status: 'passed' })] : [];
    const failed = isBrought && !isFixed ? 1 : 0;
    const report = {
      ...{ numPassedTests: isBrought ? 2 - failed : 0, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0 },
      testResults: [{ name: 'one.test.js', status: failed > 0 ? 'failed' : 'passed', assertionResults }],
    };
    const path = /--outputFile\.json=\/sandboxes\/\d+\/([\w./-]+)/.exec(line)![1]!;
    (texts as Map<string, string>).set(path, JSON.stringify(report));
    return { exitCode: failed, millis: 10 };
  };
}

async function shown(
  runsCandidateFirst: boolean,
  secondsLeft?: number,
  kind: 'fix' | 'request' = 'fix',
  more: FileEdit[] = [],
  check: Gate = (run, signal) => checkFix(run, kind, signal, 2),
) {
  const starts: string[] = [];
  const gate: Gate = async (run, signal) => {
    const { commands } = (await chooseTests(run, signal))!;
    await run.candidate(commands.allTests, commands.parse, signal);
    return check(run, signal);
  };
  const answer = await answerOf(gate, {
    files: { 'one.js': WRONG, 'one.test.js': SPEC },
    edits: [edit('one.js', WRONG, RIGHT), edit('one.test.js', SPEC, FIXED), ...more],
    runsCandidateFirst,
    ...(secondsLeft === undefined ? {} : { secondsLeft }),
    overrides: { settings: { testCommand: 'vitest run' }, treeKey: (edits) => String(edits.length) },
    commands: new Proxy<Record<string, MemoryCommand>>(
      {},
      { get: (_, line) => (String(line).startsWith('vitest run ') ? vitest(String(line), starts) : undefined) },
    ),
  });
  return { answer: spoken(answer), starts };
}

test('a judgement saves a start of the runner, and shows the same', async () => {
  const [judged, proposed] = [await shown(true), await shown(false)];
  expect(judged).toEqual({
    answer:
      'passed: Without the change “one” fails (AssertionError: expected 2 to be 1); with it, it passes, 2 times each.',
    starts: ['all tests without', 'all tests with', 'its tests without', 'its tests with', 'its tests without'],
  });
  expect(proposed.answer).toBe(judged.answer);
  expect(proposed.starts.filter((start) => start === 'its tests with')).toHaveLength(2);
});

test('a judgement with no time left runs each side once, which does not show the fix', async () => {
  expect(await shown(true, 0)).toEqual({
    answer:
      'unknown: Without the change “one” fails (AssertionError: expected 2 to be 1); ' +
      'with it, it passes, seen once. `--thorough` repeats it.',
    starts: ['all tests without', 'all tests with', 'its tests without'],
  });
});

test('a fix that was seen once is not said to be not shown', async () => {
  const once = await shown(true, 0, 'fix', [], async (run, signal) => (await tryClaims(run, signal)).answer);
  expect(once.answer).toMatch(/^unknown: Shown once: Without the change “one” fails .* seen once\./);
});

test('a request whose tests do not all run is refused with no time left, too', async () => {
  const silent = edit('two.test.js', null, FIXED);
  expect((await shown(true, 0, 'request', [silent])).answer).toBe(
    'failed: The tests in two.test.js, which it brings, do not run with the change.',
  );
});

test('a judgement runs no test again if the change brings none, and no test that failed passes with it', async () => {
  const starts: string[] = [];
  const answer = await answerOf(
    async (run, signal) => {
      const { commands } = (await chooseTests(run, signal))!;
      await run.candidate(commands.allTests, commands.parse, signal);
      return checkFix(run, 'fix', signal, 2);
    },
    {
      files: { 'one.js': WRONG, 'one.test.js': FIXED },
      edits: [edit('one.js', WRONG, `${WRONG}// Still wrong.\n`)],
      runsCandidateFirst: true,
      overrides: { settings: { testCommand: 'vitest run' }, treeKey: (edits) => String(edits.length) },
      commands: new Proxy<Record<string, MemoryCommand>>(
        {},
        { get: (_, line) => (String(line).startsWith('vitest run ') ? vitest(String(line), starts) : undefined) },
      ),
    },
  );
  expect([spoken(answer), starts]).toEqual([
    expect.stringMatching(/It brings no test that would show the defect/),
    ['all tests without', 'all tests without'],
  ]);
});

test('a failing test shows the fix, even if a linter and a compiler stand around its runner', async () => {
  const starts: string[] = [];
  const manifest = { scripts: { test: 'xo && vitest run && tsc --noEmit' }, devDependencies: { vitest: '1' } };
  // The runner's own words, which name no test that passes.
  const words: MemoryCommand = (texts) =>
    texts.get('one.js') === RIGHT
      ? { exitCode: 0, stdout: ' Test Files  1 passed (1)\n      Tests  2 passed (2)\n' }
      : {
          exitCode: 1,
          stdout: ' FAIL  one.test.js > one\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n',
        };
  const answer = await answerOf((run, signal) => checkFix(run, 'fix', signal, 2), {
    files: { 'package.json': JSON.stringify(manifest), 'one.js': WRONG, 'one.test.js': FIXED },
    edits: [edit('one.js', WRONG, RIGHT)],
    commands: new Proxy<Record<string, MemoryCommand>>(
      {},
      { get: (_, line) => (String(line).startsWith('vitest run ') ? vitest(String(line), starts) : words) },
    ),
  });
  expect(spoken(answer)).toBe(
    'passed: Without the change “one” fails (AssertionError: expected 2 to be 1); with it, it passes, 2 times each.',
  );
});

test('a failing test shows the fix, even if its runner names no files', async () => {
  const tap: MemoryCommand = (texts) =>
    texts.get('one.js') === RIGHT
      ? { exitCode: 0, stdout: 'TAP version 13\nok 1 - one\nok 2 - two\n1..2\n# tests 2\n# pass 2\n# fail 0\n' }
      : {
          exitCode: 1,
          stdout:
            "TAP version 13\nnot ok 1 - one\n  ---\n    name: AssertionError\n    message: 'expected 2 to be 1'\n" +
            '  ...\nok 2 - two\n1..2\n# tests 2\n# pass 1\n# fail 1\n',
        };
  const answer = await answerOf((run, signal) => checkFix(run, 'fix', signal, 2), {
    files: { 'package.json': '{"scripts": {"test": "xo && ava"}}', 'one.js': WRONG, 'one.test.js': FIXED },
    edits: [edit('one.js', WRONG, RIGHT)],
    commands: new Proxy<Record<string, MemoryCommand>>({}, { get: () => tap }),
  });
  expect(spoken(answer)).toMatch(/^passed: Without the change “one” fails \(.*\); with it, it passes, 2 times each\.$/);
});

test('the runner is not started on type tests and data that come with the tests', async () => {
  const starts: string[] = [];
  const lines: string[] = [];
  const answer = await answerOf((run, signal) => checkFix(run, 'request', signal, 2), {
    files: { 'one.js': WRONG, 'one.test.js': SPEC, 'index.test-d.ts': '' },
    edits: [
      edit('one.js', WRONG, RIGHT),
      edit('one.test.js', SPEC, FIXED),
      edit('index.test-d.ts', '', "test('type', () => expectType<number>(one));\n"),
      edit('test/fixtures/one.json', null, '1\n'),
    ],
    overrides: { settings: { testCommand: 'vitest run' }, treeKey: (edits) => String(edits.length) },
    commands: new Proxy<Record<string, MemoryCommand>>(
      {},
      {
        get(_, line) {
          lines.push(String(line));
          return String(line).startsWith('vitest run ') ? vitest(String(line), starts) : undefined;
        },
      },
    ),
  });
  expect(spoken(answer)).toMatch(/^passed: Without the change “one” fails/);
  expect(lines.join('\n')).not.toMatch(/test-d|fixtures/);
});
