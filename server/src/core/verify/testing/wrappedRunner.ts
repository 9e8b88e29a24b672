// Finds the test runner behind a program that hides it, such as `ts-scripts test`: the one that the repository asks
// for, if by itself it runs the same tests.

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
 * Programs that run the tests by `node --test`, with the files that each runs if it is given none. Node understands
 * patterns from version 21 on; an older one finds no test, and the command that was chosen stays.
 */
const NODE_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['borp', "node --test '**/*.test.{js,mjs,cjs,ts,mts,cts}'"],
]);

/**
 * The command that calls the runner itself. Null if the runner is known anyway, if a person has set the command, if it
 * runs in a folder, or if the repository does not ask for exactly one of these runners. Programs around `node --test`
 * count only without any other.
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

/** Runners that try many mistakes in one run, by the package that contains each. */
const QUICK: ReadonlyMap<string, string> = new Map([...DIRECT_COMMANDS, ['ava', 'ava'], ['mocha', 'mocha']]);

/** The setting that makes the runner behind the command known; it names the runner that the repository asks for. */
export function runnerAdvice({ manifest }: Pick<DetectedProject, 'manifest'>): string {
  const [, example] = [...QUICK].find(([name]) => manifest?.dependencies.has(name)) ?? [];
  const forExample = example === undefined ? '' : `, for example \`npx ${example}\``;
  return `Set \`selfware.verify.testCommand\` to the runner itself${forExample}.`;
}

/** The reason why each mistake takes a run of all tests, and the setting that avoids it. */
export function allTestsAdvice({
  chosen: { base },
  project,
}: {
  readonly chosen: Pick<ChosenTests, 'base'>;
  readonly project: DetectedProject;
}): string {
  const seconds = Math.max(1, Math.round(base.answer.millis / 1000));
  return `Each mistake takes a run of all tests (${seconds} s), because the runner behind \`${base.answer.line}\` is not known. ${runnerAdvice(project)}`;
}

/** Number of seconds from which a run of the tests for each mistake is worth an explanation. */
const MIN_SLOW_SECONDS = 5;

/** The reason why few mistakes are tried with a runner that needs a run of the tests for each; null for quick tests. */
export function slowTestsAdvice(
  runner: string,
  { chosen: { base } }: { readonly chosen: Pick<ChosenTests, 'base'> },
): string | null {
  const seconds = Math.round(base.answer.millis / 1000);
  return seconds < MIN_SLOW_SECONDS
    ? null
    : `Each mistake takes a run of the tests (${seconds} s), because ${runner} cannot try several in one run. ` +
        'Give the search more time, or name a file.';
}
