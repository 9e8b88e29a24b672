// Changes a test command so that it stops at the first failure.

import type { DetectedCommand } from '../../detect/command.ts';
import type { RunnerName } from '../../detect/testRunner.ts';

/** The option with which each runner stops at the first failure. */
const BAIL_OPTION_BY_RUNNER: Readonly<Partial<Record<RunnerName, string>>> = {
  vitest: '--bail=1',
  jest: '--bail',
  mocha: '--bail',
  pytest: '-x',
  bun: '--bail',
};

/**
 * The command with the option of its runner to stop at the first failure. Returns the command unchanged if the runner
 * has no such option, or if the option cannot be added.
 */
export function stopAtFailure(command: DetectedCommand, runner: RunnerName | undefined): DetectedCommand {
  const option = runner && BAIL_OPTION_BY_RUNNER[runner];
  if (!option) return command;
  if (command.script && command.args)
    return { ...command, args: { ...command.args, words: [...command.args.words, option] } };
  return command.shell && !command.script
    ? { ...command, command: [`${command.command[0] ?? ''} ${option}`] }
    : command;
}
