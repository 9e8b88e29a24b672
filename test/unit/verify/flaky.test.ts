// Tests that fail with the change are run again on both sides: what is its fault, what is not, and what cannot be told.

import { expect, test } from 'vitest';
import type { CommandAnswer } from '../../../server/src/core/verify/commands.ts';
import type { DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import type { TestCase, TestCounts } from '../../../server/src/core/verify/parse/testCounts.ts';
import { repeatSuspects } from '../../../server/src/core/verify/testing/flaky.ts';
import { runReachingTests } from '../../../server/src/core/verify/testing/reachingTestsFirst.ts';
import {
  compareTests,
  createTestKey,
  type TestCommands,
  type TestRun,
} from '../../../server/src/core/verify/testing/testRun.ts';
import { findReachingTests } from '../../../server/src/core/session/verify/reachingTests.ts';
import { createMemoryDocuments } from '../../helpers/memoryState.ts';
import { createFlakyTestStore } from '../../../server/src/core/session/verify/flakyTests.ts';
import { createPart } from '../../helpers/createPart.ts';

const never = new AbortController().signal;
const one = (
  name: string,
  outcome: TestCase['outcome'] = 'failed',
  file: string | null = 'a.test.js',
  millis = 10,
): TestCase => ({ file, name, outcome, millis });
const countsOf = (cases: readonly TestCase[]): TestCounts => ({
  passed: 0,
  failed: cases.filter(({ outcome }) => outcome === 'failed').length,
  skipped: 0,
  failedNames: [],
  cases,
});
const line = (text: string): DetectedCommand => ({ source: '', command: [text], shell: true });
const commands: TestCommands = {
  allTests: line('whole'),
  onFiles: (files) => line(`on ${files.join(' ')}`),
  parse: () => null,
  withExitOption: null,
};

/**
 * Each side's runs one after the other, as marks for the tests x and y: `+-` = x passes, y fails; `!` at the end = and
 * the command ends with 1 all the same. The last one stays.
 */
function repeating(
  sides: { readonly candidate: readonly string[]; readonly base: readonly string[] },
  quarantined: readonly string[] = [],
  isShared = false,
) {
  const ran: string[] = [];
  const added: string[] = [];
  const turn = { candidate: 0, base: 0 };
  const run = createPart<GateInput>({
    context: {
      settings: { timeoutSeconds: 100 },
      isShared: () => isShared,
      flakyTests: {
        known: async () => new Set(quarantined),
        add: async (tests: readonly TestCase[]) => void added.push(...tests.map(createTestKey)),
      },
    },
    async rerun(side: 'candidate' | 'base', command: DetectedCommand): Promise<TestRun> {
      const marks = sides[side][Math.min(turn[side]++, sides[side].length - 1)] ?? '';
      ran.push(`${side} ${command.command[0]}`);
      const cases = [...marks.replace('!', '')].flatMap((mark, index) =>
        mark === ' ' ? [] : [one('xy'[index]!, mark === '+' ? 'passed' : 'failed')],
      );
      return {
        answer: { millis: 1000, exitCode: marks.includes('-') || marks.includes('!') ? 1 : 0 } as CommandAnswer,
        value: countsOf(cases),
        touched: [],
      };
    },
  });
  return { run, ran, added };
}

test('what always fails with the change and never without it is its fault', async () => {
  const { run, ran, added } = repeating({ candidate: ['-'], base: ['+'] });
  const settled = await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never);
  expect(settled).toMatchObject({ failing: [{ name: 'x' }], missing: [], flaky: [], unsure: [], repetitions: 6 });
  expect(ran).toEqual([...Array(3).fill('candidate on a.test.js'), ...Array(3).fill('base on a.test.js')]);
  expect(added).toEqual([]);
});

test('what fails without the change, too, is flaky and remembered', async () => {
  const { run, added, ran } = repeating({ candidate: ['-'], base: ['+', '-'] });
  expect(await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [],
    flaky: [{ name: 'x' }],
    unsure: [],
  });
  expect(added).toEqual(['a.test.js › x']);
  expect(ran.filter((text) => text.startsWith('base'))).toHaveLength(2);
});

test('what passes at times with the change and always without it is neither', async () => {
  const { run, added } = repeating({ candidate: ['-', '+'], base: ['+'] });
  expect(await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [],
    flaky: [],
    unsure: [{ name: 'x' }],
  });
  expect(added).toEqual([]);
});

test('a report in which all passes, of a command that fails, is no pass: the code under test may have written it', async () => {
  const { run } = repeating({ candidate: ['-', '+!'], base: ['+'] });
  expect(await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [{ name: 'x' }],
    flaky: [],
    unsure: [],
    repetitions: 6,
  });
  // A true pass beside it counts.
  const later = repeating({ candidate: ['+!', '+'], base: ['+'] });
  expect(await repeatSuspects(later.run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [],
    unsure: [{ name: 'x' }],
  });
  // Without the change it ends so as well, for a threshold perhaps: then it says nothing against the report.
  const threshold = repeating({ candidate: ['+!'], base: ['+!'] });
  expect(await repeatSuspects(threshold.run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [],
    flaky: [],
    unsure: [{ name: 'x' }],
  });
});

test('each test is judged by itself; a missing one that is steady stays missing', async () => {
  const { run } = repeating({ candidate: ['+-', '--'], base: ['-+', '++'] });
  expect(await repeatSuspects(run, commands, { failing: [one('x'), one('y')], missing: [] }, never)).toMatchObject({
    failing: [{ name: 'y' }],
    flaky: [{ name: 'x' }],
  });
  const gone = repeating({ candidate: ['+ '], base: ['++'] });
  expect(await repeatSuspects(gone.run, commands, { failing: [], missing: [one('y', 'passed')] }, never)).toMatchObject(
    {
      missing: [{ name: 'y' }],
      flaky: [],
    },
  );
});

test('what is known to be flaky is not run again', async () => {
  const { run, ran } = repeating({ candidate: ['-'], base: ['+'] }, ['a.test.js › x']);
  expect(await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [],
    flaky: [{ name: 'x' }],
    repetitions: 0,
  });
  expect(ran).toEqual([]);
});

test('where only the whole suite can be run, it is repeated once on each side', async () => {
  const { run, ran } = repeating({ candidate: ['-'], base: ['-'] });
  expect(
    await repeatSuspects(run, { ...commands, onFiles: () => null }, { failing: [one('x')], missing: [] }, never),
  ).toMatchObject({
    flaky: [{ name: 'x' }],
  });
  expect(ran).toEqual(['candidate whole', 'base whole']);
  const broken = repeating({ candidate: [''], base: [''] });
  Object.assign(broken.run, {
    rerun: async (side: string) => (broken.ran.push(side), { answer: { millis: 60_000 }, value: null, touched: [] }),
  });
  // A run that tells nothing changes nothing, and time is bounded.
  expect(await repeatSuspects(broken.run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [{ name: 'x' }],
    flaky: [],
    unsure: [],
  });
  expect(broken.ran).toEqual(['candidate', 'candidate']);
});

test('a test that the change brings and that always fails is its fault', async () => {
  const { run, added } = repeating({ candidate: ['-+'], base: [' +'] });
  const settled = await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never);
  expect(settled).toMatchObject({ failing: [{ name: 'x' }], flaky: [], unsure: [] });
  expect(added).toEqual([]);
});

test("flaky tests are remembered for a month, in the repository's state", async () => {
  let now = 1_000;
  const documents = createMemoryDocuments();
  const store = () => createFlakyTestStore({ documents, clock: { now: () => now } }, () => null);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => one(name, 'failed', null)) as [TestCase, TestCase, TestCase];
  expect(await store().known()).toEqual(new Set());
  await store().add([a, b]);
  now += 20 * 24 * 3600 * 1000;
  await store().add([b, c]);
  expect(await store().known()).toEqual(new Set(['a', 'b', 'c']));
  now += 15 * 24 * 3600 * 1000;
  expect(await store().known()).toEqual(new Set(['b', 'c']));
});

test('what is seen while other candidates are verified is not remembered', async () => {
  const { run, added } = repeating({ candidate: ['-'], base: ['+', '-'] }, [], true);
  expect(await repeatSuspects(run, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [],
  });
  expect(added).toEqual([]);
});

test('tests that are added at the same time are all remembered', async () => {
  const documents = createMemoryDocuments();
  // A copy of the object, as another process has its own.
  const store = () => createFlakyTestStore({ documents: { ...documents }, clock: { now: () => 1 } }, () => null);
  await Promise.all([store().add([one('a')]), store().add([one('b')])]);
  expect(await store().known()).toEqual(new Set(['a.test.js › a', 'a.test.js › b']));
});

test('tests that reach a change are found through its importers', () => {
  const imports = new Map([
    ['src/b.ts', ['src/a.ts']],
    ['src/c.ts', ['src/b.ts', 'src/c.ts']],
    ['test/c.test.ts', ['src/c.ts']],
    ['test/d.test.ts', ['src/d.ts']],
    ['src/a.test.ts', ['src/a.ts']],
    ['test/fixtures/f.ts', ['src/a.ts']],
  ]);
  expect(findReachingTests(imports, ['src/a.ts'])).toEqual(['src/a.test.ts', 'test/c.test.ts']);
  expect(findReachingTests(imports, ['src/d.ts', 'test/x.test.ts'])).toEqual(['test/x.test.ts', 'test/d.test.ts']);
  expect(findReachingTests(imports, ['src/none.ts'])).toEqual([]);
});

test('tests that reach the change run first, where they are a small part of all', async () => {
  const base = countsOf([
    one('x', 'passed', 'a.test.js', 10),
    one('y', 'passed', 'b.test.js', 50),
    one('z', 'passed', 'c.test.js', 40),
  ]);
  const first = async (
    reaching: readonly string[] | null,
    answer: readonly TestCase[] | null,
    before: TestCounts | null = base,
    millis = 100,
  ) => {
    const lines: string[] = [];
    const rerun = async (_side: string, command: DetectedCommand) => (
      lines.push(command.command[0]!), { answer: {}, value: answer && countsOf(answer), touched: [] }
    );
    const run = createPart<GateInput>({
      edits: [{ path: 'a.js', before: '', after: ' ' }],
      context: { reachingTests: async () => reaching, placesReached: async () => null },
      rerun,
    });
    const { files, suspects } = await runReachingTests(run, commands, { value: before, answer: { millis } }, never);
    return {
      files,
      lines,
      failing: suspects?.failing.map(({ name }) => name),
      missing: suspects?.missing.map(({ name }) => name),
    };
  };
  expect(await first(['a.test.js', 'unknown.test.js'], [one('x')])).toEqual({
    files: 1,
    lines: ['on a.test.js'],
    failing: ['x'],
    missing: [],
  });
  expect(await first(['a.test.js'], [one('other', 'passed')])).toEqual({
    files: 1,
    lines: ['on a.test.js'],
    failing: [],
    missing: ['x'],
  });
  // Another file ran: the runner did not take the words as meant.
  expect(await first(['a.test.js'], [one('y', 'passed', 'b.test.js')])).toEqual({
    files: 1,
    lines: ['on a.test.js'],
    failing: [],
    missing: [],
  });
  expect(await first(['a.test.js'], null)).toMatchObject({ lines: ['on a.test.js'], failing: undefined });
  // Starting takes longer than the tests: a part of them would take nearly as long as all.
  expect((await first(['a.test.js'], [one('x')], base, 1000)).lines).toEqual([]);
  for (const [reaching, before] of [
    [['a.test.js', 'b.test.js'], base],
    [[], base],
    [null, base],
    [['a.test.js'], null],
  ] as const)
    expect((await first(reaching, [], before)).lines).toEqual([]);
});

test('of two tests of one name that do not agree, none has passed', async () => {
  const { run } = repeating({ candidate: ['+'], base: ['+'] });
  const twice = {
    ...run,
    async rerun(...given: Parameters<typeof run.rerun>) {
      const again = (await run.rerun(...given)) as TestRun;
      return given[0] === 'candidate' ? { ...again, value: countsOf([one('x', 'passed'), one('x', 'failed')]) } : again;
    },
  } as GateInput;
  expect(await repeatSuspects(twice, commands, { failing: [one('x')], missing: [] }, never)).toMatchObject({
    failing: [{ name: 'x' }],
    unsure: [],
  });
});

test('a missing test that shares its key with another one has not passed because the other one did', async () => {
  const { run } = repeating({ candidate: ['+'], base: ['+'] });
  const missing = { failing: [], missing: [one('x')] };
  expect(await repeatSuspects(run, commands, missing, never)).toMatchObject({ missing: [], unsure: [{ name: 'x' }] });
  const both = (outcomes: number) => countsOf(Array.from({ length: outcomes }, () => one('x', 'passed', null)));
  const suspects = compareTests(both(2), both(1))!;
  const twice = createPart<GateInput>({
    ...run,
    rerun: async (side: 'candidate' | 'base') => ({
      ...{ answer: { millis: 1000, exitCode: 0 } as CommandAnswer, touched: [] },
      value: both(side === 'candidate' ? 1 : 2),
    }),
  });
  expect(await repeatSuspects(twice, commands, suspects, never)).toMatchObject({
    missing: [{ name: 'x' }],
    unsure: [],
  });
});
