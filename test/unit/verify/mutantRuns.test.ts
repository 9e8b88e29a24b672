// A mutant is noticed by a failing test, or by a run that breaks down with it and works again without it.

import { expect, test } from 'vitest';
import type { CommandAnswer } from '../../../server/src/core/verify/commands.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import {
  runProbed,
  testMutant,
  hasSameOutcomes,
  type MutantStatus,
} from '../../../server/src/core/verify/guard/mutantRuns.ts';
import type { TestCommands, TestRun } from '../../../server/src/core/verify/testing/testRun.ts';
import { createPart } from '../../helpers/createPart.ts';

const command = createPart<Parameters<typeof testMutant>[3]>({ command: ['run-tests'] });
const commands = {
  allTests: command,
  onFiles: () => null,
  parse: () => null,
  withExitOption: null,
} satisfies TestCommands;
const mutant = { path: 'src/a.ts', line: 1, start: 0, end: 1, text: 'b', shown: 'a → b' } as Parameters<
  typeof testMutant
>[2];

function ran(value: { passed: number; failed: number } | null, answer: Partial<CommandAnswer> = {}): TestRun {
  const exitCode = value === null || value.failed > 0 ? 1 : 0;
  return createPart<TestRun>({
    answer: { outcome: 'exited', exitCode, exceeded: null, output: '', millis: 10, ...answer } as CommandAnswer,
    value: value && { ...value, skipped: 0, cases: null },
    touched: [],
  });
}

const green = ran({ passed: 3, failed: 0 });
const red = ran({ passed: 2, failed: 1 });
const nothing = ran(null, { output: 'Cannot find module vitest' });
const silent = ran(null, { exitCode: 0 });
const empty = ran({ passed: 0, failed: 0 });
const killed = ran(null, { exitCode: null, exceeded: '4 GB of memory' });
const late = ran(null, { exitCode: null, outcome: 'timedOut' });
const unread = ran(null, { output: 'SyntaxError: Unexpected token' });
const unhandled = ran({ passed: 3, failed: 0 }, { exitCode: 1 });

const jest = 'Jest: "global" coverage threshold for statements (100%) not met: 56.46%';
const uncovered = (output: string) => ran({ passed: 3, failed: 0 }, { exitCode: 1, output });

/** `nyc mocha a && nyc mocha b`, without a mutant. */
const both = ran({ passed: 5, failed: 0 });

/** The runs that follow each other: with the mutant, then, where it is asked for, without. */
async function fate(
  runs: readonly TestRun[],
  baseline: TestRun,
): Promise<{ fate: MutantStatus; texts: string[]; left: number }> {
  const left = [...runs];
  const texts: string[] = [];
  const run = createPart<GateInput>({
    worktree: { dir: '/tree', write: async (edits: { after: string }[]) => void texts.push(edits[0]!.after) },
    rerun: async () => left.shift(),
  });
  const signal = new AbortController().signal;
  return {
    fate: await testMutant(run, () => 'a = 1', mutant, command, commands, baseline, signal),
    texts,
    left: left.length,
  };
}

test.each<[string, TestRun[], TestRun, MutantStatus]>([
  ['a test fails', [red], green, 'noticed'],
  ['one more test fails than before', [ran({ passed: 1, failed: 2 })], red, 'noticed'],
  ['all tests pass', [green], green, 'survived'],
  ['as many tests fail as before', [red], red, 'survived'],
  ['all tests pass, and the coverage is too low', [uncovered(jest)], green, 'survived'],
  ['all tests pass, and an error is not handled', [uncovered(`${jest}\nUnhandled Errors`), green], green, 'noticed'],
  [
    'all tests pass, and AVA reports an uncaught exception',
    [uncovered(`${jest}\n  Uncaught exception in a.js`), green],
    green,
    'noticed',
  ],
  [
    'all tests pass, and the process of AVA fails',
    [uncovered(`${jest}\n  a.js exited with a non-zero exit code: 1`), green],
    green,
    'noticed',
  ],
  ['low coverage of the first command keeps the second one from running', [uncovered(jest), both], both, 'noticed'],
  ['all tests pass, of which probes have broken one', [green], red, 'survived'],
  ['it ends well, and has run fewer tests than with probes', [ran({ passed: 1, failed: 0 }), green], red, 'unjudged'],
  ['it takes too long', [late], green, 'stopped'],
  ['the runner cannot read the mutant', [unread], green, 'invalid'],
  ['the run breaks down, and works without the mutant', [nothing, green], green, 'noticed'],
  ['the run takes too much memory, and works without the mutant', [killed, green], green, 'noticed'],
  ['an error outside of any test, and none without the mutant', [unhandled, green], green, 'noticed'],
  ['the runner does not start any more', [nothing, nothing], green, 'unjudged'],
  ['the run takes too much memory, with and without the mutant', [killed, killed], green, 'unjudged'],
  ['without the mutant other tests run than before', [nothing, empty], green, 'unjudged'],
  ['it ends well, and has no report', [silent], green, 'unjudged'],
  ['it ends well, and has run no test', [empty], green, 'unjudged'],
])('%s', async (_, runs, baseline, expected) => {
  const told = await fate(runs, baseline);
  expect(told).toEqual({ fate: expected, texts: ['b = 1', 'a = 1'], left: 0 });
});

test.each([
  ['Jest', jest],
  ['Vitest', 'ERROR: Coverage for lines (56.4%) does not meet global threshold (100%)'],
  ['c8', 'ERROR: Coverage for branches (47.11%) does not meet global threshold (90%)'],
])('with probes, tests run as before if only the coverage is too low (%s)', (_, output) => {
  expect(hasSameOutcomes(uncovered(output), green)).toBe(true);
  expect(hasSameOutcomes(uncovered('Something else.'), green)).toBe(false);
});

test('ts-node does not check the types of what is inserted to record which code the tests reach', async () => {
  const environments: unknown[] = [];
  const run = createPart<GateInput>({
    worktree: { dir: '/tree', write: async () => {}, read: async () => null },
    rerun: async (_why: string, { env }: { env?: unknown }) => {
      environments.push(env);
      return green;
    },
  });
  const { signal } = new AbortController();
  await runProbed(run, () => 'a = 1', { probes: [] }, { ...command, env: { CI: '1' } }, commands, signal);
  expect(environments).toEqual([{ CI: '1', TS_NODE_TRANSPILE_ONLY: 'true' }]);
});
