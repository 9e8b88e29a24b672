// Rules that the configuration of a repository enforces anyway.

import { expect, test } from 'vitest';
import { collectEnforced, type ConfigFile } from '../../../server/src/core/learn/enforced/configuredStyle.ts';
import { findDemands } from '../../../server/src/core/learn/enforced/demands.ts';
import { explainEnforced } from '../../../server/src/core/learn/enforced/explainEnforced.ts';

test.each([
  ['Use single quotes.', [['quotes', 'single']]],
  ["Don't use double quotes for strings", [['quotes', 'single']]],
  ['Write strings with "double quotes", never with single quotes.', [['quotes', 'double']]],
  ['Never use `any`.', [['any', 'never']]],
  ['Do not use the any type; use explicit types.', [['any', 'never']]],
  ['No implicit any in our TypeScript code', [['implicit any', 'never']]],
  ['Indent with two spaces', [['indentation', '2 spaces']]],
  ['Indent by tabs, not spaces.', [['indentation', 'tabs']]],
  ['Lines have at most 120 characters.', [['line width', '120']]],
  ['Always end statements with semicolons.', [['semicolons', 'always']]],
  ['Leave out semicolons everywhere.', [['semicolons', 'never']]],
  ['Write code without semicolons', [['semicolons', 'never']]],
  ['Use let and const instead of var.', [['var', 'never']]],
  ['Prefer const over let.', [['const', 'always']]],
  ['Use === instead of ==.', [['strict equality', 'always']]],
  ['No console.log in source files', [['console', 'never']]],
  [
    'Use single quotes and no semicolons.',
    [
      ['quotes', 'single'],
      ['semicolons', 'never'],
    ],
  ],
  ['Remove unused imports.', [['unused imports', 'never']]],
  ['Never remove unused imports.', []],
  ['Use neither single quotes nor double quotes', []],
  ['Do not use single quotes or double quotes.', []],
  // More than a tool can enforce.
  ['Use single quotes in SQL, because the parser needs them.', []],
  ['Do not make any changes to the schema.', []],
  ['Return early instead of nesting.', []],
  ['Await every promise before the database is closed.', []],
  ['Keep console.log in the command line for progress.', []],
] as const)('%s', (text, demands) => {
  expect(findDemands(text).map(({ subject, value }) => [subject, value])).toEqual(demands);
});

const says = (file: ConfigFile, text: string) => explainEnforced(text, collectEnforced([file]));

test.each<[string, ConfigFile['content'], string, string | null]>([
  ['.prettierrc.json', { singleQuote: true }, 'Use single quotes.', 'singleQuote'],
  ['.prettierrc.json', { singleQuote: false }, 'Use single quotes.', null],
  ['.prettierrc.json', {}, 'Use double quotes.', null],
  [
    'prettier.config.js',
    'export default {\n  // singleQuote: false,\n  semi: false,\n};\n',
    'No semicolons in code.',
    'semi',
  ],
  ['package.json', { prettier: { tabWidth: 4 } }, 'Indent with 4 spaces.', 'tabWidth'],
  ['biome.json', { javascript: { formatter: { quoteStyle: 'single' } } }, 'Use single quotes.', 'formatter.quoteStyle'],
  ['biome.json', { formatter: { enabled: false, lineWidth: 120 } }, 'Lines have at most 120 characters.', null],
  ['biome.json', { linter: { rules: { suspicious: { noExplicitAny: 'error' } } } }, 'Never use any.', 'noExplicitAny'],
  ['biome.json', { linter: { rules: { suspicious: { noExplicitAny: 'off' } } } }, 'Never use any.', null],
  [
    '.eslintrc.json',
    { rules: { '@typescript-eslint/no-explicit-any': 2 } },
    'No any types.',
    '@typescript-eslint/no-explicit-any',
  ],
  ['.eslintrc.json', { rules: { quotes: ['error', 'double'] } }, 'Use single quotes.', null],
  [
    'eslint.config.js',
    "rules: {\n  'no-var': 'error',\n  'quotes': ['error', 'single'],\n}",
    'Do not use var.',
    'no-var',
  ],
  [
    'eslint.config.js',
    "rules: {\n  'no-var': 'error',\n  'quotes': ['error', 'single'],\n}",
    'Use single quotes.',
    'quotes',
  ],
  ['eslint.config.js', "rules: { 'no-var': 'off' }", 'Do not use var.', null],
  ['tsconfig.json', { compilerOptions: { strict: true } }, 'No implicit any.', 'strict'],
  ['tsconfig.json', { compilerOptions: { strict: true, noImplicitAny: false } }, 'No implicit any.', null],
  ['tsconfig.json', { compilerOptions: { strict: true } }, 'Never use any.', null],
  // An editor is told, and nothing is enforced.
  ['.editorconfig', '[*]\nindent_style = space\nindent_size = 2\n', 'Indent with two spaces.', null],
  // Configurations that hold for some files only.
  ['eslint.config.js', "[{ files: ['test/**'], rules: { 'no-console': 'error' } }]", 'Never use console.log.', null],
  [
    'eslint.config.js',
    "[{ rules: { 'no-console': 'error' } }, { rules: { 'no-console': 'off' } }]",
    'Never use console.log.',
    null,
  ],
  ['eslint.config.js', "[{ rules: { quotes: ['error', 'single'] } }, prettier]", 'Use single quotes.', null],
  ['eslint.config.js', "[{ rules: { 'no-console': ['error', { allow: ['log'] }] } }]", 'Never use console.log.', null],
  ['eslint.config.js', "[{ rules: { 'no-console': ci ? 'error' : 'off' } }]", 'Never use console.log.', null],
  [
    '.eslintrc.json',
    { rules: { 'no-console': 2 }, overrides: [{ files: 'cli/**', rules: { 'no-console': 0 } }] },
    'Never use console.log.',
    null,
  ],
  [
    '.prettierrc.json',
    { semi: false, overrides: [{ files: '*.js', options: { semi: true } }] },
    'No semicolons.',
    null,
  ],
  [
    '.prettierrc.js',
    "module.exports = { overrides: [{ files: '*.md', options: { semi: false } }] }",
    'No semicolons.',
    null,
  ],
  ['biome.json', { formatter: { lineWidth: 80 }, overrides: [{}] }, 'Lines have at most 80 characters.', null],
  [
    'biome.json',
    { linter: { includes: ['src/**'], rules: { style: { useConst: 'error' } } } },
    'Prefer const over let.',
    null,
  ],
  // Options that let something pass.
  ['.eslintrc.json', { rules: { 'no-console': ['error', { allow: ['log'] }] } }, 'Do not use console.log.', null],
  ['.eslintrc.json', { rules: { quotes: ['error', 'backtick'] } }, 'Use double quotes.', null],
  ['.eslintrc.json', { rules: { quotes: ['error', 'single', { avoidEscape: true }] } }, 'Use single quotes.', null],
  ['.eslintrc.json', { rules: { curly: ['error', 'multi'] } }, 'Always use braces.', null],
  ['.eslintrc.json', { rules: { eqeqeq: ['error', 'allow-null'] } }, 'Use === instead of ==.', null],
  ['.eslintrc.json', { rules: { eqeqeq: ['error', 'always'] } }, 'Use === instead of ==.', 'eqeqeq'],
  ['.eslintrc.json', { rules: { 'vue/eqeqeq': 2 } }, 'Use === instead of ==.', null],
  ['biome.json', { linter: { rules: { suspicious: { noDoubleEquals: 'error' } } } }, 'Use === instead of ==.', null],
])('%s with %j and “%s”: %s', (path, content, text, setting) => {
  const reason = says({ path, content }, text);
  if (setting === null) expect(reason).toBeNull();
  else expect(reason).toContain(`${path} (${setting})`);
});

test('a rule with two demands is refused only if both are enforced', () => {
  const both = 'Use single quotes and no semicolons.';
  expect(says({ path: '.prettierrc', content: { singleQuote: true } }, both)).toBeNull();
  expect(says({ path: '.prettierrc', content: { singleQuote: true, semi: false } }, both)).toBe(
    'A rule says what no tool enforces, and this is enforced by .prettierrc (singleQuote) and .prettierrc (semi).',
  );
});
