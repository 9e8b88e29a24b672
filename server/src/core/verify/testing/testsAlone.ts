// Chooses a command for runs with mistakes in the code: the tests alone, without linters around them and without a
// program that hides their runner.

import { withoutChecks } from '../detect/withoutChecks.ts';
import { directRunner } from './behindWrapper.ts';
import type { ChoosingRun, ChosenTests } from './chosenTests.ts';
import { testCommands, type TestRun } from './testRun.ts';

/**
 * The tests alone if, on the base, at least as many of them pass as by the command that was chosen, and no more fail;
 * otherwise `chosen`. `files`: the test files that were chosen; all tests if they are left out. Throws `cancelled` and
 * what the sandbox throws.
 */
export async function testsAlone(
  run: ChoosingRun,
  chosen: ChosenTests,
  signal: AbortSignal,
  files: readonly string[] = [],
): Promise<ChosenTests> {
  if (!chosen.base.value?.passed) return chosen;
  const project = await run.project();
  // The hidden runner comes first: a script without its checks may still call the program that hides the runner, and
  // that program may have checks of its own, as `ts-scripts test` has.
  for (const command of [directRunner(chosen.command, project), withoutChecks(chosen.command, project)]) {
    if (!command) continue;
    const commands = testCommands(command, project, run.context.setUp);
    const base = await run.base(commands.onFiles(files) ?? commands.whole, commands.read, signal);
    if (runsAll(base, chosen.base)) return { command, commands, base };
  }
  return chosen;
}

function runsAll({ answer, value }: TestRun, { value: before }: TestRun): boolean {
  if (value === null || before === null || answer.outcome !== 'exited') return false;
  return value.passed >= before.passed && value.failed <= before.failed;
}
