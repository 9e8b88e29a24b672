// Reads from the configuration of formatters, linters, editors and the TypeScript compiler what they enforce.

import { isRecord } from '../../../util/values/isRecord.ts';
import type { Demand } from './demands.ts';

/** Something that a file of the repository enforces. */
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

/** The kinds of configuration, by the names of their files in the root of the repository. */
const KINDS: readonly (readonly [names: RegExp, read: (file: ConfigFile) => readonly Setting[]])[] = [
  [/^\.editorconfig$/, ({ content }) => (typeof content === 'string' ? readEditorConfig(content) : [])],
  [/^(?:\.prettierrc|prettier\.config\.|\.oxfmtrc)/, ({ content }) => readPrettier(content)],
  [/^\.?biome\.jsonc?$/, ({ content }) => (isRecord(content) ? readBiome(content) : [])],
  [/^(?:\.eslintrc|eslint\.config\.|\.oxlintrc)/, ({ content }) => readEslint(content)],
  [/^package\.json$/, ({ content }) => (isRecord(content) ? readManifest(content) : [])],
  // TypeScript's configuration may extend files with any name.
  [/\.json$/, ({ content }) => (isRecord(content) ? readTsconfig(content) : [])],
];

type Setting = Omit<Enforced, 'path'>;
type Table = Readonly<Record<string, unknown>>;

/** Everything that these files enforce. Exceptions for single files and folders do not count. */
export function collectEnforced(files: readonly ConfigFile[]): readonly Enforced[] {
  return files.flatMap((file) => {
    const read = KINDS.find(([names]) => names.test(file.path))?.[1];
    return (read?.(file) ?? []).map((setting) => ({ ...setting, path: file.path }));
  });
}

/** Keys of .editorconfig with the subject of each; the value is that of the file unless a function changes it. */
const EDITOR_KEYS: Readonly<Record<string, (value: string, size: string) => Demand | null>> = {
  quote_type: (value) => ({ subject: 'quotes', value }),
  indent_style: (value, size) => indentation(value === 'tab', size),
  max_line_length: (value) => ({ subject: 'line width', value }),
  end_of_line: (value) => ({ subject: 'line endings', value }),
  insert_final_newline: (value) => ({ subject: 'final newline', value: value === 'true' ? 'always' : 'never' }),
  trim_trailing_whitespace: (value) => (value === 'true' ? { subject: 'trailing spaces', value: 'never' } : null),
};

function readEditorConfig(text: string): readonly Setting[] {
  const values = new Map<string, string>();
  let isForSources = false;
  for (const line of text.split(/\r?\n/).map((part) => part.trim())) {
    if (line.startsWith('[')) isForSources = line === '[*]' || /\b[cm]?[jt]sx?\b/.test(line);
    const [, key, value] = /^([\w-]+)\s*[=:]\s*(\S+)/.exec(line) ?? [];
    if (isForSources && key !== undefined && value !== undefined) values.set(key.toLowerCase(), value.toLowerCase());
  }
  const size = values.get('indent_size') ?? '';
  return [...values].flatMap(([key, value]) => {
    const demand = Object.hasOwn(EDITOR_KEYS, key) ? EDITOR_KEYS[key]!(value, size) : null;
    return demand ? [{ ...demand, setting: key }] : [];
  });
}

function indentation(hasTabs: boolean, size: unknown): Demand | null {
  if (hasTabs) return { subject: 'indentation', value: 'tabs' };
  return /^\d+$/.test(String(size)) ? { subject: 'indentation', value: `${String(size)} spaces` } : null;
}

/** The settings of Prettier and Oxfmt. Of code, only plain values are read. */
function readPrettier(content: ConfigFile['content']): readonly Setting[] {
  const table = typeof content === 'string' ? readPlainValues(content) : content;
  return readTable(table, {
    singleQuote: (value) => ({ subject: 'quotes', value: value === true ? 'single' : 'double' }),
    semi: (value) => ({ subject: 'semicolons', value: value === true ? 'always' : 'never' }),
    useTabs: (value) => (value === true ? indentation(true, null) : null),
    tabWidth: (value) => (table['useTabs'] === true ? null : indentation(false, value)),
    printWidth: (value) => ({ subject: 'line width', value: String(value) }),
    trailingComma: (value) => ({ subject: 'trailing commas', value: value === 'none' ? 'never' : 'always' }),
    endOfLine: (value) => ({ subject: 'line endings', value: String(value) }),
  });
}

/** The demands of the keys that a table has. `prefix` stands before each name of a setting. */
function readTable(
  table: Table,
  readers: Readonly<Record<string, (value: unknown) => Demand | null>>,
  prefix = '',
): readonly Setting[] {
  return Object.entries(readers).flatMap(([key, read]) => {
    const demand = Object.hasOwn(table, key) ? read(table[key]) : null;
    return demand ? [{ ...demand, setting: `${prefix}${key}` }] : [];
  });
}

/** Keys with a plain value in code, such as `semi: false`. */
function readPlainValues(code: string): Table {
  const values: Record<string, unknown> = {};
  for (const [, key = '', value = ''] of removeComments(code).matchAll(
    /\b(\w+)["']?\s*:\s*(true|false|\d+|"\w+"|'\w+')/g,
  ))
    values[key] = /^["']/.test(value) ? value.slice(1, -1) : (JSON.parse(value) as unknown);
  return values;
}

function readBiome(table: Table): readonly Setting[] {
  const general = tableAt(table, 'formatter');
  const scripts = tableAt(tableAt(table, 'javascript'), 'formatter');
  const isOff = (part: Table) => part['enabled'] === false;
  const merged = { ...general, ...scripts };
  const layout =
    isOff(general) || isOff(scripts)
      ? []
      : readTable(
          merged,
          {
            quoteStyle: (value) => ({ subject: 'quotes', value: String(value) }),
            semicolons: (value) => ({ subject: 'semicolons', value: value === 'always' ? 'always' : 'never' }),
            indentStyle: (value) => (value === 'tab' ? indentation(true, null) : null),
            indentWidth: (value) => (merged['indentStyle'] === 'space' ? indentation(false, value) : null),
            lineWidth: (value) => ({ subject: 'line width', value: String(value) }),
            trailingCommas: (value) => ({ subject: 'trailing commas', value: value === 'none' ? 'never' : 'always' }),
            lineEnding: (value) => ({ subject: 'line endings', value: String(value) }),
          },
          'formatter.',
        );
  const linter = tableAt(table, 'linter');
  if (isOff(linter)) return layout;
  const groups = Object.values(tableAt(linter, 'rules')).filter(isRecord);
  return [
    ...layout,
    ...groups.flatMap((group) => Object.entries(group).flatMap(([name, level]) => readLint(name, level))),
  ];
}

function readEslint(content: ConfigFile['content']): readonly Setting[] {
  if (typeof content !== 'string')
    return Object.entries(tableAt(content, 'rules')).flatMap(([name, level]) => readLint(name, level));
  const level = /["']?(off|warn|error|[012])\b["']?/.source;
  const option = /\s{0,40},\s{0,40}(?:\{\s{0,40}code:)?\s{0,40}["']?(\w+)/.source;
  const entry = new RegExp(
    `(?<![@\\w/-])["']?([@\\w-]+(?:\\/[\\w/-]+)?)["']?\\s*:\\s*(?:${level}|\\[\\s*${level}(?:${option})?)`,
    'g',
  );
  return [...removeComments(content).matchAll(entry)].flatMap(([, name = '', plain, listed, first]) =>
    readLint(name, first === undefined ? (plain ?? listed) : [listed, first]),
  );
}

/** The demand of each rule of a linter. `option`: its first option, if it has one. */
const LINT_RULES: Readonly<Record<string, (option: unknown) => Demand | null>> = {
  quotes: (option) => ({ subject: 'quotes', value: option === 'single' ? 'single' : 'double' }),
  semi: (option) => ({ subject: 'semicolons', value: option === 'never' ? 'never' : 'always' }),
  indent: (option) => indentation(option === 'tab', option ?? 4),
  'max-len': (option) => ({ subject: 'line width', value: String(isRecord(option) ? option['code'] : (option ?? 80)) }),
  'comma-dangle': (option) => ({
    subject: 'trailing commas',
    value: option === undefined || option === 'never' ? 'never' : 'always',
  }),
  'eol-last': (option) => ({ subject: 'final newline', value: option === 'never' ? 'never' : 'always' }),
  'linebreak-style': (option) => ({ subject: 'line endings', value: option === 'windows' ? 'crlf' : 'lf' }),
  ...fixed('trailing spaces', 'never', 'no-trailing-spaces'),
  ...fixed('any', 'never', 'no-explicit-any'),
  ...fixed('unused variables', 'never', 'no-unused-vars', 'no-unused-variables'),
  ...fixed('unused imports', 'never', 'no-unused-imports'),
  ...fixed('var', 'never', 'no-var'),
  ...fixed('const', 'always', 'prefer-const', 'use-const'),
  ...fixed('strict equality', 'always', 'eqeqeq', 'no-double-equals'),
  ...fixed('console', 'never', 'no-console'),
  ...fixed('debugger', 'never', 'no-debugger'),
  ...fixed('default exports', 'never', 'no-default-export'),
  ...fixed('non-null assertions', 'never', 'no-non-null-assertion'),
  ...fixed('floating promises', 'never', 'no-floating-promises'),
  ...fixed('import order', 'always', 'simple-import-sort/imports', 'import/order', 'sort-imports'),
  ...fixed('type imports', 'always', 'consistent-type-imports', 'use-import-type'),
  ...fixed('braces', 'always', 'curly', 'use-block-statements'),
  ...fixed('nested ternaries', 'never', 'no-nested-ternary'),
};

function fixed(subject: string, value: string, ...rules: readonly string[]) {
  return Object.fromEntries(rules.map((rule) => [rule, (): Demand => ({ subject, value })]));
}

/** What a rule of a linter enforces with this entry of the configuration: a level, or a list that begins with it. */
function readLint(name: string, entry: unknown): readonly Setting[] {
  const list: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
  const level = isRecord(list[0]) ? list[0]['level'] : list[0];
  if (!['error', 'warn', 'info', 'on', 'deny', 1, 2, '1', '2'].includes(level as string)) return [];
  const plain = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const key = [plain, plain.slice(plain.lastIndexOf('/') + 1)].find((id) => Object.hasOwn(LINT_RULES, id));
  const demand = key === undefined ? null : LINT_RULES[key]!(list[1]);
  return demand ? [{ ...demand, setting: name }] : [];
}

function readTsconfig(table: Table): readonly Setting[] {
  const options = tableAt(table, 'compilerOptions');
  const when = (subject: string, value: string) => (option: unknown) => (option === true ? { subject, value } : null);
  return [
    ...readTable(options, {
      noUnusedLocals: when('unused variables', 'never'),
      verbatimModuleSyntax: when('type imports', 'always'),
      noImplicitAny: when('implicit any', 'never'),
      strictNullChecks: when('strict null checks', 'always'),
      strict: when('strict', 'always'),
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

function readManifest(table: Table): readonly Setting[] {
  return [...readPrettier(tableAt(table, 'prettier')), ...readEslint(tableAt(table, 'eslintConfig'))];
}

function tableAt(table: Table, key: string): Table {
  const value = table[key];
  return isRecord(value) ? value : {};
}

/** Without lines that are a comment. Comments after code stay. */
function removeComments(code: string): string {
  return code
    .split('\n')
    .filter((line) => !/^(?:\/[/*]|\*)/.test(line.trimStart()))
    .join('\n');
}
