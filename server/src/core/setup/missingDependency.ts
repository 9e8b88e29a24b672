// Recognises in the output of tests in Python, Go and Rust that a dependency is not installed, and says what installs it.

import type { Missing } from '../model/setup.ts';

/** Maximum number of files of requirements in one command. */
const MAX_FILES = 3;
/** Programs that install what a lock file names, into `.venv` of the repository. */
const COMMAND_BY_LOCK: readonly (readonly [lock: string, command: string])[] = [
  ['uv.lock', 'uv sync'],
  ['poetry.lock', 'POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install'],
  ['pdm.lock', 'pdm install'],
  ['Pipfile.lock', 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev'],
];
const REQUIREMENTS_PATTERN = /^(?:requirements\/[\w.-]{1,80}|[\w.-]{0,60}requirements[\w.-]{0,60})\.txt$/;
const FOR_TESTS = /dev|test/i;
const MODULE_PATTERN = /ModuleNotFoundError: No module named ['"]([\w.]+)['"]|: No module named ([\w.]+)$/m;
/** Matches the errors of Go about a module, with the command that Go names. */
const GO_PATTERN =
  /no required module provides package (\S+?)[;:]|missing go\.sum entry for (?:go\.mod file|module providing package ([^\s;:]+))|\b(?:module lookup disabled|dial tcp[^\n]{0,80}proxy\.golang\.org|cannot find module providing package (\S+))/;
const GO_COMMAND_PATTERN = /to add(?: it)?:\s{1,20}(go (?:get|mod download) [\w./@~ -]{1,200})/;
const CARGO_PATTERN =
  /no matching package named `([^`]+)` found|failed to (?:get|download|load source for(?: dependency)?) `([^`]+)`|you may (?:wish|want) to .{0,40}without the offline flag|offline mode/;

/** The missing dependency, with the command that installs it; null if the output names none. */
export function findMissingDependency(output: string, tracked: readonly string[]): Missing | null {
  const has = (path: string) => tracked.includes(path);
  const cargo = has('Cargo.toml') ? CARGO_PATTERN.exec(output) : null;
  if (cargo) return createMissing(cargo[1] ?? cargo[2], 'a crate', '`cargo fetch`');
  const go = has('go.mod') ? GO_PATTERN.exec(output) : null;
  if (go) {
    const command = GO_COMMAND_PATTERN.exec(output)?.[1]?.trim() ?? 'go mod download';
    return createMissing(go[1] ?? go[2] ?? go[3], 'a module of Go', `\`${command}\``);
  }
  const python = tracked.some((path) => path.endsWith('.py')) ? MODULE_PATTERN.exec(output) : null;
  if (!python) return null;
  const name = (python[1] ?? python[2])?.split('.')[0];
  return createMissing(name, 'a module of Python', installCommandText(tracked));
}

function createMissing(name: string | undefined, kind: string, command: string): Missing {
  return {
    what: name === undefined ? `${kind} that the tests need` : `\`${name}\`, ${kind} that the tests need`,
    action: `Run ${command}, then \`selfware setup\` again.`,
  };
}

/**
 * The command that installs what Python tests need, in backticks, by the lock file or the requirements that are there.
 * `first`: packages that are needed in any case.
 */
export function installCommandText(tracked: readonly string[], first: readonly string[] = []): string {
  const lock = COMMAND_BY_LOCK.find(([path]) => tracked.includes(path));
  if (lock) return `\`${lock[1]}\``;
  const files = tracked
    .filter((path) => REQUIREMENTS_PATTERN.test(path))
    .toSorted((a, b) => Number(FOR_TESTS.test(b)) - Number(FOR_TESTS.test(a)) || a.localeCompare(b))
    .slice(0, MAX_FILES);
  const isPackage = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((path) => tracked.includes(path));
  const parts = [
    ...first,
    ...files.map((path) => `-r ${path}`),
    ...(isPackage ? ['-e .'] : []),
    ...(files.length === 0 && !isPackage && first.length === 0 ? ['PACKAGE'] : []),
  ];
  return `\`.venv/bin/pip install ${parts.join(' ')}\` (after \`python3 -m venv .venv\`, if there is none)`;
}
