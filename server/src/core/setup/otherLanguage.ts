// Plans the tests of Python, Go and Rust: they use the programs of this machine, and the plan reports missing programs.

import type { Missing } from '../model/setup.ts';
import type { MachineFacts } from '../ports/packages.ts';
import type { SetupFiles } from './manager.ts';
import { createInstallCommand } from './missingDependency.ts';

/** The tests of a language other than JavaScript: their command, and programs that are missing to run them. */
export interface OtherLanguage {
  /** The language; `cargo` means Rust. */
  readonly name: 'python' | 'go' | 'cargo';
  /** Replaces the detected command; null to use the detected one. */
  readonly testCommand: string | null;
  readonly missing: readonly Missing[];
}

/** Matches the settings of a Python project. */
const PYTHON_PATTERN = /(?:^|\/)(?:pyproject\.toml|setup\.py|setup\.cfg|pytest\.ini|tox\.ini)$/;

/**
 * The language of the repository's tests. If they cannot run here, `missing` says why. Null for a repository in none of
 * these languages, or in Python without settings at the root or without tests. `tracked`: paths of the files in version
 * control.
 */
export function detectOtherLanguage(
  tracked: readonly string[],
  files: SetupFiles,
  { programs }: MachineFacts,
): OtherLanguage | null {
  if (files.has('Cargo.toml'))
    return { name: 'cargo', testCommand: null, missing: listMissingProgram(programs, 'cargo', 'Rust') };
  if (files.has('go.mod')) return { name: 'go', testCommand: null, missing: listMissingProgram(programs, 'go', 'Go') };
  const hasTests = tracked.some((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(path));
  if (!tracked.some((path) => !path.includes('/') && PYTHON_PATTERN.test(path)) || !hasTests) return null;
  // In sandboxes, the detected command finds the pytest of the virtual environment first.
  if (programs['pytest of the virtual environment'] !== undefined)
    return { name: 'python', testCommand: null, missing: [] };
  const python = programs['pytest'];
  if (python === undefined)
    return {
      name: 'python',
      testCommand: null,
      missing: [
        {
          what: 'a Python with pytest',
          action:
            `Install pytest, together with what the tests need, into a virtual environment \`.venv\`: ${createInstallCommand(tracked, ['pytest'])}; ` +
            "or from your system's packages (Debian: python3-pytest). Then run `selfware setup` again.",
        },
      ],
    };
  // The variable names the folder of the sources. Otherwise the tests would load an installed copy of the package
  // instead of the changed code.
  const hasSourceFolder = tracked.some((path) => /^src\/[^/]+\/__init__\.py$/.test(path));
  const pythonPath = hasSourceFolder ? 'PYTHONPATH=src' : 'PYTHONPATH=.';
  return {
    name: 'python',
    testCommand: `${pythonPath} ${python} -m pytest -p no:cacheprovider --continue-on-collection-errors`,
    missing: [],
  };
}

/** The missing program of a language, with the next step; empty if this machine has it. */
function listMissingProgram(programs: MachineFacts['programs'], program: string, language: string): readonly Missing[] {
  return programs[program] === undefined
    ? [
        {
          what: `${program}, the tool of ${language}`,
          action: `Install ${language}, then run \`selfware setup\` again.`,
        },
      ]
    : [];
}
