// Reads from the configuration of formatters, linters and the TypeScript compiler which matters of style they enforce.

import { isRecord } from '../../../util/values/isRecord.ts';
import type { Demand } from './demands.ts';

/** A demand that a configuration file of the repository enforces. */
export interface Enforced extends Demand {
  readonly path: string;
  /** The name of the setting or of the rule in this file. */
  readonly setting: string;
}

/** A configuration file: its parsed table, or its text if it is code or no format that is parsed. */
export interface ConfigFile {
  readonly path: string;
  readonly content: string | Readonly<Record<string, unknown>>;
}

/** The kinds of configuration: a pattern for the path of the file, and the function that reads its settings. */
const READERS_BY_PATH: readonly (readonly [names: RegExp, read: (file: ConfigFile) => readonly StyleSetting[]])[] = [
  [/^(?:\.prettierrc|prettier\.config\.|\.oxfmtrc)/, ({ content }) => readPrettier(content)],
  [/^\.?biome\.jsonc?$/, ({ content }) => (isRecord(content) ? readBiome(content) : [])],
  [/^(?:\.eslintrc|eslint\.config\.|\.oxlintrc)/, ({ content }) => readEslint(content)],
  [/^package\.json$/, ({ content }) => (isRecord(content) ? readManifest(content) : [])],
  // TypeScript's configuration may extend files with any name.
  [/\.json$/, ({ content }) => (isRecord(content) ? readTsconfig(content) : [])],
];

/** An enforced demand without the file that enforces it. */
type StyleSetting = Omit<Enforced, 'path'>;
type Table = Readonly<Record<string, unknown>>;

/**
 * Keys that restrict a configuration to some files. A configuration with such a key counts as one that enforces
 * nothing, because a rule in words applies to all files.
 */
const FILE_KEYS = ['overrides', 'files', 'include', 'includes', 'ignore', 'ignores', 'ignorePatterns'] as const;

/** Everything that these files enforce everywhere. Whatever is not recognised enforces nothing. */
export function collectEnforced(files: readonly ConfigFile[]): readonly Enforced[] {
  return files.flatMap((file) => {
    const readSettings = READERS_BY_PATH.find(([names]) => names.test(file.path))?.[1];
    return (readSettings?.(file) ?? []).map((setting) => ({ ...setting, path: file.path }));
  });
}

/** The demand for tabs, otherwise for this number of spaces; null if `size` is not a number. */
function readIndentation(hasTabs: boolean, size: unknown): Demand | null {
  if (hasTabs) return { subject: 'indentation', value: 'tabs' };
  return /^\d+$/.test(String(size)) ? { subject: 'indentation', value: `${String(size)} spaces` } : null;
}

/** The settings of Prettier and Oxfmt. Of code, only plain values are read. */
function readPrettier(content: ConfigFile['content']): readonly StyleSetting[] {
  const table = typeof content === 'string' ? readPlainValues(content) : content;
  if (isForSomeFiles(table) || table['requirePragma'] === true) return [];
  return readTable(table, {
    singleQuote: createBooleanReader('quotes', 'single', 'double'),
    semi: createBooleanReader('semicolons', 'always', 'never'),
    useTabs: (value) => (value === true ? readIndentation(true, null) : null),
    tabWidth: (value) => (table['useTabs'] === true ? null : readIndentation(false, value)),
    printWidth: (value) => readWidth(value),
    trailingComma: (value) => readOneOf('trailing commas', value, { all: 'always', none: 'never' }),
    endOfLine: (value) => readOneOf('line endings', value, { lf: 'lf', crlf: 'crlf' }),
  });
}

/** Returns a function that turns the value of a boolean setting into a demand. */
function createBooleanReader(subject: string, whenTrue: string, whenFalse: string) {
  return (value: unknown): Demand | null =>
    typeof value === 'boolean' ? { subject, value: value ? whenTrue : whenFalse } : null;
}

/** The demand for one of these values of a setting; null for any other value. */
function readOneOf(subject: string, value: unknown, values: Readonly<Record<string, string>>): Demand | null {
  const key = String(value);
  return Object.hasOwn(values, key) ? { subject, value: values[key]! } : null;
}

function readWidth(value: unknown): Demand | null {
  return /^\d+$/.test(String(value)) ? { subject: 'line width', value: String(value) } : null;
}

/** True if a key of the table restricts a part of it to some files. */
function isForSomeFiles(table: Table): boolean {
  return FILE_KEYS.some((key) => Object.hasOwn(table, key));
}

/**
 * The demands of the keys that a table has. `readers`: by key, the function that reads its value. `prefix`: the
 * beginning of the name of each setting.
 */
function readTable(
  table: Table,
  readers: Readonly<Record<string, (value: unknown) => Demand | null>>,
  prefix = '',
): readonly StyleSetting[] {
  return Object.entries(readers).flatMap(([key, read]) => {
    const demand = Object.hasOwn(table, key) ? read(table[key]) : null;
    return demand ? [{ ...demand, setting: `${prefix}${key}` }] : [];
  });
}

/**
 * The keys with a plain value in code, such as `semi: false`. Empty if the code has exceptions for some files, includes
 * other objects, or names a key twice.
 */
function readPlainValues(code: string): Table {
  const values: Record<string, unknown> = {};
  if (/\boverrides\b|\.\.\.|\?/.test(removeComments(code))) return values;
  for (const [, key = '', value = ''] of removeComments(code).matchAll(
    /\b(\w+)["']?\s*:\s*(true|false|\d+|"\w+"|'\w+')/g,
  )) {
    if (Object.hasOwn(values, key)) return {};
    values[key] = /^["']/.test(value) ? value.slice(1, -1) : (JSON.parse(value) as unknown);
  }
  return values;
}

/** The settings of Biome: its formatter, with the options for JavaScript, and its linter. */
function readBiome(table: Table): readonly StyleSetting[] {
  const scripts = getTable(table, 'javascript');
  const [formatter, linter] = [getTable(table, 'formatter'), getTable(table, 'linter')];
  const [scriptFormatter, scriptLinter] = [getTable(scripts, 'formatter'), getTable(scripts, 'linter')];
  if (isForSomeFiles(table)) return [];
  const appliesEverywhere = (...parts: readonly Table[]) =>
    parts.every((part) => part['enabled'] !== false && !isForSomeFiles(part));
  return [
    ...(appliesEverywhere(formatter, scriptFormatter) ? readBiomeLayout({ ...formatter, ...scriptFormatter }) : []),
    ...(appliesEverywhere(linter, scriptLinter) ? readBiomeRules(linter) : []),
  ];
}

function readBiomeLayout(layout: Table): readonly StyleSetting[] {
  return readTable(
    layout,
    {
      quoteStyle: (value) => readOneOf('quotes', value, { single: 'single', double: 'double' }),
      semicolons: (value) => readOneOf('semicolons', value, { always: 'always', asNeeded: 'never' }),
      indentStyle: (value) => (value === 'tab' ? readIndentation(true, null) : null),
      indentWidth: (value) => (layout['indentStyle'] === 'space' ? readIndentation(false, value) : null),
      lineWidth: (value) => readWidth(value),
      trailingCommas: (value) => readOneOf('trailing commas', value, { all: 'always', none: 'never' }),
      lineEnding: (value) => readOneOf('line endings', value, { lf: 'lf', crlf: 'crlf' }),
    },
    'formatter.',
  );
}

function readBiomeRules(linter: Table): readonly StyleSetting[] {
  return Object.values(getTable(linter, 'rules'))
    .filter(isRecord)
    .flatMap((group) => Object.entries(group).flatMap(([name, level]) => readLint(name, level)));
}

/** The settings of ESLint and Oxlint. Of code, only the rules are read that have a plain entry and occur once. */
function readEslint(content: ConfigFile['content']): readonly StyleSetting[] {
  if (typeof content !== 'string')
    return isForSomeFiles(content)
      ? []
      : Object.entries(getTable(content, 'rules')).flatMap(([name, level]) => readLint(name, level));
  const entries = readRulesInCode(removeComments(content));
  const names = entries.map(([name]) => name);
  return entries.flatMap(([name, entry]) =>
    names.filter((other) => other === name).length > 1 ? [] : readLint(name, entry),
  );
}

/**
 * The entries of the rules in code that have a plain level, or a list of a level and one plain option. Empty if the
 * code has several objects of rules, anything after the object (which might switch a rule off), or parts that apply to
 * some files only.
 */
function readRulesInCode(code: string): readonly (readonly [name: string, entry: unknown])[] {
  if (/["'\s,{](?:overrides|files|ignores|ignorePatterns|globalIgnores)["']?\s{0,40}[:(]/.test(code)) return [];
  const [before, block, ...others] = code.split(/\brules["']?\s{0,40}:\s{0,40}\{/);
  if (before === undefined || block === undefined || others.length > 0) return [];
  let depth = 1;
  const end = [...block].findIndex((character) => {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    return depth === 0;
  });
  const rules = [...block].slice(0, end).join('');
  const after = [...block].slice(end + 1).join('');
  if (end < 0 || rules.includes('...') || /[^\s\]}),;]/.test(after)) return [];
  const level = /["']?(off|warn|error|[012])\b["']?/.source;
  const option = /\s{0,40},\s{0,40}["']?(\w[\w-]{0,40})["']?/.source;
  const entry = new RegExp(
    `(?<![@\\w/-])["']?([@\\w-]+(?:\\/[\\w/-]+)?)["']?\\s{0,40}:\\s{0,40}` +
      `(?:${level}|\\[\\s{0,40}${level}(?:${option})?\\s{0,40},?\\s{0,40}\\])\\s{0,40}(?=,|$)`,
    'g',
  );
  return [...rules.matchAll(entry)].map(([, name = '', plainLevel, listed, first]) => [
    name,
    first === undefined ? (plainLevel ?? listed) : [listed, first],
  ]);
}

/** Prefixes of rules that demand the same as the rule of this name without a prefix. */
const RULE_PREFIX = /^(?:@typescript-eslint|typescript|eslint|@stylistic(?:\/(?:js|ts))?|import|unused-imports)\//;

/** The demand of each rule of a linter; null if an option weakens the rule. `option`: the only option of the rule. */
const LINT_RULES: Readonly<Record<string, (option: unknown) => Demand | null>> = {
  quotes: (option = 'double') => readOneOf('quotes', option, { single: 'single', double: 'double' }),
  semi: (option = 'always') => readOneOf('semicolons', option, { always: 'always', never: 'never' }),
  indent: (option = 4) => readIndentation(option === 'tab', option),
  'max-len': (option = 80) => readWidth(isRecord(option) && hasOnlyKey(option, 'code') ? option['code'] : option),
  'comma-dangle': (option = 'never') =>
    readOneOf('trailing commas', option, { never: 'never', always: 'always', 'always-multiline': 'always' }),
  'eol-last': (option = 'always') =>
    readOneOf('final newline', option, { always: 'always', unix: 'always', never: 'never' }),
  'linebreak-style': (option = 'unix') => readOneOf('line endings', option, { unix: 'lf', windows: 'crlf' }),
  eqeqeq: (option = 'always') => readOneOf('strict equality', option, { always: 'always' }),
  curly: (option = 'all') => readOneOf('braces', option, { all: 'always' }),
  // Without this option, the rule accepts `== null`.
  'no-double-equals': (option) =>
    isRecord(option) && hasOnlyKey(option, 'ignoreNull') && option['ignoreNull'] === false
      ? { subject: 'strict equality', value: 'always' }
      : null,
  ...createFixedRules('trailing spaces', 'never', 'no-trailing-spaces'),
  ...createFixedRules('any', 'never', 'no-explicit-any'),
  ...createFixedRules('unused variables', 'never', 'no-unused-vars', 'no-unused-variables'),
  ...createFixedRules('unused imports', 'never', 'no-unused-imports'),
  ...createFixedRules('var', 'never', 'no-var'),
  ...createFixedRules('const', 'always', 'prefer-const', 'use-const'),
  ...createFixedRules('console', 'never', 'no-console'),
  ...createFixedRules('debugger', 'never', 'no-debugger'),
  ...createFixedRules('default exports', 'never', 'no-default-export'),
  ...createFixedRules('non-null assertions', 'never', 'no-non-null-assertion'),
  ...createFixedRules('floating promises', 'never', 'no-floating-promises'),
  ...createFixedRules('import order', 'always', 'simple-import-sort/imports', 'import/order', 'sort-imports'),
  ...createFixedRules('type imports', 'always', 'consistent-type-imports', 'use-import-type'),
  ...createFixedRules('braces', 'always', 'use-block-statements'),
  ...createFixedRules('nested ternaries', 'never', 'no-nested-ternary'),
};

/** Entries of `LINT_RULES` for rules that count only without options, because an option may weaken them. */
function createFixedRules(subject: string, value: string, ...rules: readonly string[]) {
  return Object.fromEntries(
    rules.map((rule) => [rule, (option: unknown): Demand | null => (option === undefined ? { subject, value } : null)]),
  );
}

function hasOnlyKey(table: Table, key: string): boolean {
  return Object.keys(table).join() === key;
}

/** The demand that a rule of a linter enforces. `entry`: its level, or a list that begins with its level. */
function readLint(name: string, entry: unknown): readonly StyleSetting[] {
  const list: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
  // Further options make exceptions.
  if (list.length > 2) return [];
  // Biome writes a level with options as one table.
  const [level, option] = isRecord(list[0]) ? [list[0]['level'], list[0]['options']] : list;
  if (!['error', 'warn', 'info', 'on', 'deny', 1, 2, '1', '2'].includes(level as string)) return [];
  const kebabName = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const key = [kebabName, kebabName.replace(RULE_PREFIX, '')].find((id) => Object.hasOwn(LINT_RULES, id));
  const demand = key === undefined ? null : LINT_RULES[key]!(option);
  return demand ? [{ ...demand, setting: name }] : [];
}

/** The settings of the TypeScript compiler. */
function readTsconfig(table: Table): readonly StyleSetting[] {
  const options = getTable(table, 'compilerOptions');
  const createTrueReader = (subject: string, value: string) => (option: unknown) =>
    option === true ? { subject, value } : null;
  return [
    ...readTable(options, {
      noUnusedLocals: createTrueReader('unused variables', 'never'),
      verbatimModuleSyntax: createTrueReader('type imports', 'always'),
      noImplicitAny: createTrueReader('implicit any', 'never'),
      strictNullChecks: createTrueReader('strict null checks', 'always'),
      strict: createTrueReader('strict', 'always'),
    }),
    // `strict` includes these, unless they are switched off beside it.
    ...(options['strict'] === true
      ? (
          [
            ['noImplicitAny', { subject: 'implicit any', value: 'never' }],
            ['strictNullChecks', { subject: 'strict null checks', value: 'always' }],
          ] as const
        ).flatMap(([key, demand]) => (options[key] === undefined ? [{ ...demand, setting: 'strict' }] : []))
      : []),
    ...(options['noUnusedLocals'] === true
      ? [{ subject: 'unused imports', value: 'never', setting: 'noUnusedLocals' }]
      : []),
  ];
}

/** The settings of Prettier and ESLint that a package.json contains. */
function readManifest(table: Table): readonly StyleSetting[] {
  return [...readPrettier(getTable(table, 'prettier')), ...readEslint(getTable(table, 'eslintConfig'))];
}

function getTable(table: Table, key: string): Table {
  const value = table[key];
  return isRecord(value) ? value : {};
}

/** The code without lines that are a comment. Comments after code stay. */
function removeComments(code: string): string {
  return code
    .split('\n')
    .filter((line) => !/^(?:\/[/*]|\*)/.test(line.trimStart()))
    .join('\n');
}
