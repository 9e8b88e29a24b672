// Commands that run tests, their results, and the comparison of two results.

import type { CommandAnswer, CommandResult } from '../commands.ts';
import { REPORT_PATH_MARK } from '../commands.ts';
import type { DetectedCommand } from '../detect/command.ts';
import { detectRunner, type TestRunner } from '../detect/testRunner.ts';
import type { DetectedProject } from '../detect/project.ts';
import type { Service } from '../../model/setup.ts';
import { parseTestOutput } from '../parse/testOutput.ts';
import { parseTestReport } from '../parse/testReport.ts';
import type { TestCase, TestCounts } from '../parse/testCounts.ts';
import { countBy } from '../../../util/values/countBy.ts';

/** A test run with its counts; `value` is null if the counts could not be read. */
export type TestRun = CommandResult<TestCounts | null>;

/** The commands that run the tests of a repository: all of them, or, if the runner allows it, some files. */
export interface TestCommands {
  readonly allTests: DetectedCommand;
  /** The command that runs only these files; null if the runner cannot run single files. */
  onFiles(files: readonly string[]): DetectedCommand | null;
  /** The counts of a run, from its report or its output; null if they cannot be read. */
  parse(answer: CommandAnswer): TestCounts | null;
  /** The same commands with the runner's option to exit when its tests have ended; null if it has no such option. */
  readonly withExitOption: TestCommands | null;
}

/** Creates the commands. A known runner also writes a report. Its output is the fallback. */
export function createTestCommands(
  command: DetectedCommand,
  project: DetectedProject,
  setUp?: TestEnvironment,
): TestCommands {
  return createCommandsFor(command, detectRunner(command, project), setUp);
}

/**
 * The commands with these files in place of all tests; null if no files are named or the runner cannot run single
 * files.
 */
export function limitTestsToFiles(commands: TestCommands, files: readonly string[]): TestCommands | null {
  const commandOnFiles = commands.onFiles(files);
  return commandOnFiles && { ...commands, allTests: commandOnFiles, withExitOption: null };
}

/** The environment of the tests, as found by a set-up. */
export interface TestEnvironment {
  readonly services: readonly Service[];
  readonly values: Readonly<Record<string, string>>;
}

function createCommandsFor(command: DetectedCommand, runner: TestRunner | null, setUp?: TestEnvironment): TestCommands {
  const addEnvironment = (testCommand: DetectedCommand | null): DetectedCommand | null =>
    testCommand && withTestEnvironment(testCommand, setUp);
  return {
    allTests: withTestEnvironment(runner?.withReport(REPORT_PATH_MARK) ?? command, setUp),
    onFiles: (files) => (files.length === 0 ? null : addEnvironment(runner?.onFiles(files, REPORT_PATH_MARK) ?? null)),
    parse: ({ report, output }) =>
      (runner?.format ? parseTestReport(report, runner.format) : null) ?? parseTestOutput(output),
    withExitOption: runner?.withExitOption ? createCommandsFor(command, runner.withExitOption, setUp) : null,
  };
}

/**
 * Returns the command with the services and values of the set-up. The runner's own variables take precedence over these
 * values.
 */
function withTestEnvironment(command: DetectedCommand, setUp: TestEnvironment | undefined): DetectedCommand {
  if (setUp === undefined) return command;
  const { services, values } = setUp;
  return {
    ...command,
    ...(Object.keys(values).length === 0 ? {} : { env: { ...values, ...command.env } }),
    ...(services.length === 0 ? {} : { services }),
  };
}

/** True if the run ended with exit code 0 and without a failed test. */
export function passesAllTests({ answer, value }: TestRun): boolean {
  return answer.outcome === 'exited' && answer.exitCode === 0 && (value?.failed ?? 0) === 0;
}

/** The key of a test. Two tests with the same key are the same test, or cannot be distinguished. */
export function createTestKey({
  file,
  name,
  package: packageName,
}: Pick<TestCase, 'file' | 'name' | 'package'>): string {
  return [file ?? packageName, removeVaryingParts(name)].filter(Boolean).join(' › ');
}

/** Returns the name without parts that differ in every run: long numbers, hashes, identifiers. */
export function removeVaryingParts(name: string): string {
  return name.replace(/\b(?=[0-9a-f-]{0,64}\d)[0-9a-f]{8}[0-9a-f-]*\b|\d{5,}/gi, '#');
}

/** Tests that may count against a change. */
export interface TestRegressions {
  /** Tests that fail with the change, but not without it. */
  readonly failing: readonly TestCase[];
  /** Tests that passed without the change, and did not run or were skipped with it. */
  readonly missing: readonly TestCase[];
  /** The number of tests of each key that passed without the change, for keys of missing tests. */
  readonly passedBefore?: ReadonlyMap<string, number>;
}

/** Compares tests as multisets by their keys; null if one of the runs does not name its tests. */
export function compareTests(before: TestCounts, after: TestCounts): TestRegressions | null {
  if (!before.cases || !after.cases) return null;
  const selectCases = (cases: readonly TestCase[], outcome: TestCase['outcome']) =>
    cases.filter((testCase) => testCase.outcome === outcome);
  const failing = excludeMatching(selectCases(after.cases, 'failed'), selectCases(before.cases, 'failed'));
  const ranCases = [...selectCases(after.cases, 'passed'), ...selectCases(after.cases, 'failed')];
  const passed = selectCases(before.cases, 'passed');
  const missing = excludeMatching(passed, ranCases);
  const counts = countKeys(passed);
  return {
    ...{ failing, missing },
    passedBefore: new Map(missing.map((testCase) => [createTestKey(testCase), counts.get(createTestKey(testCase))!])),
  };
}

/** The number of tests with each key. */
export function countKeys(tests: readonly TestCase[]): ReadonlyMap<string, number> {
  return countBy(tests, createTestKey);
}

/** The tests that are not among `otherTests`. */
function excludeMatching(tests: readonly TestCase[], otherTests: readonly TestCase[]): TestCase[] {
  const remaining = new Map(countKeys(otherTests));
  return tests.filter((test) => {
    const count = remaining.get(createTestKey(test)) ?? 0;
    remaining.set(createTestKey(test), count - 1);
    return count <= 0;
  });
}
