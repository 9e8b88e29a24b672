// Finds the repository's own formatter, or the linter that has its layout rules.

import { configuresPrettier, OXFMT_CONFIGS, PRETTIER_CONFIGS } from '../syntax/prettierConfig.ts';

/** A formatter that the repository uses. */
export interface Formatter {
  readonly name: 'Prettier' | 'Biome' | 'Oxfmt' | 'ESLint' | 'Standard';
  /** Formats the files in place. */
  command(paths: readonly string[]): readonly string[];
  /** Exit codes after which the files are formatted as well as possible; linters report remaining problems by 1. */
  readonly goodExitCodes: readonly number[];
}

/** The access to the repository that the detection needs. */
export interface FormatterFiles {
  exists(path: string): Promise<boolean>;
  /** The text of a file; null if it does not exist. */
  read(path: string): Promise<string | null>;
}

/** Names of files that configure Biome. */
const BIOME_CONFIGS = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];
/** Names of files that configure ESLint. */
const ESLINT_CONFIGS = [
  ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `eslint.config.${end}`),
  '.eslintrc',
  ...['js', 'cjs', 'json', 'yml', 'yaml'].map((end) => `.eslintrc.${end}`),
];
/** The folder of the installed programs, from the root. */
const PROGRAM_FOLDER = 'node_modules/.bin/';

/** Matches layout rules, and shared configurations that contain some. Without any of them, ESLint is not started. */
const LAYOUT_RULES =
  /stylistic|eslint-config-(?:standard|airbnb|google|semistandard|love)|neostandard|antfu|plugin-prettier|["'/\s](?:indent|semi|quotes|comma-dangle|space-before-function-paren|keyword-spacing|object-curly-spacing|padded-blocks|brace-style|eol-last|arrow-parens|max-len|extends["']?\s*[:=]\s*\[?\s*["'](?:standard|airbnb|google))\b/;

const PRETTIER: Formatter = {
  name: 'Prettier',
  command: (paths) => ['prettier', '--write', '--log-level', 'warn', '--', ...paths],
  goodExitCodes: [0],
};
const BIOME: Formatter = {
  name: 'Biome',
  command: (paths) => ['biome', 'format', '--write', ...paths],
  goodExitCodes: [0],
};
const OXFMT: Formatter = { name: 'Oxfmt', command: (paths) => ['oxfmt', ...paths], goodExitCodes: [0] };
/** ESLint, restricted to its layout fixes. */
const ESLINT: Formatter = {
  name: 'ESLint',
  command: (paths) => ['eslint', '--fix', '--fix-type', 'layout', '--no-error-on-unmatched-pattern', '--', ...paths],
  goodExitCodes: [0, 1],
};
/** Standard. Nearly all its fixes are about layout, but it cannot be restricted to those. */
const STANDARD: Formatter = {
  name: 'Standard',
  command: (paths) => ['standard', '--fix', '--', ...paths],
  goodExitCodes: [0, 1],
};

/**
 * The first of Prettier, Biome, Oxfmt, ESLint and Standard that is installed and configured; null if there is none. A
 * formatter without a configuration does not count, because it does not show what the team wants. `manifest`: text of
 * package.json.
 */
export async function detectFormatter(
  { exists, read }: FormatterFiles,
  manifest: string | null,
): Promise<Formatter | null> {
  const firstOf = async (names: readonly string[]) =>
    names[(await Promise.all(names.map(exists))).indexOf(true)] ?? null;
  const isInstalled = (program: string) => exists(`${PROGRAM_FOLDER}${program}`);
  const manifestText = manifest ?? '';
  if (
    (await isInstalled('prettier')) &&
    (configuresPrettier(manifestText) || (await firstOf(PRETTIER_CONFIGS)) !== null)
  )
    return PRETTIER;
  if ((await isInstalled('biome')) && (await firstOf(BIOME_CONFIGS)) !== null) return BIOME;
  if ((await isInstalled('oxfmt')) && (await firstOf(OXFMT_CONFIGS)) !== null) return OXFMT;
  if (await isInstalled('eslint')) {
    const config = await firstOf(ESLINT_CONFIGS);
    if (
      (config !== null || manifestText.includes('"eslintConfig"')) &&
      LAYOUT_RULES.test(`${manifestText}\n${config === null ? '' : ((await read(config)) ?? '')}`)
    )
      return ESLINT;
  }
  // Standard has no configuration; a script that calls it shows that the team uses it.
  return (await isInstalled('standard')) && /"[^"]*"\s*:\s*"(?:[^"]*[\s&;])?standard(?=["\s&;])/.test(manifestText)
    ? STANDARD
    : null;
}
