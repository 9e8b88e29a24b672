// Removes linters, formatters and type checkers from a test script: `lint && vitest run && tsd` becomes `vitest run`.

import { createWordSet } from '../../../util/wordSet.ts';
import { isTestData } from '../../paths/tests.ts';
import { createShellCommand, type DetectedCommand } from './command.ts';
import { flattenScript, joinCommands } from './expandScript.ts';
import { detectLauncher, type DetectedProject } from './project.ts';
import { parseShellLine, type ShellCommand } from './shellWords.ts';
import { detectRunner } from './testRunner.ts';

/** Programs that read code and build nothing. */
const CHECKER_PROGRAMS = createWordSet(`
  attw biome commitlint cspell dtslint eclint editorconfig-checker eslint evalmd knip ls-lint markdownlint
  markdownlint-cli2 oxfmt oxlint prettier publint remark semistandard size-limit standard stylelint template-oss-check
  tsd xo
`);
/** Type checkers that also build, unless they are told not to. */
const COMPILER_PROGRAMS = createWordSet('tsc tsgo vue-tsc');
/** Programs that no longer matter once the tests have ended. */
const AFTER_TESTS = createWordSet('codecov coveralls del del-cli rimraf rm');
const PACKAGE_MANAGERS = createWordSet('npm pnpm yarn bun');
const QUIET_OPTIONS = createWordSet('-s --silent --quiet');

/**
 * The test script without its checks, and without builds and cleaning after the tests. For mutants, a test must notice
 * the mistake, but a formatter would reject every mutant. Null if a person has set the command, if its text is not a
 * plain sequence of commands, or if nothing or everything would remain.
 */
export function removeChecks(command: DetectedCommand, project: DetectedProject): DetectedCommand | null {
  const flatCommands = parseScriptCommands(command, project);
  if (!flatCommands) return null;
  const isRunner = (shellCommand: ShellCommand) =>
    detectRunner({ source: '', command: [joinCommands([shellCommand])], shell: true }, project) !== null;
  const lastRunnerIndex = flatCommands.findLastIndex(isRunner);
  const remaining = flatCommands.filter(
    (shellCommand, index) =>
      !isCheck(shellCommand, project) &&
      !(lastRunnerIndex >= 0 && index > lastRunnerIndex && isAfterTests(shellCommand)),
  );
  if (remaining.length === 0 || remaining.length === flatCommands.length) return null;
  return createShellCommand(
    project,
    `${command.source} without its checks`,
    joinCommands(remaining, detectLauncher(project)),
  );
}

/**
 * The commands of a package script, even if other gates run a part of it or it follows a build; null if it is not
 * plain.
 */
export function parseScriptCommands(
  { script, source, shell, command }: DetectedCommand,
  project: DetectedProject,
): readonly ShellCommand[] | null {
  if (script) return flattenScript(project, script.name);
  return source.startsWith('package script') && shell ? parseShellLine(command[0]!) : null;
}

/**
 * True for a linter, a formatter, a type checker, an audit, and a call of a script that contains only such commands.
 */
function isCheck({ words }: ShellCommand, project: DetectedProject): boolean {
  const values = words.map(({ value }) => value);
  const [first = '', ...otherWords] = values[0] === 'npx' ? values.slice(1) : values;
  const name = getProgramName(first);
  if (CHECKER_PROGRAMS.has(name)) return true;
  if (COMPILER_PROGRAMS.has(name))
    return (otherWords.includes('--noEmit') && !otherWords.includes('false')) || compilesTestData(otherWords);
  if (!PACKAGE_MANAGERS.has(name)) return false;
  if (otherWords[0] === 'audit') return true;
  const [run, script, ...otherArguments] = otherWords.filter((word) => !QUIET_OPTIONS.has(word));
  if (script === undefined || otherArguments.length > 0 || (run !== 'run' && run !== 'run-script')) return false;
  const scripts = project.manifest?.scripts ?? {};
  if (scripts[script] === undefined) return false;
  const isOwnCheck = (shellCommand: ShellCommand) => !callsManager(shellCommand) && isCheck(shellCommand, project);
  const calledCommands = flattenScript(project, script);
  if (calledCommands !== null) return calledCommands.length > 0 && calledCommands.every(isOwnCheck);
  const texts = [scripts[`pre${script}`], scripts[script], scripts[`post${script}`]];
  return texts.every((text) => text === undefined || (parseShellLine(text)?.every(isOwnCheck) ?? isOneCheck(text)));
}

/** True for a line that is not plain but only calls one checker, such as `eclint check $(git ls-files | xargs)`. */
function isOneCheck(text: string): boolean {
  const [first = ''] = text.trim().split(/\s+/);
  return CHECKER_PROGRAMS.has(getProgramName(first)) && !/[;&\n]|\|\|/.test(text);
}

/** True for the arguments of a compiler whose project is test data, such as `--project tests/types/tsconfig.json`. */
function compilesTestData(args: readonly string[]): boolean {
  const optionIndex = args.findIndex((word) => word === '-p' || word === '--project');
  const project = optionIndex < 0 ? undefined : args[optionIndex + 1];
  return project !== undefined && isTestData(project.replace(/^\.\//, ''));
}

/**
 * True for a call of a package manager. Such a call within a script is not followed, because scripts may call each
 * other in a cycle.
 */
function callsManager({ words }: ShellCommand): boolean {
  return PACKAGE_MANAGERS.has(getProgramName(words[0]?.value ?? ''));
}

/** True for a program that no longer matters once the tests have ended. */
function isAfterTests({ words }: ShellCommand): boolean {
  const name = getProgramName(words[0]?.value ?? '');
  return COMPILER_PROGRAMS.has(name) || AFTER_TESTS.has(name);
}

/** The name of a program: `npm` for `node_modules/.bin/npm` and for `npm@10`. */
function getProgramName(program: string): string {
  return program.replace(/^.*\//, '').replace(/@.*$/, '');
}
