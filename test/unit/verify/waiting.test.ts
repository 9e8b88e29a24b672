// What a person reads while a command runs: time, tests so far, and what the last run lets expect.

import { expect, test } from 'vitest';
import {
  createLastRuns,
  countTestLines,
  describeRunningCommand,
  describeRunningCommandWithoutSide,
} from '../../../server/src/core/verify/runningCommandText.ts';
import { createMemoryDocuments } from '../../helpers/memoryState.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createCommands } from '../../../server/src/core/verify/commands.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { createPart } from '../../helpers/createPart.ts';

test('time, tests, and what to expect', () => {
  const run = { side: 'candidate' as const, millis: 12_400, tests: 30, lastRun: { millis: 40_000, tests: 120 } };
  expect(describeRunningCommand(run)).toBe('12 s of about 40 s with the change, 30 of 120 tests');
  expect(describeRunningCommand({ ...run, tests: 131 }), 'tests that ran twice').toContain(', 120 of 120 tests');
  expect(describeRunningCommand({ ...run, side: 'base', lastRun: null })).toBe('12 s without the change, 30 tests');
  expect(describeRunningCommandWithoutSide(run)).toBe('12 s of about 40 s, 30 of 120 tests');
  expect(describeRunningCommandWithoutSide({ ...run, side: 'mutant', lastRun: null })).toBe('12 s, 30 test runs');
  expect(describeRunningCommand({ ...run, tests: 0, millis: 90_000 })).toBe(
    '90 s with the change; it took 40 s last time',
  );
});

test('tests are counted as the usual runners print them', () => {
  expect(countTestLines(['ok 1 - one', 'not ok 2 - two', '# a note', '1..2'])).toBe(2);
  expect(countTestLines(['✔ one (1.2ms)', '✖ two (0.3ms)', 'ℹ tests 2'])).toBe(2);
  expect(countTestLines([' ✓ test/a.test.ts (12 tests) 30ms', ' ❯ test/b.test.ts (3 tests | 1 failed) 30ms'])).toBe(15);
  expect(
    countTestLines([
      '--- PASS: TestOne (0.00s)',
      'test parse::one ... ok',
      'tests/test_a.py::test_one PASSED',
      'compiling',
    ]),
  ).toBe(3);
});

test('the second run of a command knows how long the first took and how many tests there are', async () => {
  const files = createMemoryFiles({ 'a.ts': '' });
  const sandbox = createMemorySandbox(files, { 'run-tests': () => ({ exitCode: 0, stdout: '', millis: 40_000 }) });
  const never = new AbortController().signal;
  const worktree = await sandbox.open(never);
  const lastRuns = createLastRuns(createMemoryDocuments());
  const told: string[] = [];
  const talking = {
    ...worktree,
    run: (...[request, signal]: Parameters<typeof worktree.run>) => (
      request.onProgress?.({ millis: 2_000, newOutput: 'ok 1 - one\nok 2 ' }),
      request.onProgress?.({ millis: 3_000, newOutput: '- two\n' }),
      worktree.run(request, signal)
    ),
  };
  const commands = createCommands(talking, {
    sandbox,
    baseline: createBaselineCache(),
    treeKey: () => null,
    isJudge: () => false,
    edits: [],
    timeoutMs: 1_000,
    lastRuns,
    tell: (underWay) => told.push(describeRunningCommand(underWay)),
  });
  const command = createPart<Parameters<typeof commands.candidate>[0]>({ command: ['run-tests'], source: 'settings' });
  await commands.candidate(command, () => ({ passed: 4, failed: 1 }), never);
  await commands.candidate(command, () => null, never);
  expect(told).toEqual([
    '2 s with the change, 1 test',
    '3 s with the change, 2 tests',
    expect.stringMatching(/^2 s of about .* with the change, 1 of 5 tests$/),
    expect.stringMatching(/2 of 5 tests$/),
  ]);
  await commands.dispose();
  await worktree.dispose();
});
