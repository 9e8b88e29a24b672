// Linters of languages other than TypeScript and JavaScript. Detects which ones are configured and where they run, and
// builds their commands.

import {
  readClippyFindings,
  readGoFindings,
  readGolangciFindings,
  readRuffFindings,
} from '../linters/languageFindings.ts';
import { toProblems } from '../linters/findings.ts';
import { createMachineCommand } from './command.ts';
import { protectPath, limitLintToFiles, type Linter, type LinterKind } from './lintCommand.ts';
import { GOLANGCI_FILES, type DetectedProject, type ReadableTree } from './project.ts';

/** The detection and the command of a linter. */
export interface LanguageLinter {
  readonly looksAt: RegExp;
  /** Names of files that mark the folder from which the linter runs. */
  readonly markerFiles: readonly string[];
  /**
   * The folder in which the linter runs: the nearest or the outermost of the marked folders around a source. The
   * workspace of the outermost folder contains the other ones.
   */
  readonly home: 'nearest' | 'outermost';
  /** True if the team has chosen this linter for the folder. `read` returns the text of a file in the folder. */
  isChosenBy(read: (path: string) => Promise<string | null>): Promise<boolean>;
  createLinter(project: DetectedProject): Linter;
}

const RUFF_FILES = ['ruff.toml', '.ruff.toml'];
/**
 * Matches a configuration of golangci-lint for version 2. Since that version, a configuration states its major version.
 */
const GOLANGCI_VERSION_2 =
  /^["']?version["']?[ \t]{0,20}[:=][ \t]{0,20}["']?2\b|[{,]\s{0,20}"version"[ \t]{0,20}:[ \t]{0,20}"2"/m;
/**
 * Matches the key `custom`, which loads linters from shared libraries that the repository may have built, and escapes,
 * which may hide the key.
 */
const GOLANGCI_CUSTOM = /(?<![-\w])custom(?![-\w])|\\(?:[uUx]|\r?\n)/i;
const CLIPPY_FILES = ['clippy.toml', '.clippy.toml'];
/** Files whose attributes switch the lints of a crate on and off. */
const CRATE_ROOTS = ['src/lib.rs', 'src/main.rs'];

/** True if one of the files exists and its text matches. */
const matchesAny = async (
  read: (path: string) => Promise<string | null>,
  paths: readonly string[],
  pattern: RegExp,
): Promise<boolean> => (await Promise.all(paths.map(read))).some((text) => text !== null && pattern.test(text));

/** The linters, in the order in which they are tried. */
export const languageLinters: readonly LanguageLinter[] = [
  {
    looksAt: /\.pyi?$/,
    markerFiles: [...RUFF_FILES, 'pyproject.toml'],
    home: 'outermost',
    isChosenBy: async (read) =>
      (await matchesAny(read, RUFF_FILES, /^/)) || matchesAny(read, ['pyproject.toml'], /^[^\S\n]*\[tool\.ruff[\].]/m),
    createLinter: (project) =>
      limitLintToFiles(
        {
          kind: 'ruff',
          name: 'Ruff',
          looksAt: /\.pyi?$/,
          parse: (output) => toProblems(readRuffFindings(output)),
          printsJson: true,
        },
        (paths) =>
          createMachineCommand(
            project,
            'Ruff',
            'ruff',
            'check',
            '--output-format=json',
            '--no-cache',
            ...paths.map(protectPath),
          ),
      ),
  },
  {
    looksAt: /\.rs$/,
    markerFiles: ['Cargo.toml'],
    home: 'outermost',
    isChosenBy: async (read) =>
      (await matchesAny(read, CLIPPY_FILES, /^/)) ||
      (await matchesAny(read, ['Cargo.toml'], /^[^\S\n]*\[(?:workspace\.)?lints\.clippy\]/m)) ||
      matchesAny(read, CRATE_ROOTS, /\bclippy::/),
    // Clippy checks crates rather than files, and reports paths relative to the folder of the workspace.
    createLinter: (project) =>
      limitLintToFiles(
        {
          kind: 'clippy',
          name: 'Clippy',
          looksAt: /\.rs$/,
          parse: (output) => toProblems(readClippyFindings(output)),
          printsJson: true,
        },
        () =>
          createMachineCommand(
            project,
            'Clippy',
            'cargo',
            'clippy',
            '--workspace',
            '--offline',
            '--quiet',
            '--message-format=json',
          ),
      ),
  },
  // Version 1 of golangci-lint, and then version 2.
  createGolangciLinter(['--out-format=json'], (config) => !GOLANGCI_VERSION_2.test(config)),
  createGolangciLinter(['--output.json.path=stdout', '--show-stats=false'], (config) =>
    GOLANGCI_VERSION_2.test(config),
  ),
  createGoLinter('vet', 'vet', false),
  createGoLinter('fix', 'gofix', true),
];

/**
 * Creates golangci-lint in one of its major versions, which have different options and reject each other's
 * configuration. `isForVersion`: true for a configuration of this version. The linter itself fixes its problems.
 */
function createGolangciLinter(
  outputOptions: readonly string[],
  isForVersion: (config: string) => boolean,
): LanguageLinter {
  const looksAt = /\.go$/;
  return {
    looksAt,
    markerFiles: GOLANGCI_FILES,
    home: 'nearest',
    isChosenBy: async (read) => {
      const configs = (await Promise.all(GOLANGCI_FILES.map(read))).filter((text) => text !== null);
      // golangci-lint checks packages of the module in its folder, and reads the first of these files.
      const isConfigured = configs[0] !== undefined && isForVersion(configs[0]) && (await read('go.mod')) !== null;
      return isConfigured && !configs.some((text) => GOLANGCI_CUSTOM.test(text));
    },
    createLinter: (project) =>
      limitLintToFiles(
        {
          kind: 'golangci',
          name: 'golangci-lint',
          looksAt,
          parse: (output) => toProblems(readGolangciFindings(output)),
          printsJson: true,
        },
        (paths) =>
          createMachineCommand(
            project,
            'golangci-lint',
            'golangci-lint',
            'run',
            ...GOLANGCI_FILES.filter((file) => project.files.has(file))
              .slice(0, 1)
              .map((file) => `--config=${file}`),
            ...outputOptions,
            '--fix=false',
            '--max-issues-per-linter=0',
            '--max-same-issues=0',
            ...listGoPackages(paths),
          ),
      ),
  };
}

function createGoLinter(verb: 'vet' | 'fix', kind: LinterKind, suggests: boolean): LanguageLinter {
  const looksAt = /\.go$/;
  return {
    looksAt,
    markerFiles: ['go.mod'],
    home: 'nearest',
    // `go test` runs a part of `go vet` anyway, so these linters are used in every Go project.
    isChosenBy: () => Promise.resolve(true),
    createLinter: (project) =>
      limitLintToFiles(
        {
          kind,
          name: `go ${verb}`,
          looksAt,
          parse: (output) => toProblems(readGoFindings(output)),
          printsJson: false,
          suggests,
        },
        (paths) => createMachineCommand(project, `go ${verb}`, 'go', verb, '-json', ...listGoPackages(paths)),
      ),
  };
}

/**
 * The folder in which the linter runs for a file, relative to the work tree. Null if there is none, or if the team has
 * not chosen the linter there.
 */
export async function findLinterFolder(
  { markerFiles, home, isChosenBy }: LanguageLinter,
  path: string,
  worktree: ReadableTree,
): Promise<string | null> {
  const folders = listFoldersAround(path);
  for (const folder of home === 'nearest' ? folders : folders.toReversed()) {
    const pathInFolder = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    const isMarked = (await Promise.all(markerFiles.map((mark) => worktree.exists(pathInFolder(mark))))).includes(true);
    if (!isMarked) continue;
    const isChosen = await isChosenBy(async (name) => {
      const bytes = await worktree.read(pathInFolder(name));
      return bytes && new TextDecoder().decode(bytes);
    });
    if (isChosen) return folder;
  }
  return null;
}

/** Packages of Go files in the form that `go` takes, relative to the module. */
export function listGoPackages(paths: readonly string[]): readonly string[] {
  return [
    ...new Set(paths.map((path) => `./${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`.replace(/^\.\/$/, '.'))),
  ].sort();
}

/** The folder of the file and all folders above it, up to the root. */
function listFoldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return Array.from({ length: parts.length + 1 }, (_, levelsUp) => parts.slice(0, parts.length - levelsUp).join('/'));
}
