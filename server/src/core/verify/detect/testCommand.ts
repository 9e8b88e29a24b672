// Finds the command that runs the tests of a repository.

import {
  createCommandFromSetting,
  createShellCommand,
  findPackageScript,
  createMachineCommand,
  type DetectedCommand,
} from './command.ts';
import { removeSeparatelyCheckedTools } from './removeOtherGates.ts';
import { detectPackageManager, PYTHON_TESTS, runsTests, type DetectedProject } from './project.ts';

/**
 * Names of test scripts, the preferred one first. If there is a `test:unit`, `test` often also runs tests that need a
 * browser or a network.
 */
const TEST_SCRIPTS = ['test:unit', 'test'];

/**
 * Finds the test command in this order: the setting; the package script `test:unit` or `test`; cargo, go and pytest,
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
  const name = TEST_SCRIPTS.find((script) => runsTests(project.manifest?.scripts[script]));
  if (name === undefined) return null;
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
