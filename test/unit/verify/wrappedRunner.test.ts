// The runner behind a program that hides it: the one that the repository asks for, if it runs the same tests.

import { expect, test } from 'vitest';
import {
  createCommandFromSetting,
  createShellCommand,
  findPackageScript,
} from '../../../server/src/core/verify/detect/command.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectRunner } from '../../../server/src/core/verify/detect/testRunner.ts';
import {
  findDirectRunner,
  findNodeTestCommand,
  formatRunnerAdvice,
  formatSlowTestsAdvice,
} from '../../../server/src/core/verify/testing/wrappedRunner.ts';
import type { ChoosingRun, ChosenTests } from '../../../server/src/core/verify/testing/chosenTests.ts';
import { chooseOnlyTests, chooseOnlyTestsDirectly } from '../../../server/src/core/verify/testing/chooseOnlyTests.ts';
import type { DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import {
  createTestCommands,
  type TestCommands,
  type TestRun,
} from '../../../server/src/core/verify/testing/testRun.ts';
import { never } from '../session/flawed.ts';
import { createPart } from '../../helpers/createPart.ts';

const projectOf = (...names: readonly string[]) =>
  describeProject(
    { manifest: JSON.stringify({ devDependencies: Object.fromEntries(names.map((n) => [n, '1'])) }) },
    [],
  );
const wrapped = createShellCommand(projectOf(), 'script', 'npm run test --workspaces --if-present');
const resultOf = (passed: number, failed = 0) =>
  createPart<TestRun>({ answer: { outcome: 'exited', output: '' }, value: { passed, failed } });

test('the runner that the repository asks for is called itself, where none is known and nobody has set one', () => {
  expect(findDirectRunner(wrapped, projectOf('vitest'))?.command).toEqual(['vitest run']);
  expect(findDirectRunner(wrapped, projectOf('jest'))?.command).toEqual(['jest']);
  const ofNode = findDirectRunner(wrapped, projectOf('borp'))!;
  expect(ofNode.command).toEqual(["node --test '**/*.test.{js,mjs,cjs,ts,mts,cts}'"]);
  expect(detectRunner(ofNode, projectOf('borp'))?.name).toBe('node');
  const ofBnt = findDirectRunner(wrapped, projectOf('better-node-test'))!;
  expect(ofBnt.command).toEqual(["NODE_ENV=test node --test '**/*.{test,spec}.{js,ts}'"]);
  expect(detectRunner(ofBnt, projectOf('better-node-test'))?.name).toBe('node');
  expect(findDirectRunner(wrapped, projectOf('borp', 'vitest'))?.command).toEqual(['vitest run']);
  expect(findDirectRunner(wrapped, projectOf('borp', 'vitest', 'jest'))).toBeNull();
  expect(findDirectRunner(wrapped, projectOf())).toBeNull();
  expect(findDirectRunner(wrapped, projectOf('vitest', 'jest'))).toBeNull();
  expect(findDirectRunner(createCommandFromSetting('npm run test --workspaces')!, projectOf('vitest'))).toBeNull();
  expect(findDirectRunner(createShellCommand(projectOf(), 'script', 'vitest run'), projectOf('vitest'))).toBeNull();
});

const SCRIPTS = {
  test: 'tsc --build && prettier . && npm run test-coverage',
  'test-coverage': 'c8 --100 --reporter lcov -- npm run test-api',
  'test-api': 'node --conditions development test/index.js',
};
const withScripts = describeProject({ manifest: JSON.stringify({ scripts: SCRIPTS }) }, []);

test.each([
  ['npm run test-coverage', 'node --test --conditions development test/index.js'],
  ['tsc --build && npm run test-api', 'node --test --conditions development test/index.js'],
  ['TZ=UTC node test.mjs', 'TZ=UTC node --test test.mjs'],
  ['node test/a.js test/b.js', 'node --test test/a.js test/b.js'],
])('files that a script runs by `node` alone run by `node --test`: %s', (line, expected) => {
  const found = findNodeTestCommand(createShellCommand(withScripts, 'script', line), withScripts);
  expect(found?.command).toEqual([expected]);
  expect(detectRunner(found!, withScripts)?.name).toBe('node');
});

test.each([
  'node --test test/index.js',
  'node --run test',
  'node -e "run()" test.js',
  'node dist/test/index.js',
  'node test',
  'node test/index.js | tap-spec',
  'ts-node test.ts',
  'npm run gone',
])('other commands are left alone: %s', (line) => {
  expect(findNodeTestCommand(createShellCommand(withScripts, 'script', line), withScripts)).toBeNull();
});

test('files that a person has set run as that person says', () => {
  expect(findNodeTestCommand(createCommandFromSetting('node test/index.js')!, withScripts)).toBeNull();
});

test.each([
  ['runs as many tests', resultOf(140), 'vitest run'],
  ['runs fewer', resultOf(139), 'npm run test --workspaces --if-present'],
  ['fails', resultOf(140, 1), 'npm run test --workspaces --if-present'],
])('the runner that %s', async (_, direct, expected) => {
  const runs = async () => direct;
  const run = { context: {}, project: async () => projectOf('vitest'), base: runs, rerun: runs };
  const chosen: ChosenTests = { command: wrapped, commands: {} as TestCommands, base: resultOf(140) };
  const { command } = await chooseOnlyTests(run as unknown as ChoosingRun, chosen, never);
  expect(command.command).toEqual([expected]);
});

test('files that Node ran without its option run by `node --test`, whose report leaves out tests with subtests', async () => {
  const command = createShellCommand(withScripts, 'script', 'npm run test-coverage');
  const runOf = (passed: number, failed: number, output = '') =>
    createPart<TestRun>({ answer: { outcome: 'exited', output }, value: { passed, failed } });
  const byNode = 'ℹ tests 478\nℹ suites 0\nℹ pass 478\n';
  for (const [outputBefore, direct, isReplaced] of [
    [byNode, runOf(455, 0), true],
    [byNode, runOf(454, 1), false],
    [byNode, runOf(0, 0), false],
    // The summary of tape has no suites.
    ['# tests 478\n# pass 478\n', runOf(1, 0), false],
  ] as const) {
    const runs = async () => direct;
    const run = { context: {}, project: async () => withScripts, base: runs, rerun: runs };
    const chosen: ChosenTests = { command, commands: {} as TestCommands, base: runOf(478, 0, outputBefore) };
    const choice = await chooseOnlyTests(run as unknown as ChoosingRun, chosen, never);
    expect(choice.command.command).toEqual([
      isReplaced ? 'node --test --conditions development test/index.js' : 'npm run test-coverage',
    ]);
  }
});

test('a runner that fails once and passes then is taken, because one of its tests may be flaky', async () => {
  const run = {
    ...{ context: {}, project: async () => projectOf('vitest') },
    ...{ base: async () => resultOf(139, 1), rerun: async () => resultOf(140) },
  };
  const chosen: ChosenTests = { command: wrapped, commands: {} as TestCommands, base: resultOf(140) };
  const { command, base } = await chooseOnlyTests(run as unknown as ChoosingRun, chosen, never);
  expect([command.command, base.value?.passed]).toEqual([['vitest run'], 140]);
});

test('all tests of the runner are compared with those of a script that cannot run the files that were asked for', async () => {
  const project = projectOf('vitest');
  const runs: string[] = [];
  const base = async ({ command }: DetectedCommand) => {
    runs.push(command.join(' '));
    return runs.at(-1)!.includes('a.test.ts') ? resultOf(20) : resultOf(140);
  };
  const run = createPart<ChoosingRun>({ context: { setUp: undefined }, project: async () => project, base });
  const commands = createTestCommands(wrapped, project, undefined);
  const chosen: ChosenTests = { command: wrapped, commands, base: resultOf(140) };
  const alone = await chooseOnlyTests(run, chosen, never, ['a.test.ts']);
  expect(alone.command.command).toEqual(['vitest run']);
  expect(runs).toHaveLength(1);
});

test('the hidden runner is preferred to the script without its checks, which would still hide it', async () => {
  const manifest = { scripts: { test: 'ts-scripts test && npm run size', size: 'size-limit' } };
  const project = describeProject(
    { manifest: JSON.stringify({ ...manifest, devDependencies: { vitest: '1', '@borderless/ts-scripts': '1' } }) },
    [],
  );
  const run = { context: {}, project: async () => project, base: async () => resultOf(140) };
  const command = findPackageScript(project, 'test')!;
  const chosen: ChosenTests = { command, commands: {} as TestCommands, base: resultOf(140) };
  const alone = await chooseOnlyTests(run as unknown as ChoosingRun, chosen, never);
  expect(alone.command.command).toEqual(['vitest run']);
});

test('a script without its checks is preferred if it shows its runner, because that runner has its options', async () => {
  const manifest = { scripts: { test: 'vitest run --config unit.ts && tsd' }, devDependencies: { vitest: '1' } };
  const project = describeProject({ manifest: JSON.stringify(manifest) }, []);
  const run = { context: {}, project: async () => project, base: async () => resultOf(140) };
  const command = findPackageScript(project, 'test')!;
  const chosen: ChosenTests = { command, commands: {} as TestCommands, base: resultOf(140) };
  const alone = await chooseOnlyTests(run as unknown as ChoosingRun, chosen, never);
  expect(alone.command.command).toEqual(['vitest run --config unit.ts']);
});

test.each([
  ['all pass, so nothing else is run', resultOf(140), false, ['vitest run']],
  ['one fails, so the whole command is needed', resultOf(139, 1), false, null],
  ['the result of the whole command is kept', resultOf(140), true, null],
])('the tests without linter and coverage at once: %s', async (_, result, isKept, expected) => {
  const manifest = { scripts: { test: 'eslint . && vitest run --coverage' }, devDependencies: { vitest: '1' } };
  const project = describeProject({ manifest: JSON.stringify(manifest) }, []);
  const settings = { testCommand: '' };
  const run = {
    ...{ context: { settings, baseline: { find: async () => undefined } }, project: async () => project },
    ...{ base: async () => ({ ...result, answer: { ...result.answer, exitCode: 0 } }), isStored: async () => isKept },
  };
  const alone = await chooseOnlyTestsDirectly(run as unknown as Parameters<typeof chooseOnlyTestsDirectly>[0], never);
  expect(alone?.command.command ?? null).toEqual(expected);
});

test('the advice names the runner', () => {
  expect(formatRunnerAdvice(projectOf('jest'))).toContain('`npx jest`');
  expect(formatRunnerAdvice(projectOf('ava'))).toContain('`npx ava`');
  expect(formatRunnerAdvice(projectOf('uvu'))).toBe('Set `selfware.verify.testCommand` to the runner itself.');
});

test('the advice on a known runner says how long a mistake takes, unless that is short', () => {
  const lasting = (millis: number) => {
    const base = resultOf(140);
    return formatSlowTestsAdvice('tap', { chosen: { base: { ...base, answer: { ...base.answer, millis } } } });
  };
  expect(lasting(41_000)).toBe(
    'Each mistake takes a run of the tests (41 s), because tap cannot try several in one run. Give the search more time, or name a file.',
  );
  expect(lasting(900)).toBeNull();
});
