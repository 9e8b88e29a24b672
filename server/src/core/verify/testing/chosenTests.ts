// Which command runs the tests: the detected one, the same after the package script `build` if they need its output, or
// one that is told to exit if they hang.

import { detectTests } from '../detect/testCommand.ts';
import { behindBuild } from '../detect/behindBuild.ts';
import type { DetectedCommand } from '../detect/command.ts';
import { failureKind } from '../claims/failures.ts';
import type { GateRun } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { testCommands, type TestCommands, type TestRun } from './testRun.ts';

export interface ChosenTests {
  readonly command: DetectedCommand;
  readonly commands: TestCommands;
  /** All tests without the change. */
  readonly base: TestRun;
}

/** What choosing needs of a run of the gates. */
export type ChoosingRun = Pick<GateRun, 'context' | 'project' | 'base'>;

/** Choices do not belong to a tree: they hold as long as the scripts are the same. */
const CHOICES = 'test command';
const ENDINGS = 'tests that do not end by themselves';

/**
 * Of the tests that ran. A few red ones among many green ones are the base to compare with: a build changes nothing.
 */
const MANY_RED = 0.1;

/**
 * Null: no tests are known of. What is built is ignored by git, so a work tree begins without it. The build is tried
 * where the tests seem to lack its output, once for the scripts of a repository, and taken where fewer fail behind it
 * and none less passes.
 */
export async function chosenTests(run: ChoosingRun, signal: AbortSignal): Promise<ChosenTests | null> {
  const project = await run.project();
  const { settings, baseline, setUp } = run.context;
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  const command = detectTests(project, setting);
  if (!command) return null;
  const what = JSON.stringify([project.folder, project.manifest?.scripts, ...(setting.trim() === '' ? [] : [setting])]);
  const choose = async (wanted: DetectedCommand): Promise<ChosenTests> => {
    const commands = testCommands(wanted, project, setUp);
    return { command: wanted, ...(await withAnEnd(run, commands, what, signal)) };
  };
  const built = setting.trim() === '' ? behindBuild(project, command) : null;
  if (!built) return choose(command);
  const known = await baseline.find<boolean>(CHOICES, what);
  if (known) return choose(built);
  const plain = await choose(command);
  if (known === false || !needsMore(plain.base)) return plain;
  const behind = await choose(built);
  const helps = isBetter(behind.base, plain.base);
  if (behind.base.answer.outcome === 'exited') await baseline.keep(CHOICES, what, helps);
  return helps ? behind : plain;
}

/**
 * Tests that leave a timer or a connection open, without the change already: all of them are reported, and the runner
 * waits until it is stopped. One that can be told to end then is told so from there on.
 */
async function withAnEnd(
  { base, context: { baseline } }: ChoosingRun,
  commands: TestCommands,
  what: string,
  signal: AbortSignal,
): Promise<Pick<ChosenTests, 'commands' | 'base'>> {
  const plainly = async () => ({ commands, base: await base(commands.whole, commands.read, signal) });
  const { ending } = commands;
  if (!ending) return plainly();
  const toldToEnd = async () => ({ commands: ending, base: await base(ending.whole, ending.read, signal) });
  const known = await baseline.find<boolean>(ENDINGS, what);
  if (known) return toldToEnd();
  const plain = await plainly();
  if (known === false || plain.base.answer.outcome !== 'timedOut' || !plain.base.value?.cases) return plain;
  const told = await toldToEnd();
  const helps = told.base.answer.outcome === 'exited';
  await baseline.keep(ENDINGS, what, helps);
  return helps ? told : plain;
}

/** A build may help where no test passes, many fail, or one did not find a file or a module. */
function needsMore({ answer, value }: TestRun): boolean {
  // A program that is not found may be one that is built.
  if (answer.missing !== undefined) return true;
  if (answer.outcome !== 'exited') return false;
  if (value === null) return answer.exitCode !== 0;
  const { passed, failed, cases } = value;
  return passed === 0 || failed > (passed + failed) * MANY_RED || (cases ?? []).some(lacksFile);
}

function lacksFile({ failure = '' }: TestCase): boolean {
  return /\bENOENT\b/.test(failure) || failureKind(failure, () => true) === 'loading';
}

function isBetter({ value }: TestRun, { value: before }: TestRun): boolean {
  if (value === null || value.passed === 0) return false;
  return before === null || (value.failed < before.failed && value.passed >= before.passed);
}
