// Chooses the command that runs the tests: the detected one, the same after the package script `build` if they need its
// output, or one with an option to exit if they hang.

import { detectTests } from '../detect/testCommand.ts';
import { addBuildFirst } from '../detect/buildFirst.ts';
import type { DetectedCommand } from '../detect/command.ts';
import { removeChecks } from '../detect/removeChecks.ts';
import { classifyFailure } from '../claims/failures.ts';
import type { DetectedProject } from '../detect/project.ts';
import type { GateInput } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { limitTestsToFiles, createTestCommands, type TestCommands, type TestRun } from './testRun.ts';

/** The command that runs the tests, with its result on the base. */
export interface ChosenTests {
  readonly command: DetectedCommand;
  readonly commands: TestCommands;
  /** The run without the change: of all tests, or of the requested files. */
  readonly base: TestRun;
  /** True if `commands.allTests` runs only the test files that the context names. */
  readonly isPart?: true;
}

/** The part of a gate's run that is needed for the choice. */
export type ChoosingRun = Pick<GateInput, 'context' | 'project' | 'base' | 'rerun'>;

/**
 * Key of the stored choices. They do not depend on the tree, and are valid as long as the name of the package and its
 * scripts are the same, because a folder of stored results may contain results of several repositories.
 */
const CHOICES_KEY = 'test command';
/**
 * Key of the stored answers to whether the runner needs its option to exit. Like the choices, they are valid as long as
 * the name of the package and its scripts are the same.
 */
const ENDLESS_TESTS_KEY = 'tests that do not end by themselves';

/**
 * A share of the tests that ran. If no more than this share fails, a build is tried only if one of them lacks a file or
 * a module.
 */
const MAX_FAILURE_SHARE = 0.1;

/**
 * Chooses the command and runs it on the base; null if no tests are known. Git ignores build output, so a new work tree
 * does not contain it. If the tests seem to lack this output, the build is tried, once for the scripts of a repository.
 * It is used if fewer tests fail with it and at least as many pass, or if some pass with it and the run without it has
 * no counts. `files`: the test files to run. All tests run if it is absent, if the runner cannot run single files, or
 * if none of their tests passes.
 */
export async function chooseTests(
  run: ChoosingRun,
  signal: AbortSignal,
  files: readonly string[] = [],
): Promise<ChosenTests | null> {
  const project = await run.project();
  const { baseline, setUp } = run.context;
  const tests = detectSettableTests(run.context, project);
  if (!tests) return null;
  const { command, built, scriptsKey } = tests;
  const choose = async (chosenCommand: DetectedCommand): Promise<ChosenTests> => {
    const commands = createTestCommands(chosenCommand, project, setUp);
    return { command: chosenCommand, ...(await addExitOption(run, commands, files, scriptsKey, signal)) };
  };
  const buildHelps = built === null ? false : await baseline.find<boolean>(CHOICES_KEY, scriptsKey);
  const plainTests = await choose(buildHelps && built ? built : command);
  if (built === null || buildHelps !== undefined || !mayNeedBuild(plainTests.base))
    return retryWithoutChecks(plainTests, project, choose);
  const afterBuild = await choose(built);
  const buildHelpsNow = hasFewerFailures(afterBuild.base, plainTests.base);
  // If a build does not help some of the tests, it may still help the others.
  if (afterBuild.base.answer.outcome === 'exited' && (buildHelpsNow || !afterBuild.isPart))
    await baseline.keep(CHOICES_KEY, scriptsKey, buildHelpsNow);
  return retryWithoutChecks(buildHelpsNow ? afterBuild : plainTests, project, choose);
}

/**
 * Runs the tests without the checks before them if these checks prevent all tests on this machine, such as an audit
 * that needs a network, or a linter that is not installed.
 */
async function retryWithoutChecks(
  chosenTests: ChosenTests,
  project: DetectedProject,
  choose: (command: DetectedCommand) => Promise<ChosenTests>,
): Promise<ChosenTests> {
  if ((chosenTests.base.value?.passed ?? 0) > 0 || chosenTests.base.answer.outcome === 'timedOut') return chosenTests;
  const command = removeChecks(chosenTests.command, project);
  const chosenCommand = command && (await choose(command));
  return chosenCommand && (chosenCommand.base.value?.passed ?? 0) > 0 ? chosenCommand : chosenTests;
}

/**
 * The commands as far as they are known without a run: from an earlier choice, otherwise the plain command. Null if no
 * tests are known.
 */
export async function readKnownTests(run: Pick<ChoosingRun, 'context' | 'project'>): Promise<TestCommands | null> {
  const project = await run.project();
  const { baseline, setUp } = run.context;
  const tests = detectSettableTests(run.context, project);
  if (!tests) return null;
  const { command, built, scriptsKey } = tests;
  const isBuilt = built !== null && (await baseline.find<boolean>(CHOICES_KEY, scriptsKey)) === true;
  const chosenCommand = isBuilt ? built : command;
  const commands = createTestCommands(chosenCommand, project, setUp);
  const endsByItself =
    commands.withExitOption !== null && (await baseline.find<boolean>(ENDLESS_TESTS_KEY, scriptsKey)) === true;
  return endsByItself ? commands.withExitOption! : commands;
}

/**
 * The command that `chooseTests` would choose, if that is known without a run: the plain one, or the one after a build
 * that is known to help. Null if no tests are known, if a person has set the command, or if it needs its option to
 * exit.
 */
export async function findSettledCommand(
  run: Pick<ChoosingRun, 'context' | 'project'>,
): Promise<DetectedCommand | null> {
  const tests = detectSettableTests(run.context, await run.project());
  if (!tests || tests.isSet) return null;
  const { baseline } = run.context;
  const { command, built, scriptsKey } = tests;
  if ((await baseline.find<boolean>(ENDLESS_TESTS_KEY, scriptsKey)) === true) return null;
  return built !== null && (await baseline.find<boolean>(CHOICES_KEY, scriptsKey)) === true ? built : command;
}

/**
 * The commands after a build, if it is not known yet whether that helps, and this run may need it; otherwise null.
 * `keep`: stores that the build helps.
 */
export async function findUntriedBuild(
  run: Pick<ChoosingRun, 'context' | 'project'>,
  plainTests: TestRun,
): Promise<{ readonly commands: TestCommands; keep(): Promise<void> } | null> {
  const project = await run.project();
  const { baseline, setUp } = run.context;
  const tests = detectSettableTests(run.context, project);
  if (!tests?.built || !mayNeedBuild(plainTests)) return null;
  if ((await baseline.find<boolean>(CHOICES_KEY, tests.scriptsKey)) !== undefined) return null;
  return {
    commands: createTestCommands(tests.built, project, setUp),
    keep: () => baseline.keep(CHOICES_KEY, tests.scriptsKey, true),
  };
}

/**
 * The command that is set or detected, the same after a build if one may help, and the key of its stored choices; null
 * if no tests are known.
 */
function detectSettableTests({ settings, setUp }: ChoosingRun['context'], project: DetectedProject) {
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  const command = detectTests(project, setting);
  if (!command) return null;
  const isSet = setting.trim() !== '';
  const scriptsKey = JSON.stringify([
    project.folder,
    project.manifest?.name ?? null,
    project.manifest?.scripts,
    ...(isSet ? [setting] : []),
  ]);
  return { command, scriptsKey, isSet, built: isSet ? null : addBuildFirst(project, command) };
}

/**
 * Handles tests that leave a timer or a connection open even without the change: the runner then waits until it is
 * stopped, although all tests are reported. If the runner has an option to exit, it is used from then on.
 */
async function addExitOption(
  { base, context: { baseline, testFiles = [] } }: ChoosingRun,
  commands: TestCommands,
  files: readonly string[],
  scriptsKey: string,
  signal: AbortSignal,
): Promise<Omit<ChosenTests, 'command'>> {
  const choose = async (commandsToUse: TestCommands): Promise<Omit<ChosenTests, 'command'>> => {
    const limitedCommands = limitTestsToFiles(commandsToUse, testFiles);
    const onFiles = limitedCommands?.allTests ?? commandsToUse.onFiles(files);
    const part = onFiles && (await base(onFiles, commandsToUse.parse, signal));
    if (limitedCommands && part) return { commands: limitedCommands, base: part, isPart: true };
    // Some runners reject all files because of one without tests.
    const isUseful = part?.value && part.value.passed > 0;
    return {
      commands: commandsToUse,
      base: isUseful ? part : await base(commandsToUse.allTests, commandsToUse.parse, signal),
    };
  };
  const { withExitOption: commandsWithExit } = commands;
  if (!commandsWithExit) return choose(commands);
  const exitHelps = await baseline.find<boolean>(ENDLESS_TESTS_KEY, scriptsKey);
  if (exitHelps) return choose(commandsWithExit);
  const plainTests = await choose(commands);
  if (exitHelps === false || plainTests.base.answer.outcome !== 'timedOut' || !plainTests.base.value?.cases)
    return plainTests;
  const withExit = await choose(commandsWithExit);
  const exitOptionHelps = withExit.base.answer.outcome === 'exited';
  await baseline.keep(ENDLESS_TESTS_KEY, scriptsKey, exitOptionHelps);
  return exitOptionHelps ? withExit : plainTests;
}

/**
 * An estimate for the run of these test files, by their share of the tests. It is at most the duration of all tests, in
 * seconds.
 */
export function estimateSeconds(
  { commands, base }: Pick<ChosenTests, 'commands' | 'base'>,
  files: readonly string[],
): number {
  const seconds = base.answer.millis / 1000;
  const cases = base.value?.cases ?? [];
  if (cases.length === 0 || commands.onFiles(files) === null) return seconds;
  const wantedFiles = new Set(files);
  return (seconds * cases.filter(({ file }) => file === null || wantedFiles.has(file)).length) / cases.length;
}

/** True if a build may help: no test passes, many fail, or one did not find a file or a module. */
function mayNeedBuild({ answer, value }: TestRun): boolean {
  // A missing program may be one that the build creates.
  if (answer.missing !== undefined) return true;
  if (answer.outcome !== 'exited') return false;
  if (value === null) return answer.exitCode !== 0;
  const { passed, failed, cases } = value;
  return passed === 0 || failed > (passed + failed) * MAX_FAILURE_SHARE || (cases ?? []).some(failsByMissingFile);
}

/** True for a case that failed because a file or a module was not found. */
function failsByMissingFile({ failure = '' }: TestCase): boolean {
  return /\bENOENT\b/.test(failure) || classifyFailure(failure, () => true) === 'loading';
}

/**
 * True if some tests pass and the other run has no counts. Otherwise true if fewer tests fail than in that run and at
 * least as many pass.
 */
export function hasFewerFailures({ value }: TestRun, { value: before }: TestRun): boolean {
  if (value === null || value.passed === 0) return false;
  return before === null || (value.failed < before.failed && value.passed >= before.passed);
}
