// How long the tests that reach a change take at least, before they run.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { createTestCommands } from '../../../server/src/core/verify/testing/testRun.ts';
import {
  estimateLeastSeconds,
  chooseReachingCommand,
} from '../../../server/src/core/verify/testing/reachingCommand.ts';
import type { CommandAnswer } from '../../../server/src/core/verify/commands.ts';
import { createPart } from '../../helpers/createPart.ts';

const NEW_CODE: FileEdit = { path: 'src/new.js', before: null, after: 'exports.n = 1;\n' };
const NEW_TEST: FileEdit = { path: 'test/new.test.js', before: null, after: "require('../src/new.js');\n" };

/** The suite takes 60 s. `reaching`: the test files that reach the change. */
function situation(line: string, edits: readonly FileEdit[], reaching: readonly string[], evidence = {}) {
  const command = { source: '', command: [line], shell: true };
  const commands = createTestCommands(command, describeProject({}, []));
  const cases = ['test/one.test.js', 'test/two.test.js'].map((file) => ({
    ...{ file, name: file, outcome: 'passed' as const, millis: 1 },
  }));
  const base = { answer: { outcome: 'exited' } as CommandAnswer, value: { cases }, touched: [] };
  const verdict = { gate: 'tests', outcome: 'passed', evidence: { secondsBefore: 60, ...evidence } };
  return createPart<{
    readonly run: Parameters<typeof estimateLeastSeconds>[0];
    readonly chosen: Parameters<typeof chooseReachingCommand>[1];
  }>({
    run: { context: { reachingTests: async () => reaching }, edits, verdicts: [verdict] },
    chosen: { command, commands, base },
  });
}

test('only a brought test file runs: the time of the suite says nothing about it', async () => {
  const { run, chosen } = situation('jest', [NEW_CODE, NEW_TEST], [NEW_TEST.path]);
  expect((await chooseReachingCommand(run, chosen)).command.join(' ')).not.toContain('one.test.js');
  expect(await estimateLeastSeconds(run, chosen)).toBe(0);
});

test.each<[string, string, readonly FileEdit[], readonly string[], object, number]>([
  ['known tests did not run separately', 'jest', [NEW_CODE, NEW_TEST], ['test/one.test.js', NEW_TEST.path], {}, 15],
  ['known tests ran separately', 'jest', [NEW_CODE, NEW_TEST], ['test/one.test.js'], { reachingSeconds: 3 }, 3],
  ['no test reaches the change, so all run', 'jest', [NEW_CODE], [], {}, 15],
  ['the runner selects no files, so all run', 'make test', [NEW_CODE, NEW_TEST], [NEW_TEST.path], {}, 15],
])('%s', async (_, line, edits, reaching, evidence, seconds) => {
  const { run, chosen } = situation(line, edits, reaching, evidence);
  expect(await estimateLeastSeconds(run, chosen)).toBe(seconds);
});
