// The command with which mutants are tried inside a test runner.

import { expect, test } from 'vitest';
import { tryInProcess } from '../../../server/src/core/verify/guard/inProcess.ts';
import type { DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import type { RunnerName } from '../../../server/src/core/verify/detect/testRunner.ts';
import type { Mutant, MutantPlan } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { MutantRun } from '../../../server/src/core/verify/guard/mutantRuns.ts';
import type { TestCommands } from '../../../server/src/core/verify/testing/testRun.ts';
import { createPart } from '../../helpers/createPart.ts';
import { createMemoryClock } from '../../helpers/memoryClock.ts';

/** The words of the command that is really run. */
async function wordsOf(command: DetectedCommand, runner: RunnerName): Promise<readonly string[]> {
  const commands: DetectedCommand[] = [];
  const run = createPart<MutantRun>({
    context: { clock: createMemoryClock() },
    worktree: { dir: '/tree', write: async () => undefined, read: async () => null },
    rerun: async (_side: unknown, ran: DetectedCommand) => {
      commands.push(ran);
      return { value: null, answer: { outcome: 'exited', exceeded: null } };
    },
  });
  const plan = createPart<MutantPlan>({
    mutants: [createPart<Mutant>({ path: 'a.js' })],
    schemata: { files: [{ path: 'a.js', text: '' }], switched: [true] },
  });
  const options = {
    command,
    commands: createPart<TestCommands>({}),
    runner,
    millis: 1000,
    baseMillis: 10,
    preload: 'file:///in.js',
  };
  await tryInProcess(run, plan, () => '', options, new AbortController().signal);
  return commands[0]!.command;
}

test.each<[readonly string[], boolean, readonly string[]]>([
  [['node --test --experimental-test-isolation=none test/*.js'], true, ['node --test test/*.js']],
  [['node --test --test-isolation none'], true, ['node --test']],
  [['node', '--test', '--test-isolation=none', 'a.test.js'], false, ['node', '--test', 'a.test.js']],
  [['node', '--test', '--test-isolation=process'], false, ['node', '--test', '--test-isolation=process']],
])('%j of Node starts a process for each file', async (command, shell, expected) => {
  expect(await wordsOf({ source: 'x', command, shell }, 'node')).toEqual(expected);
});

test('the command of another runner stays as it is', async () => {
  const command = ['mocha --test-isolation=none'];
  expect(await wordsOf({ source: 'x', command, shell: true }, 'mocha')).toEqual(command);
});
