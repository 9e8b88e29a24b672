// Finds the linter that checks the touched files of a repository.

import { parseBiome, parseEslint, parseOxlint, parseStylish } from '../parse/lintProblems.ts';
import type { Problem } from '../parse/problem.ts';
import {
  createCommandFromSetting,
  findPackageScript,
  createRepositoryCommand,
  type DetectedCommand,
} from './command.ts';
import {
  configuresBiome,
  configuresEslint,
  configuresOxlint,
  hasBiome,
  hasEslint,
  hasOxlint,
  hasXo,
  configuresXo,
  type DetectedProject,
} from './project.ts';

/** Linters whose output has positions and that can fix problems. */
export type LinterKind = 'eslint' | 'biome' | 'oxlint' | 'xo' | 'ruff' | 'clippy' | 'golangci' | 'vet' | 'gofix';

/** A linter of the repository. */
export interface Linter {
  readonly name: string;
  /** The known linter; null for a command of unknown kind. */
  readonly kind: LinterKind | null;
  /** True if the linter checks files with this name. */
  looksAt(path: string): boolean;
  /** True if its findings are suggestions rather than faults. Such a linter is used only to judge its own fixes. */
  readonly suggests: boolean;
  /** The command that checks these files; null if the linter checks none of them. */
  command(paths: readonly string[]): DetectedCommand | null;
  /** Reads the problems from the output; null if the output cannot be read. */
  parse(output: string): Problem[] | null;
  /**
   * True if the linter prints JSON on standard output, so that messages on standard error are not part of the result.
   */
  readonly printsJson: boolean;
}

const SCRIPT_PATTERN = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const BIOME_PATTERN = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|jsonc?|css|graphql)$/;

/**
 * Finds the linter in this order: the setting, ESLint, Biome, oxlint, XO, then the package script `lint` unless it
 * fixes files. Null if there is no linter.
 */
export function detectLint(project: DetectedProject, setting: string): Linter | null {
  const settingCommand = createCommandFromSetting(setting);
  if (settingCommand) return createUnknownLinter('the command of the setting', settingCommand);
  if (hasEslint(project))
    return limitLintToFiles(
      { kind: 'eslint', name: 'ESLint', looksAt: SCRIPT_PATTERN, parse: parseEslint, printsJson: true },
      (paths) =>
        createRepositoryCommand(
          project,
          'ESLint',
          'eslint',
          '--format',
          'json',
          ...listEslintOptions(project),
          '--',
          ...paths,
        ),
    );
  if (hasBiome(project))
    return limitLintToFiles(
      { kind: 'biome', name: 'Biome', looksAt: BIOME_PATTERN, parse: parseBiome, printsJson: true },
      (paths) =>
        createRepositoryCommand(
          project,
          'Biome',
          'biome',
          'lint',
          '--reporter=json',
          '--max-diagnostics=none',
          '--no-errors-on-unmatched',
          ...paths.map(protectPath),
        ),
    );
  if (hasOxlint(project))
    return limitLintToFiles(
      { kind: 'oxlint', name: 'oxlint', looksAt: SCRIPT_PATTERN, parse: parseOxlint, printsJson: true },
      (paths) => createRepositoryCommand(project, 'oxlint', 'oxlint', '--format', 'json', ...paths.map(protectPath)),
    );
  // XO is ESLint with its own configuration, and reports in the same format.
  if (hasXo(project))
    return limitLintToFiles(
      { kind: 'xo', name: 'XO', looksAt: SCRIPT_PATTERN, parse: parseEslint, printsJson: true },
      (paths) => createRepositoryCommand(project, 'XO', 'xo', '--reporter=json', ...paths.map(protectPath)),
    );
  const script = findPackageScript(project, 'lint');
  return script && !/(^|\s)--(fix|write|apply)\b/.test(script.command[0] ?? '')
    ? createUnknownLinter('the package script', script)
    : null;
}

/**
 * The name of a linter that the project configures for one of these files, but that is not installed, so that
 * `detectLint` finds none. Null if the project configures none.
 */
export function findMissingLinterName(project: DetectedProject, paths: readonly string[]): string | null {
  const looksAtAny = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  if (configuresEslint(project) && looksAtAny(SCRIPT_PATTERN)) return 'ESLint';
  if (configuresBiome(project) && looksAtAny(BIOME_PATTERN)) return 'Biome';
  if (configuresOxlint(project) && looksAtAny(SCRIPT_PATTERN)) return 'oxlint';
  return configuresXo(project) && looksAtAny(SCRIPT_PATTERN) ? 'XO' : null;
}

/** A linter that takes the files to check as arguments. */
export function limitLintToFiles(
  facts: Pick<Linter, 'kind' | 'name' | 'parse' | 'printsJson'> & {
    readonly looksAt: RegExp;
    readonly suggests?: boolean;
  },
  commandFor: (paths: readonly string[]) => DetectedCommand,
): Linter {
  const looksAt = (path: string) => facts.looksAt.test(path);
  return {
    ...facts,
    suggests: facts.suggests ?? false,
    looksAt,
    command(paths) {
      const matchingPaths = paths.filter(looksAt);
      return matchingPaths.length > 0 ? commandFor(matchingPaths) : null;
    },
  };
}

/**
 * The option that avoids errors about unmatched files, which ESLint has since 6.8. Older versions only warn about such
 * files.
 */
function listEslintOptions({ eslintVersion }: DetectedProject): readonly string[] {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(eslintVersion ?? '')?.map(Number) ?? [];
  const isOld = major !== undefined && minor !== undefined && (major < 6 || (major === 6 && minor < 8));
  return isOld ? [] : ['--no-error-on-unmatched-pattern'];
}

/** A linter of unknown kind, whose command decides what it checks. */
function createUnknownLinter(name: string, command: DetectedCommand): Linter {
  return {
    name,
    kind: null,
    printsJson: false,
    suggests: false,
    parse: parseStylish,
    looksAt: () => true,
    command: () => command,
  };
}

/** Protects a file name that begins with a dash from being read as an option. */
export function protectPath(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}
