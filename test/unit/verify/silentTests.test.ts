// Which touched tests do not run with a change.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { readGoTestCases } from '../../../server/src/core/verify/judge/go/testCases.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import type { TestCase } from '../../../server/src/core/verify/parse/testCounts.ts';
import { gate } from '../../../server/src/core/verify/gates/tests/gate.ts';
import { findSilentTests } from '../../../server/src/core/verify/testing/silentTests.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { answerOf } from './inMemory.ts';
import { parser } from '../index/support.ts';
import { edit } from './verifying.ts';

const SPEC = "import { grade } from '../grade.js';\ntest('grades', () => check(grade(1)));\n";
const OTHER = 'test/other.test.js';
const MOVED = [edit('test/grade.test.js', SPEC, null), edit('test/grade.js', null, SPEC)];
const ran = (file: string | null, name: string): TestCase => ({ file, name, outcome: 'passed', millis: null });
const read = async (files: readonly { readonly path: string; readonly text: string }[]) =>
  (
    await Promise.all(
      files.map(async ({ path, text }) =>
        path.endsWith('.go') ? readGoTestCases(parser, path, text) : parseTestCases(path, text),
      ),
    )
  ).flat();

async function silent(edits: readonly FileEdit[], head: readonly TestCase[], base: readonly TestCase[] = []) {
  const written = edits.flatMap(({ path, after }) => (after === null ? [] : [[path, after] as const]));
  const files = createMemoryFiles(Object.fromEntries([[OTHER, SPEC], ...written]));
  const worktree = await createMemorySandbox(files, {}).open(new AbortController().signal);
  return findSilentTests({ edits, worktree, context: { testCases: read } }, head, base);
}

test('tests that move to where the runner does not look are found, by files or by titles', async () => {
  const before = [ran('test/grade.test.js', 'grades'), ran(OTHER, 'grades')];
  expect(await silent(MOVED, [ran(OTHER, 'grades')], before)).toBe('test/grade.js');
  expect(await silent(MOVED, [ran(null, 'others')], [ran(null, 'grades')])).toBe('test/grade.js');
  expect(await silent(MOVED, [ran('test/grade.js', 'grades')], before)).toBeNull();
  expect(await silent(MOVED, [ran(null, 'Grade grades')])).toBeNull();
  // The runner names the built file.
  expect(await silent(MOVED, [ran('build/grade.js', 'grades')])).toBeNull();
});

test('an edited file is asked for only if it ran before', async () => {
  const edits = [edit('test/grade.test.js', SPEC, `${SPEC}// 2\n`)];
  expect(await silent(edits, [ran(OTHER, 'grades')], [ran(OTHER, 'grades')])).toBeNull();
  expect(await silent(edits, [ran(OTHER, 'grades')], [ran('test/grade.test.js', 'grades')])).toBe('test/grade.test.js');
});

test('a helper that declares tests when it is called, in a loop or on a condition need not run itself', async () => {
  for (const text of [
    `export function suite(make) {\n  ${SPEC.split('\n')[1]}\n}\n`,
    "for (const row of rows()) test('grades', () => check(row));\n",
    "if (process.env.ALL) test('grades', () => check(1));\n",
    "rows().forEach((row) => test('grades', () => check(row)));\n",
  ])
    expect(await silent([edit('test/suite.js', null, text)], [ran(OTHER, 'others')])).toBeNull();
  const group = `describe('grade', () => {\n  ${SPEC.split('\n')[1]}\n});\n`;
  expect(await silent([edit('test/suite.js', null, group)], [ran(OTHER, 'others')])).toBe('test/suite.js');
});

test('a test of Go is silent if it ran before and is skipped or missing now', async () => {
  const goCase = (name: string, outcome: TestCase['outcome'] = 'passed'): TestCase => ({
    ...{ file: null, package: 'm/a', name, outcome, millis: null },
  });
  const one = 'package a\n\nfunc TestA(t *testing.T) { check(t) }\n\nfunc TestB(t *testing.T) { check(t) }\n';
  const edits = [edit('a/a_test.go', one, `//go:build never\n\n${one}`)];
  const base = [goCase('TestA'), goCase('TestB')];
  expect(await silent(edits, [goCase('TestA')], base)).toBe('a/a_test.go');
  expect(await silent(edits, [goCase('TestA', 'skipped'), goCase('TestB')], base)).toBe('a/a_test.go');
  expect(await silent(edits, base, base)).toBeNull();
  // Another package has a test of this name.
  expect(await silent(edits, [goCase('TestA'), { ...goCase('TestB'), package: 'm/b' }], base)).toBe('a/a_test.go');
  expect(await silent(edits, [goCase('TestC')], [goCase('TestC')])).toBeNull();
});

test('a missing test of Go is excused only if a touched file declared it', async () => {
  const other = 'package a\n\nfunc TestC(t *testing.T) { check(t) }\n';
  const one = 'package a\n\nfunc TestA(t *testing.T) { check(t) }\n';
  const after = one.replace('TestA', 'TestB');
  const lines = (names: readonly string[]) =>
    `${names.map((name) => `--- PASS: ${name} (0.00s)\n`).join('')}PASS\nok  \tm/a\t0.1s\n`;
  const told = async (before: readonly string[], now: readonly string[]) => {
    const { outcome, reason } = await answerOf(gate, {
      files: { 'a/a_test.go': one, 'a/c_test.go': other },
      edits: [edit('a/a_test.go', one, after)],
      runsCandidateFirst: true,
      overrides: { settings: { testCommand: 'run-tests' }, testCases: read, mayDisappear: () => true },
      commands: {
        'run-tests': (texts) => ({ stdout: lines(texts.get('a/a_test.go') === after ? now : before), exitCode: 0 }),
      },
    });
    return `${outcome}: ${reason}`;
  };
  expect(await told(['TestA', 'TestC'], ['TestB', 'TestC'])).toBe('passed: 2 tests passed.');
  expect(await told(['TestA', 'TestC'], ['TestB'])).toMatch(/^failed: 1 test of those .+: TestC\.$/);
  expect(await told(['TestA', 'TestC'], ['TestC'])).toMatch(/^unknown: 1 test passed\. But those of a\/a_test\.go/);
});

test('the gate does not pass a change whose tests no longer run', async () => {
  const rest = 'ok 1 - others\n';
  const { outcome, reason } = await answerOf(gate, {
    files: { 'test/grade.test.js': SPEC, [OTHER]: SPEC },
    edits: MOVED,
    runsCandidateFirst: true,
    overrides: { settings: { testCommand: 'run-tests' }, testCases: read, mayDisappear: (file) => file !== OTHER },
    commands: {
      'run-tests': (texts) => ({
        stdout: `TAP version 13\n${rest}${texts.has('test/grade.js') ? '1..1' : 'ok 2 - grades\n1..2'}\n`,
        exitCode: 0,
      }),
    },
  });
  expect(outcome).toBe('failed');
  expect(reason).toBe('1 test of those that pass without the change does not run with it: grades.');
});
