// Finds the command that runs the tests of a repository.

import {
  createCommandFromSetting,
  createShellCommand,
  findPackageScript,
  createMachineCommand,
  type DetectedCommand,
} from './command.ts';
import { removeSeparatelyCheckedTools } from './removeOtherGates.ts';
import { expandToLine } from './expandScript.ts';
import { removeWatching, runsTests, watchesFiles } from './testScripts.ts';
import { detectPackageManager, PYTHON_TESTS, type DetectedProject } from './project.ts';

/**
 * Names of test scripts, the preferred one first. If there is a `test:unit`, `test` often also runs tests that need a
 * browser or a network.
 */
const TEST_SCRIPTS = ['test:unit', 'test'];
/** Names of scripts that run the tests once in repositories whose `test` watches files. */
const SINGLE_RUN_SCRIPTS = ['test:run', 'test:ci', 'test-ci', 'test:once', 'ci:test'];

/**
 * Finds the test command in this order: the setting; the package script `test:unit` or `test`, or one that runs the
 * tests once if these watch files; cargo, go and pytest,
 * recognised by their files or by their test files; the scripts `test` of npm workspaces. Null if no tests are known.
 */
export function detectTests(project: DetectedProject, setting: string): DetectedCommand | null {
  return (
    createCommandFromSetting(setting) ??
    findScriptCommand(project) ??
    findCommandOfOtherLanguage(project) ??
    findWorkspacesCommand(project)
  );
}

function findScriptCommand(project: DetectedProject): DetectedCommand | null {
  const canRun = (script: string) => runsTests(project.manifest?.scripts[script]);
  const firstName = TEST_SCRIPTS.find(canRun);
  if (firstName === undefined) return null;
  const name = [...TEST_SCRIPTS, ...SINGLE_RUN_SCRIPTS].find(
    (script) => canRun(script) && !watchesFiles(expandToLine(project, script)),
  );
  if (name === undefined)
    return createShellCommand(
      project,
      `package script "${firstName}" without watching files`,
      removeWatching(expandToLine(project, firstName)),
    );
  const remainingCommand = removeSeparatelyCheckedTools(project, name);
  return remainingCommand === null
    ? findPackageScript(project, name)
    : createShellCommand(project, `package script "${name}" without what other gates check`, remainingCommand);
}

/**
 * The command for the tests of all packages. npm continues after a package that fails, and skips packages without
 * tests.
 */
function findWorkspacesCommand(project: DetectedProject): DetectedCommand | null {
  if (project.folder !== '' || !project.hasTestedWorkspace || detectPackageManager(project) !== 'npm') return null;
  return createShellCommand(project, 'the scripts "test" of the workspaces', 'npm run test --workspaces --if-present');
}

/**
 * Without this option, pytest runs no tests at all if one test file cannot be imported, for example because a package
 * is missing.
 */
const CONTINUE_AFTER_ERRORS = '--continue-on-collection-errors';

function findCommandOfOtherLanguage(project: DetectedProject): DetectedCommand | null {
  const { files, pyproject } = project;
  if (files.has('Cargo.toml'))
    return createMachineCommand(project, 'Cargo.toml', 'cargo', 'test', '--no-fail-fast', '--offline');
  if (files.has('go.mod')) return createMachineCommand(project, 'go.mod', 'go', 'test', '-v', './...');
  const marker =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].find((name) => files.has(name)) ??
    (pyproject?.includes('[tool.pytest') ? 'pyproject.toml' : null) ??
    findPythonManifest(project) ??
    (files.has(PYTHON_TESTS) ? PYTHON_TESTS : null);
  if (marker === null) return null;
  // Without these folders, an installed copy of the package would be tested instead of the candidate.
  const PYTHONPATH = files.has('src') ? 'src:.' : '.';
  return {
    ...createMachineCommand(project, marker, 'pytest', '-p', 'no:cacheprovider', CONTINUE_AFTER_ERRORS),
    env: { PYTHONPATH },
  };
}

/**
 * The file that describes a Python package with a folder of tests; null if there is none, or if there is a
 * package.json. pytest also runs tests of unittest.
 */
function findPythonManifest({ files, pyproject, manifest }: DetectedProject): string | null {
  if (manifest !== null || !['tests', 'test'].some((name) => files.has(name))) return null;
  return pyproject === null
    ? (['setup.cfg', 'setup.py', 'tox.ini'].find((name) => files.has(name)) ?? null)
    : 'pyproject.toml';
}
