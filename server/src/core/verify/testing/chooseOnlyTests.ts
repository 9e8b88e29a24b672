// Chooses a command for runs with mutants in the code. It runs only the tests, without linters around them, without
// measuring coverage, and without a program that hides their runner.

import { removeChecks } from '../detect/removeChecks.ts';
import { removeCoverage } from '../detect/removeCoverage.ts';
import { detectRunner } from '../detect/testRunner.ts';
import { findDirectRunner, findNodeTestCommand } from './wrappedRunner.ts';
import type { Commands } from '../commands.ts';
import { findSettledCommand, type ChoosingRun, type ChosenTests } from './chosenTests.ts';
import { passesAllTests, limitTestsToFiles, createTestCommands, type TestRun } from './testRun.ts';

/**
 * Returns a command that runs only the tests if it passes at least as many tests on the base as `allTests`, and fails
 * no more, in its first or its second run; otherwise `allTests`. `files`: the chosen test files; if absent, all tests.
 * Throws `cancelled` and errors of the sandbox.
 */
export async function chooseOnlyTests(
  run: ChoosingRun,
  allTests: ChosenTests,
  signal: AbortSignal,
  files: readonly string[] = [],
): Promise<ChosenTests> {
  if (!allTests.base.value?.passed) return allTests;
  const project = await run.project();
  const testsOnly = removeChecks(allTests.command, project);
  const directCommand = findDirectRunner(allTests.command, project);
  // A script without its checks may still call the program that hides the runner, and that program may have its own
  // checks, such as `ts-scripts test`. Then the runner itself is tried first. Otherwise the options of the script are
  // important.
  const callsRunnerDirectly = testsOnly !== null && detectRunner(testsOnly, project) !== null;
  const commandWithoutCoverage = removeCoverage(testsOnly ?? allTests.command, project);
  const nodeTestCommand = usesNodeRunner(allTests.base)
    ? findNodeTestCommand(testsOnly ?? allTests.command, project)
    : null;
  // Some scripts cannot run single files. Then their result is that of all tests, and is compared with such a run.
  const comparedFiles = files.length > 0 && allTests.commands.onFiles(files) !== null ? files : [];
  for (const command of callsRunnerDirectly
    ? [commandWithoutCoverage, testsOnly, directCommand]
    : [nodeTestCommand, commandWithoutCoverage, directCommand, testsOnly]) {
    if (!command) continue;
    const testCommands = createTestCommands(command, project, run.context.setUp);
    const commands = allTests.isPart ? limitTestsToFiles(testCommands, run.context.testFiles ?? []) : testCommands;
    if (!commands) continue;
    const baseCommand = commands.onFiles(comparedFiles) ?? commands.allTests;
    const base = await run.base(baseCommand, commands.parse, signal);
    const isEnough = command === nodeTestCommand ? runsTests : runsAsManyTests;
    if (isEnough(base, allTests.base)) return { ...allTests, command, commands, base };
    if (!mayBeFlaky(base, allTests.base)) continue;
    const repeatedRun = await run.rerun('base', baseCommand, commands.parse, signal);
    if (runsAsManyTests(repeatedRun, allTests.base)) return { ...allTests, command, commands, base: repeatedRun };
  }
  return allTests;
}

/**
 * Returns a command that runs only the tests, without comparing it with a run of the whole command: the repository's
 * command without linters and coverage suffices if all of its tests pass, because the removed parts contain no tests.
 * Null if a test fails, if the command has no such parts, or if the results of the whole command are already stored.
 */
export async function chooseOnlyTestsDirectly(
  run: ChoosingRun & Pick<Commands, 'isStored'>,
  signal: AbortSignal,
  files: readonly string[] = [],
): Promise<ChosenTests | null> {
  const project = await run.project();
  const { setUp, testFiles = [] } = run.context;
  const settledCommand = await findSettledCommand(run);
  if (settledCommand === null || testFiles.length > 0) return null;
  const chosenCommands = createTestCommands(settledCommand, project, setUp);
  if (await run.isStored(chosenCommands.onFiles(files) ?? chosenCommands.allTests, signal)) return null;
  const commandWithoutChecks = removeChecks(settledCommand, project) ?? settledCommand;
  const command = removeCoverage(commandWithoutChecks, project) ?? commandWithoutChecks;
  if (command === settledCommand || detectRunner(command, project) === null) return null;
  const commands = createTestCommands(command, project, setUp);
  const base = await run.base(commands.onFiles(files) ?? commands.allTests, commands.parse, signal);
  return passesAllTests(base) && (base.value?.passed ?? 0) > 0 ? { command, commands, base } : null;
}

/** True if as many tests ran, and some of them failed: one of them may be flaky. */
function mayBeFlaky({ answer, value }: TestRun, { value: wholeCounts }: TestRun): boolean {
  if (value === null || wholeCounts === null || answer.outcome !== 'exited') return false;
  return value.passed > 0 && value.passed + value.failed >= wholeCounts.passed + wholeCounts.failed;
}

function runsAsManyTests({ answer, value }: TestRun, { value: before }: TestRun): boolean {
  if (value === null || before === null || answer.outcome !== 'exited') return false;
  return value.passed >= before.passed && value.failed <= before.failed;
}

/**
 * True if Node's own runner ran the tests, according to their output. It then runs the same files by another command, so
 * the numbers need not be the same: the output counts a test with subtests as well, a report only the subtests.
 */
function usesNodeRunner({ answer }: TestRun): boolean {
  return /^(?:ℹ|#) suites \d+$/m.test(answer.output);
}

/** True if tests passed and no more failed than before. */
function runsTests({ answer, value }: TestRun, { value: before }: TestRun): boolean {
  return answer.outcome === 'exited' && value !== null && value.passed > 0 && value.failed <= (before?.failed ?? 0);
}
