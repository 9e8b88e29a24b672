// Chooses a command for runs with mistakes in the code: the tests alone, without linters around them and without a
// program that hides their runner.

import type { DetectedCommand } from '../detect/command.ts';
import { withoutChecks } from '../detect/withoutChecks.ts';
import { directRunner } from './behindWrapper.ts';
import type { ChoosingRun, ChosenTests } from './chosenTests.ts';
import { testCommands, type TestRun } from './testRun.ts';

/**
 * The tests alone if, on the base, at least as many of them pass as by the command that was chosen, and no more fail;
 * otherwise `chosen`. Throws `cancelled` and what the sandbox throws.
 */
export async function testsAlone(run: ChoosingRun, chosen: ChosenTests, signal: AbortSignal): Promise<ChosenTests> {
  const project = await run.project();
  for (const command of [withoutChecks(chosen.command, project), directRunner(chosen.command, project)]) {
    const alone = command && chosen.base.value?.passed ? await runOf(command, run, signal) : null;
    if (alone && runsAll(alone.base, chosen.base)) return alone;
  }
  return chosen;
}

/** A command with its run on the base. */
export async function runOf(command: DetectedCommand, run: ChoosingRun, signal: AbortSignal): Promise<ChosenTests> {
  const commands = testCommands(command, await run.project(), run.context.setUp);
  return { command, commands, base: await run.base(commands.whole, commands.read, signal) };
}

function runsAll({ answer, value }: TestRun, { value: before }: TestRun): boolean {
  if (value === null || before === null || answer.outcome !== 'exited') return false;
  return value.passed >= before.passed && value.failed <= before.failed;
}
