// Which linter checks the touched files of a repository.

import { parseBiome, parseEslint, parseOxlint, parseStylish } from '../parse/lintProblems.ts';
import type { Problem } from '../parse/problem.ts';
import { fromSetting, packageScript, program, type DetectedCommand } from './command.ts';
import { hasBiome, hasEslint, hasOxlint, hasXo, type Project } from './project.ts';

/** Those whose output tells places and that can mend. */
export type LinterKind = 'eslint' | 'biome' | 'oxlint' | 'xo' | 'ruff' | 'clippy' | 'vet' | 'gofix';

export interface Linter {
  readonly name: string;
  /** Null: some command whose words we do not know. */
  readonly kind: LinterKind | null;
  looksAt(path: string): boolean;
  /** What it finds could be written otherwise, and is no fault: it counts only where its own fix is judged. */
  readonly suggests: boolean;
  /** Null when the linter has nothing to say about these files. */
  command(paths: readonly string[]): DetectedCommand | null;
  /** Null = the output cannot be read. */
  parse(output: string): Problem[] | null;
  /** True when the answer is on standard output alone. */
  readonly json: boolean;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const BIOME = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|jsonc?|css|graphql)$/;

/**
 * Setting, ESLint, Biome, oxlint, XO, then the package script `lint` unless it mends what it finds. Null: no linter
 * here.
 */
export function detectLint(project: Project, setting: string): Linter | null {
  const fixed = fromSetting(setting);
  if (fixed) return wholeRepository('the command of the setting', fixed);
  if (hasEslint(project))
    return onFiles({ kind: 'eslint', name: 'ESLint', looksAt: SCRIPT, parse: parseEslint, json: true }, (paths) =>
      program(project, 'ESLint', 'eslint', '--format', 'json', '--no-error-on-unmatched-pattern', '--', ...paths),
    );
  if (hasBiome(project))
    return onFiles({ kind: 'biome', name: 'Biome', looksAt: BIOME, parse: parseBiome, json: true }, (paths) =>
      program(
        project,
        'Biome',
        'biome',
        'lint',
        '--reporter=json',
        '--max-diagnostics=none',
        '--no-errors-on-unmatched',
        ...paths.map(asIs),
      ),
    );
  if (hasOxlint(project))
    return onFiles({ kind: 'oxlint', name: 'oxlint', looksAt: SCRIPT, parse: parseOxlint, json: true }, (paths) =>
      program(project, 'oxlint', 'oxlint', '--format', 'json', ...paths.map(asIs)),
    );
  // It is ESLint with a configuration of its own, and reports as ESLint does.
  if (hasXo(project))
    return onFiles({ kind: 'xo', name: 'XO', looksAt: SCRIPT, parse: parseEslint, json: true }, (paths) =>
      program(project, 'XO', 'xo', '--reporter=json', ...paths.map(asIs)),
    );
  const script = packageScript(project, 'lint');
  return script && !/(^|\s)--(fix|write|apply)\b/.test(script.command[0] ?? '')
    ? wholeRepository('the package script', script)
    : null;
}

/** A linter that is told which files to look at. */
export function onFiles(
  facts: Pick<Linter, 'kind' | 'name' | 'parse' | 'json'> & { readonly looksAt: RegExp; readonly suggests?: boolean },
  commandFor: (paths: readonly string[]) => DetectedCommand,
): Linter {
  const looksAt = (path: string) => facts.looksAt.test(path);
  return {
    ...facts,
    suggests: facts.suggests ?? false,
    looksAt,
    command(paths) {
      const suited = paths.filter(looksAt);
      return suited.length > 0 ? commandFor(suited) : null;
    },
  };
}

function wholeRepository(name: string, command: DetectedCommand): Linter {
  return {
    name,
    kind: null,
    json: false,
    suggests: false,
    parse: parseStylish,
    looksAt: () => true,
    command: () => command,
  };
}

/** A file name that starts with a dash is not an option. */
export function asIs(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}
