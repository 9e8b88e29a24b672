// The tests that can reach a change, as one command, and a lower limit for their duration.

import { isTestFile, isTypeTest } from '../../paths/tests.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { GateRun } from '../gate.ts';
import type { ChosenTests } from './chosenTests.ts';
import { MAX_SHARE } from './reaching.ts';

/**
 * The command that runs the tests which reach the edited files and those that the change brings. It runs all if the
 * runner cannot select tests, and for Go, whose tests reach all files of the packages that they import.
 */
export async function reachingCommand(
  run: Pick<GateRun, 'context' | 'edits'>,
  { commands, base }: ChosenTests,
): Promise<DetectedCommand> {
  if (base.value?.cases?.some((one) => one.package !== undefined)) return commands.whole;
  const reaching = new Set(await run.context.reachingTests(run.edits.map(({ path }) => path)));
  const known = (base.value?.cases ?? []).flatMap(({ file }) => (file !== null && reaching.has(file) ? [file] : []));
  const brought = run.edits.flatMap(({ path, after }) => (after !== null && isTestFile(path) ? [path] : []));
  const files = [...new Set([...known, ...brought])];
  const running = files.filter((path) => !isTypeTest(path));
  return commands.onFiles(running.length > 0 ? running : files) ?? commands.whole;
}

/**
 * A lower limit for the seconds of the tests that reach the change, according to the tests gate: their own duration,
 * or, if they were too many to run separately, `MAX_SHARE` of all tests. 0 if unknown.
 */
export function leastSeconds(verdicts: GateRun['verdicts']): number {
  const { reachingSeconds, secondsBefore } = verdicts.find(({ gate }) => gate === 'tests')?.evidence ?? {};
  return typeof reachingSeconds === 'number'
    ? reachingSeconds
    : typeof secondsBefore === 'number'
      ? secondsBefore * MAX_SHARE
      : 0;
}

/**
 * The seconds that the tests of Go take themselves, without building their programs, which all mutants share. 0 if
 * unknown. A test includes its subtests (`TestA/b`). Tests that run at the same time take no longer than the whole run.
 */
export function secondsInTests({ value, answer }: TimedRun): number {
  const tests = (value?.cases ?? []).filter(({ name }) => !name.includes('/'));
  const sum = tests.reduce((total, { millis }) => total + (millis ?? 0), 0);
  return Math.min(sum, answer.millis) / 1000;
}

type TimedRun = Pick<ChosenTests['base'], 'value'> & { readonly answer: { readonly millis: number } };
