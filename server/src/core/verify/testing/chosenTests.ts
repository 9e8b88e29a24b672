// By which command the tests of a repository are run: the one that was detected, or the same behind the package script `build`, where they need
// what that makes; and told to end, where they do not by themselves.

import { detectTests } from '../detect/testCommand.ts';
import { behindBuild } from '../detect/behindBuild.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { GateRun } from '../gate.ts';
import { isGreen, testCommands, type TestCommands, type TestRun } from './testRun.ts';

export interface ChosenTests {
  readonly command: DetectedCommand;
  readonly commands: TestCommands;
  /** All tests without the change. */
  readonly base: TestRun;
}

/** Choices do not belong to a tree: they hold as long as the scripts are the same. */
const CHOICES = 'test command';
const ENDINGS = 'tests that do not end by themselves';

/** Null: no tests are known of. */
export async function chosenTests(run: GateRun, signal: AbortSignal): Promise<ChosenTests | null> {
  const chosen = await behindWhatTheyNeed(run, signal);
  return chosen && withAnEnd(run, chosen, signal);
}

/**
 * Tests that leave a timer or a connection open, without the change already: all of them are reported, and the runner waits until
 * it is stopped. One that can be told to end then is told so from there on.
 */
async function withAnEnd(run: GateRun, chosen: ChosenTests, signal: AbortSignal): Promise<ChosenTests> {
  const { commands, base } = chosen;
  const { baseline } = run.context;
  const what = commands.whole.command.join(' ');
  if (!commands.ending || base.answer.outcome !== 'timedOut' || !base.value?.cases || (await baseline.find<boolean>(ENDINGS, what)) === false) return chosen;
  const ended = await run.base(commands.ending.whole, commands.ending.read, signal);
  const helps = ended.answer.outcome === 'exited';
  await baseline.keep(ENDINGS, what, helps);
  return helps ? { ...chosen, commands: commands.ending, base: ended } : chosen;
}

/**
 * What is built is ignored by git, so a work tree begins without it. The build is tried where the tests are red without the change,
 * once for the scripts of a repository, and taken where fewer fail behind it and none less passes.
 */
async function behindWhatTheyNeed(run: GateRun, signal: AbortSignal): Promise<ChosenTests | null> {
  const project = await run.project();
  const { settings, baseline } = run.context;
  const command = detectTests(project, settings.testCommand);
  if (!command) return null;
  const choose = async (wanted: DetectedCommand): Promise<ChosenTests> => {
    const told = testCommands(wanted, project);
    const commands = told.ending && (await baseline.find<boolean>(ENDINGS, told.whole.command.join(' '))) ? told.ending : told;
    return { command: wanted, commands, base: await run.base(commands.whole, commands.read, signal) };
  };
  const built = settings.testCommand.trim() === '' ? behindBuild(project, command) : null;
  if (!built) return choose(command);
  const what = JSON.stringify([project.folder, project.manifest?.scripts]);
  const known = await baseline.find<boolean>(CHOICES, what);
  if (known) return choose(built);
  const plain = await choose(command);
  if (known === false || isGreen(plain.base) || plain.base.answer.outcome !== 'exited') return plain;
  const behind = await choose(built);
  const helps = isBetter(behind.base, plain.base);
  if (behind.base.answer.outcome === 'exited') await baseline.keep(CHOICES, what, helps);
  return helps ? behind : plain;
}

function isBetter({ value }: TestRun, { value: before }: TestRun): boolean {
  if (value === null || value.passed === 0) return false;
  return before === null || (value.failed < before.failed && value.passed >= before.passed);
}
