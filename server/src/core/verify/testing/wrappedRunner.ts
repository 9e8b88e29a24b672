// Finds the test runner behind a program that hides it, such as `ts-scripts test`: the runner on which the repository
// depends, if it runs the same tests when it is called directly.

import { createShellCommand, type DetectedCommand } from '../detect/command.ts';
import { detectLauncher, type DetectedProject } from '../detect/project.ts';
import { detectRunner } from '../detect/testRunner.ts';
import type { ChosenTests } from './chosenTests.ts';

/** Runners that find their tests automatically, by the package that contains each. */
const DIRECT_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['vitest', 'vitest run'],
  ['jest', 'jest'],
]);
/**
 * Programs that run the tests by `node --test`, with the files that each runs if it has no arguments. Node supports
 * patterns since version 21. An older version finds no test, and the chosen command is not replaced.
 */
const NODE_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['borp', "node --test '**/*.test.{js,mjs,cjs,ts,mts,cts}'"],
  ['better-node-test', "NODE_ENV=test node --test '**/*.{test,spec}.{js,ts}'"],
]);

/**
 * The command that calls the runner itself. Null if the runner is already known, if a person has set the command, if it
 * runs in a folder, or if the repository does not depend on exactly one of these runners. Programs around `node --test`
 * count only if there is no other runner.
 */
export function findDirectRunner(command: DetectedCommand, project: DetectedProject): DetectedCommand | null {
  if (command.source === 'setting' || command.cwd !== undefined || detectRunner(command, project)) return null;
  const isInstalled = ([name]: readonly [string, string]) => project.manifest?.dependencies.has(name);
  const directRunners = [...DIRECT_COMMANDS].filter(isInstalled);
  const installedRunners = directRunners.length > 0 ? directRunners : [...NODE_COMMANDS].filter(isInstalled);
  const [first] = installedRunners;
  if (!first || installedRunners.length > 1) return null;
  const [name, line] = first;
  const launcher = NODE_COMMANDS.has(name) ? [] : detectLauncher(project);
  return createShellCommand(project, `the development dependency ${name}`, [...launcher, line].join(' '));
}

/** Runners that try many mutants in one run, by the package that contains each. */
const MULTI_MUTANT_RUNNERS: ReadonlyMap<string, string> = new Map([
  ...DIRECT_COMMANDS,
  ['ava', 'ava'],
  ['mocha', 'mocha'],
]);

/**
 * Describes the setting that makes the runner behind the command known. It names the runner on which the repository
 * depends.
 */
export function formatRunnerAdvice({ manifest }: Pick<DetectedProject, 'manifest'>): string {
  const [, example] = [...MULTI_MUTANT_RUNNERS].find(([name]) => manifest?.dependencies.has(name)) ?? [];
  const forExample = example === undefined ? '' : `, for example \`npx ${example}\``;
  return `Set \`selfware.verify.testCommand\` to the runner itself${forExample}.`;
}

/** The reason why each mutant requires a run of all tests, and the setting that avoids it. */
export function formatAllTestsAdvice({
  chosen: { base },
  project,
}: {
  readonly chosen: Pick<ChosenTests, 'base'>;
  readonly project: DetectedProject;
}): string {
  const seconds = Math.max(1, Math.round(base.answer.millis / 1000));
  return `Each mistake takes a run of all tests (${seconds} s), because the runner behind \`${base.answer.line}\` is not known. ${formatRunnerAdvice(project)}`;
}

/** Minimum number of seconds of a test run for each mutant that is worth an explanation. */
const MIN_SLOW_SECONDS = 5;

/**
 * The reason why few mutants are tried with a runner that needs a separate run of the tests for each mutant; null if
 * the tests are quick.
 */
export function formatSlowTestsAdvice(
  runner: string,
  { chosen: { base } }: { readonly chosen: Pick<ChosenTests, 'base'> },
): string | null {
  const seconds = Math.round(base.answer.millis / 1000);
  return seconds < MIN_SLOW_SECONDS
    ? null
    : `Each mistake takes a run of the tests (${seconds} s), because ${runner} cannot try several in one run. ` +
        'Give the search more time, or name a file.';
}
