// The tests that can reach a change, as one command, and a lower limit for their duration.

import { isTestEdit } from '../../paths/testEdits.ts';
import { isTypeTest } from '../../paths/tests.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import type { ChosenTests } from './chosenTests.ts';
import { MAX_SHARE } from './reachingTestsFirst.ts';

/** A run of tests with its duration. */
type TimedRun = Pick<ChosenTests['base'], 'value'> & { readonly answer: { readonly millis: number } };

/**
 * The command that runs the tests which reach the edited files, and the tests that the change adds. It runs all tests
 * if the runner cannot select tests, and for Go, whose tests reach all files of the packages that they import.
 */
export async function chooseReachingCommand(run: ChangedRun, chosenTests: ChosenTests): Promise<DetectedCommand> {
  return (await selectTests(run, chosenTests)).command ?? chosenTests.commands.allTests;
}

/**
 * A lower limit for the seconds that `chooseReachingCommand` takes, according to the tests gate. It is the duration of
 * the tests that ran before the change and reach it, or `MAX_SHARE` of all tests if these did not run separately. It is
 * 0 if the command runs only test files that the change adds, whose duration is unknown, and if no run was timed.
 */
export async function estimateLeastSeconds(
  run: ChangedRun & Pick<GateInput, 'verdicts'>,
  chosenTests: Pick<ChosenTests, 'commands' | 'base'>,
): Promise<number> {
  const { reachingSeconds, secondsBefore } = run.verdicts.find(({ gate }) => gate === 'tests')?.evidence ?? {};
  if (typeof reachingSeconds === 'number') return reachingSeconds;
  const { command, knownFiles } = await selectTests(run, chosenTests);
  if (command !== null && knownFiles.length === 0) return 0;
  return typeof secondsBefore === 'number' ? secondsBefore * MAX_SHARE : 0;
}

type ChangedRun = Pick<GateInput, 'context' | 'edits'>;

/**
 * The command for the tests that reach the change; null if all tests must run. `knownFiles`: the test files of the
 * command that ran before the change.
 */
async function selectTests(
  run: ChangedRun,
  { commands, base }: Pick<ChosenTests, 'commands' | 'base'>,
): Promise<{ readonly command: DetectedCommand | null; readonly knownFiles: readonly string[] }> {
  const cases = base.value?.cases ?? [];
  if (cases.some((testCase) => testCase.package !== undefined)) return { command: null, knownFiles: [] };
  const reaching = new Set(await run.context.reachingTests(run.edits.map(({ path }) => path)));
  const knownFiles = cases.flatMap(({ file }) => (file !== null && reaching.has(file) ? [file] : []));
  const changedTestFiles = run.edits.flatMap((edit) => (edit.after !== null && isTestEdit(edit) ? [edit.path] : []));
  const files = [...new Set([...knownFiles, ...changedTestFiles])];
  const runnableFiles = files.filter((path) => !isTypeTest(path));
  return { command: commands.onFiles(runnableFiles.length > 0 ? runnableFiles : files), knownFiles };
}

/**
 * The seconds that the Go tests themselves take, without building their programs, which all mutants share. 0 if
 * unknown. A test includes its subtests (`TestA/b`). Tests that run at the same time take no longer than the whole run.
 */
export function computeTestSeconds({ value, answer }: TimedRun): number {
  const tests = (value?.cases ?? []).filter(({ name }) => !name.includes('/'));
  const totalMillis = tests.reduce((total, { millis }) => total + (millis ?? 0), 0);
  return Math.min(totalMillis, answer.millis) / 1000;
}
