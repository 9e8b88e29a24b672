// Finds the test runner behind a program that hides it, such as `ts-scripts test`: the runner on which the repository
// depends, if it runs the same tests when it is called directly.

import { isBuilt } from '../../paths/builtFiles.ts';
import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { createShellCommand, type DetectedCommand } from '../detect/command.ts';
import { removeCoverageProgram } from '../detect/coverageWords.ts';
import { joinCommands } from '../detect/expandScript.ts';
import { followScripts } from '../detect/followScripts.ts';
import { NODE_OPTIONS_WITH_VALUE } from '../detect/nodeReporters.ts';
import { detectLauncher, type DetectedProject } from '../detect/project.ts';
import { shellQuoteIfNeeded } from '../detect/shellWords.ts';
import { splitWords } from '../detect/splitWords.ts';
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

/** Matches options of Node with which it runs no file, or runs it otherwise. */
const OTHER_MODE_PATTERN = /^(?:-[cep]$|--(?:check|eval|print|test|watch|run)(?:=|$))/;

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

/**
 * `node --test test/index.js` for a command that ends with `node test/index.js`, because `node:test` also works without
 * the option. Null if the command ends otherwise, runs built files, which have no mutants, or runs in a folder, and if a
 * person has set it.
 */
export function findNodeTestCommand(command: DetectedCommand, project: DetectedProject): DetectedCommand | null {
  if (command.source === 'setting' || command.cwd !== undefined) return null;
  const line = command.shell ? command.command[0]! : command.command.map(shellQuoteIfNeeded).join(' ');
  const followed = followToProgram(line, project, command.script ? 1 : 0);
  const { environment = [], words = [] } = followed?.lastCommand ?? {};
  const [program, ...programArguments] = words;
  if (!followed || followed.isPiped || program?.value !== 'node') return null;
  const { others, options } = splitWords(programArguments, NODE_OPTIONS_WITH_VALUE, new Set());
  const areSources = others.every((path) => SCRIPT_PATTERN.test(path) && !isBuilt(path));
  if (others.length === 0 || !areSources || options.some((option) => OTHER_MODE_PATTERN.test(option))) return null;
  const commandWords = [...environment, 'node', '--test', ...programArguments.map(({ text }) => text)];
  return createShellCommand(project, `the files that \`${line}\` runs`, commandWords.join(' '));
}

/** Follows the scripts at the end of a line, also behind a program that measures coverage (`c8 npm run test-api`). */
function followToProgram(line: string, project: DetectedProject, depth: number): ReturnType<typeof followScripts> {
  const scripts = project.manifest?.scripts ?? {};
  const followed = followScripts(line, scripts, depth);
  const words = followed && removeCoverageProgram(followed.lastCommand.words);
  return words ? followScripts(joinCommands([{ ...followed.lastCommand, words }]), scripts, followed.depth) : followed;
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
