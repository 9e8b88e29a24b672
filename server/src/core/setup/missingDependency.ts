// Recognises in the output of tests in Python, Go and Rust that a dependency is not installed, and names the command
// that installs it.

import type { Missing } from '../model/setup.ts';

/** Maximum number of requirements files in one command. */
const MAX_FILES = 3;
/** Commands that install the packages of a lock file into `.venv` of the repository, by lock file. */
const COMMAND_BY_LOCK: readonly (readonly [lock: string, command: string])[] = [
  ['uv.lock', 'uv sync'],
  ['poetry.lock', 'POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install'],
  ['pdm.lock', 'pdm install'],
  ['Pipfile.lock', 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev'],
];
/** Matches requirements files at the root of the repository, and in its folder `requirements`. */
const REQUIREMENTS_PATTERN = /^(?:requirements\/[\w.-]{1,80}|[\w.-]{0,60}requirements[\w.-]{0,60})\.txt$/;
/** Matches requirements files for development or tests, which come first. */
const TEST_REQUIREMENTS_PATTERN = /(?<![a-z])(?:dev|tests?)(?![a-z])/i;
/** Captures the module that Python does not find. */
const MODULE_PATTERN = /ModuleNotFoundError: No module named ['"]([\w.]+)['"]|: No module named ([\w.]+)$/m;
/** Matches the errors of Go about a module that is missing or cannot be downloaded. */
const GO_PATTERN =
  /no required module provides package (\S+?)[;:]|missing go\.sum entry for (?:go\.mod file|module providing package ([^\s;:]+))|\b(?:module lookup disabled|dial tcp[^\n]{0,80}proxy\.golang\.org|cannot find module providing package (\S+))/;
/** Captures the command that Go suggests. */
const GO_COMMAND_PATTERN = /to add(?: it)?:\s{1,20}(go (?:get|mod download) [\w./@~ -]{1,200})/;
/** Matches the errors of Cargo about a package that is missing or cannot be downloaded. */
const CARGO_PATTERN =
  /no matching package named `([^`]+)` found|failed to (?:get|download|load source for(?: dependency)?) `([^`]+)`|you may (?:wish|want) to .{0,40}without the offline flag|offline mode/;
/** Matches the error messages of Cargo itself. */
const CARGO_ERROR_PATTERN = /^error(?:\[\w{1,10}\])?:.*$|^Caused by:(?:\n {2}.*)+/gm;

/**
 * The missing dependency, with the command that installs it; null if the output names none. `tracked`: paths of the
 * files in version control.
 */
export function findMissingDependency(output: string, tracked: readonly string[]): Missing | null {
  const isTrackedPath = (path: string) => tracked.includes(path);
  const cargoErrors = isTrackedPath('Cargo.toml') ? (output.match(CARGO_ERROR_PATTERN) ?? []).join('\n') : '';
  const cargoMatch = CARGO_PATTERN.exec(cargoErrors);
  if (cargoMatch) return createMissing(cargoMatch[1] ?? cargoMatch[2], 'a crate', '`cargo fetch`');
  const goMatch = isTrackedPath('go.mod') ? GO_PATTERN.exec(output) : null;
  if (goMatch) {
    const command = GO_COMMAND_PATTERN.exec(output)?.[1]?.trim() ?? 'go mod download';
    return createMissing(goMatch[1] ?? goMatch[2] ?? goMatch[3], 'a module of Go', `\`${command}\``);
  }
  const pythonMatch = tracked.some((path) => path.endsWith('.py')) ? MODULE_PATTERN.exec(output) : null;
  if (!pythonMatch) return null;
  const module = (pythonMatch[1] ?? pythonMatch[2])!;
  const name = module.split('.')[0]!;
  if (isTrackedModule(name, tracked))
    return {
      what: `\`${module}\`, which the tests import and do not find, although \`${name}\` is code of this repository`,
      action: `Correct the import path: run the tests from the folder that contains \`${name}\`, name this folder in \`PYTHONPATH\`, or correct the import. Then run \`selfware setup\` again.`,
    };
  return createMissing(name, 'a module of Python', createInstallCommand(tracked, [], name));
}

/** True for a module of Python whose first part is a file or folder of the repository, at the root or below `src`. */
function isTrackedModule(name: string, tracked: readonly string[]): boolean {
  const sources = tracked.filter((path) => path.endsWith('.py'));
  return sources.some((path) => {
    const [first, second] = path.replace(/^src\//, '').split('/');
    return first === `${name}.py` || (first === name && second !== undefined) || path.startsWith(`${name}/`);
  });
}

function createMissing(name: string | undefined, kind: string, command: string): Missing {
  return {
    what: name === undefined ? `${kind} that the tests need` : `\`${name}\`, ${kind} that the tests need`,
    action: `Run ${command}, then \`selfware setup\` again.`,
  };
}

/**
 * The command that installs what Python tests need, in backticks, according to the existing lock file or requirements.
 * `requiredPackages`: packages that are needed in any case, unless there is a lock file. `module`: the missing module,
 * which is named if no file and no required package says what to install.
 */
export function createInstallCommand(
  tracked: readonly string[],
  requiredPackages: readonly string[] = [],
  module = 'PACKAGE',
): string {
  const lock = COMMAND_BY_LOCK.find(([path]) => tracked.includes(path));
  if (lock) return `\`${lock[1]}\``;
  const files = tracked
    .filter((path) => REQUIREMENTS_PATTERN.test(path))
    .toSorted(
      (a, b) =>
        Number(TEST_REQUIREMENTS_PATTERN.test(b)) - Number(TEST_REQUIREMENTS_PATTERN.test(a)) || a.localeCompare(b),
    )
    .slice(0, MAX_FILES);
  const isPackage = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((path) => tracked.includes(path));
  const parts = [
    ...requiredPackages,
    ...files.map((path) => `-r ${path}`),
    ...(isPackage ? ['-e .'] : []),
    ...(files.length === 0 && !isPackage && requiredPackages.length === 0 ? [module] : []),
  ];
  return `\`.venv/bin/pip install ${parts.join(' ')}\` (after \`python3 -m venv .venv\`, if there is none)`;
}
