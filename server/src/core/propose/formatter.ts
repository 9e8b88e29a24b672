// Detects the formatter that a repository uses for JavaScript, or the linter that has its layout rules.

import { SCRIPT_PATTERN } from '../paths/scriptFiles.ts';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { isRecord } from '../../util/values/isRecord.ts';
import {
  configuresPrettier,
  OXFMT_CONFIGS,
  PRETTIER_CONFIGS,
  BIOME_CONFIGS,
  BIN_FOLDER,
} from '../syntax/configuration/prettierConfig.ts';

/** A formatter that the repository uses. */
export interface Formatter {
  readonly name: 'Prettier' | 'Biome' | 'Oxfmt' | 'ESLint' | 'Standard' | 'XO' | 'gofmt' | 'Ruff' | 'Black';
  /** True if it decides the layout of a whole file; false for a linter, which reports single findings. */
  readonly isWholeFileFormatter: boolean;
  /** False for a formatter without a configuration, if only a command of the repository shows that the team uses it. */
  readonly isConfigured: boolean;
  /** True for files that this formatter formats. */
  formats(path: string): boolean;
  /** The command that formats the files in place. */
  command(paths: readonly string[]): readonly string[];
  /** Exit codes after which the files are formatted as far as possible; linters report remaining problems by 1. */
  readonly goodExitCodes: readonly number[];
}

/** The access to the repository that the detection needs. */
export interface FormatterFiles {
  exists(path: string): Promise<boolean>;
  /** The text of a file; null if it does not exist. */
  read(path: string): Promise<string | null>;
}

/** Names of files that configure ESLint. */
const ESLINT_CONFIGS = [
  ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `eslint.config.${end}`),
  '.eslintrc',
  ...['js', 'cjs', 'json', 'yml', 'yaml'].map((end) => `.eslintrc.${end}`),
];

/** The pattern for the text before a program in a command line, or in a configuration that contains one. */
const BEFORE_CALL = `(?:^|[\\s"'\`&;|/])`;
/** The pattern for the text after a program in a command line, or in a configuration that contains one. */
const AFTER_CALL = `(?=$|[\\s"'\`&;|])`;
/** Matches options of XO that change the layout and that exist only on its command line. */
const LAYOUT_OPTION = /(?<=\s)--(?:space|semicolon|prettier)/;

/** Matches layout rules, and shared configurations with such rules. Without any of them, ESLint is not started. */
const LAYOUT_RULES = new RegExp(
  [
    'stylistic|eslint-config-(?:standard|airbnb|google|semistandard|love)|neostandard|antfu|plugin-prettier',
    `["'/\\s](?:indent|semi|quotes|comma-dangle|space-before-function-paren|keyword-spacing|object-curly-spacing)\\b`,
    `["'/\\s](?:padded-blocks|brace-style|eol-last|arrow-parens|max-len)\\b`,
    `["'/\\s]extends["']?\\s*[:=]\\s*(?:\\[\\s*)?["'](?:standard|airbnb|google)\\b`,
  ].join('|'),
);

/** Matches the files that Prettier and Oxfmt format without a plugin. */
const PRETTIER_FILES = /\.(?:[cm]?[jt]sx?|vue|json5?|jsonc|css|scss|less|html|mdx?|ya?ml|graphql)$/;
/** Matches the files that Biome formats. */
const BIOME_FILES = /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql)$/;
/** Names of configuration files with the commands for staged files. They may be the only place that names Prettier. */
const STAGED_CONFIGS = [
  '.lintstagedrc',
  ...['json', 'yaml', 'yml', 'js', 'mjs', 'cjs'].map((end) => `.lintstagedrc.${end}`),
  ...['js', 'mjs', 'cjs', 'ts'].map((end) => `lint-staged.config.${end}`),
];

const PRETTIER: Formatter = {
  name: 'Prettier',
  isWholeFileFormatter: true,
  isConfigured: true,
  formats: (path) => PRETTIER_FILES.test(path),
  command: (paths) => ['prettier', '--write', '--ignore-unknown', '--log-level', 'warn', '--', ...paths],
  goodExitCodes: [0],
};
/** The path of the configuration of Prettier in `ts-scripts`, which checks the layout before the tests. */
const TS_SCRIPTS_CONFIG = 'node_modules/@borderless/ts-scripts/configs/prettier.js';
/** Prettier with the configuration of `ts-scripts`. */
const TS_SCRIPTS: Formatter = {
  ...PRETTIER,
  command: (paths) => ['prettier', '--config', TS_SCRIPTS_CONFIG, ...PRETTIER.command(paths).slice(1)],
};
const BIOME: Formatter = {
  name: 'Biome',
  isWholeFileFormatter: true,
  isConfigured: true,
  formats: (path) => BIOME_FILES.test(path),
  command: (paths) => ['biome', 'format', '--write', '--no-errors-on-unmatched', ...paths],
  goodExitCodes: [0],
};
/** Biome as `biome check` and `biome ci` check files: also with sorted imports, if its configuration says so. */
const BIOME_CHECK: Formatter = {
  ...BIOME,
  command: (paths) => ['biome', 'check', '--write', '--linter-enabled=false', '--no-errors-on-unmatched', ...paths],
};
const OXFMT: Formatter = {
  name: 'Oxfmt',
  isWholeFileFormatter: true,
  isConfigured: true,
  formats: (path) => PRETTIER_FILES.test(path),
  command: (paths) => ['oxfmt', '--no-error-on-unmatched-pattern', ...paths],
  goodExitCodes: [0],
};
/** ESLint, restricted to its layout fixes. */
const ESLINT: Formatter = {
  name: 'ESLint',
  isWholeFileFormatter: false,
  isConfigured: true,
  formats: (path) => SCRIPT_PATTERN.test(path),
  command: (paths) => ['eslint', '--fix', '--fix-type', 'layout', '--no-error-on-unmatched-pattern', '--', ...paths],
  goodExitCodes: [0, 1],
};
/** Standard, its variants and XO. Nearly all their fixes concern layout, but they cannot be restricted to those. */
const FIXING_LINTERS: readonly (readonly [name: 'Standard' | 'XO', program: string])[] = [
  ['Standard', 'standard'],
  ['Standard', 'semistandard'],
  ['Standard', 'ts-standard'],
  ['XO', 'xo'],
];

/**
 * Detects the first of Prettier, Biome, Oxfmt, ESLint, Standard and XO that is installed and that the team uses. The
 * team uses it if it has a configuration, or if a script or a command for staged files calls it. Null if there is none.
 * `manifest`: the text of package.json.
 */
export async function detectFormatter(
  { exists, read }: FormatterFiles,
  manifest: string | null,
): Promise<Formatter | null> {
  const findFirstExisting = async (names: readonly string[]) =>
    names[(await Promise.all(names.map(exists))).indexOf(true)] ?? null;
  const isInstalled = (program: string) => exists(`${BIN_FOLDER}${program}`);
  const manifestText = manifest ?? '';
  const stagedConfig = await findFirstExisting(STAGED_CONFIGS);
  const commands = [...collectCommands(manifestText), stagedConfig === null ? '' : ((await read(stagedConfig)) ?? '')];
  const findCallsOf = (call: string) => {
    const pattern = new RegExp(`${BEFORE_CALL}${call}${AFTER_CALL}`);
    return commands
      .filter(mayBeAboutScripts)
      .flatMap((text) => text.split(/[;&|]/))
      .filter((part) => pattern.test(part));
  };
  const isCalled = (call: string) => findCallsOf(call).length > 0;
  if (
    isCalled('ts-scripts (?:test|check|format)') &&
    (await exists(TS_SCRIPTS_CONFIG)) &&
    (await isInstalled('prettier'))
  )
    return TS_SCRIPTS;
  const findInstalled = async (
    formatter: Formatter,
    program: string,
    isConfigured: boolean,
  ): Promise<Formatter | null> =>
    (isConfigured || isCalled(program)) && (await isInstalled(program)) ? { ...formatter, isConfigured } : null;
  const isPrettierConfigured = configuresPrettier(manifestText) || (await findFirstExisting(PRETTIER_CONFIGS)) !== null;
  const biome = isCalled('biome (?:check|ci)') ? BIOME_CHECK : BIOME;
  const formatter =
    (await findInstalled(PRETTIER, 'prettier', isPrettierConfigured)) ??
    (await findInstalled(biome, 'biome', (await findFirstExisting(BIOME_CONFIGS)) !== null)) ??
    (await findInstalled(OXFMT, 'oxfmt', (await findFirstExisting(OXFMT_CONFIGS)) !== null));
  if (formatter) return formatter;
  if (await isInstalled('eslint')) {
    const config = await findFirstExisting(ESLINT_CONFIGS);
    if (
      (config !== null || manifestText.includes('"eslintConfig"')) &&
      LAYOUT_RULES.test(`${manifestText}\n${config === null ? '' : ((await read(config)) ?? '')}`)
    )
      return ESLINT;
  }
  for (const [name, program] of FIXING_LINTERS)
    if (
      (await isInstalled(program)) &&
      isCalled(program) &&
      !findCallsOf(program).some((part) => LAYOUT_OPTION.test(part))
    )
      return createFixingLinter(name, program);
  return null;
}

/** Creates the formatter that runs a linter with all its fixes. */
function createFixingLinter(name: Formatter['name'], program: string): Formatter {
  return {
    name,
    isWholeFileFormatter: false,
    isConfigured: false,
    formats: (path) => SCRIPT_PATTERN.test(path),
    command: (paths) => [program, '--fix', '--', ...paths],
    goodExitCodes: [0, 1],
  };
}

/**
 * The commands in a package.json: those of its scripts, and those for staged files, each followed by the pattern of its
 * files.
 */
function collectCommands(manifestText: string): readonly string[] {
  const manifest = parseJsonOrNull(manifestText);
  const { scripts, 'lint-staged': stagedCommands } = isRecord(manifest) ? manifest : {};
  const lines = Object.values(isRecord(scripts) ? scripts : {}).filter((text) => typeof text === 'string');
  return [
    ...lines.flatMap((text) => text.split(/[;&|]/)),
    ...Object.entries(isRecord(stagedCommands) ? stagedCommands : {}).map(
      ([pattern, text]) => `${JSON.stringify(text)} ${pattern}`,
    ),
  ];
}

/** False for a command that names only files of other kinds: `prettier --write "**\/*.md"`. */
function mayBeAboutScripts(command: string): boolean {
  return !/\*\.[a-z{(]/.test(command) || /[.{(,|][cm]?[jt]sx?\b/.test(command);
}
