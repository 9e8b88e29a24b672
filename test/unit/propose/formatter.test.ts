// Which program of a repository decides how its code looks.

import { expect, test } from 'vitest';
import { detectFormatter } from '../../../server/src/core/propose/formatter.ts';
import { detectLanguageFormatters } from '../../../server/src/core/propose/languageFormatters.ts';

const installed = (program: string) => ({ [`node_modules/.bin/${program}`]: '' });

test.each<[string, Readonly<Record<string, string>>, string | null, string | null]>([
  ['Prettier with its file', { ...installed('prettier'), '.prettierrc.json': '' }, null, 'Prettier'],
  ['Prettier in the manifest', installed('prettier'), '{ "prettier": { "semi": false } }', 'Prettier'],
  ['Prettier by a shared configuration', installed('prettier'), '{ "prettier": "@acme/prettier-config" }', 'Prettier'],
  ['Prettier as a dependency alone', installed('prettier'), '{ "devDependencies": { "prettier": "^3.0.0" } }', null],
  ['Prettier that is not installed', { '.prettierrc': '' }, null, null],
  [
    'Prettier before ESLint',
    {
      ...installed('prettier'),
      ...installed('eslint'),
      '.prettierrc': '',
      '.eslintrc.json': '{ "rules": { "indent": 2 } }',
    },
    null,
    'Prettier',
  ],
  ['Oxfmt', { ...installed('oxfmt'), '.oxfmtrc.json': '' }, null, 'Oxfmt'],
  ['Oxfmt without a configuration', installed('oxfmt'), null, null],
  ['Biome', { ...installed('biome'), 'biome.json': '' }, null, 'Biome'],
  [
    'ESLint with a rule over looks',
    { ...installed('eslint'), '.eslintrc.yml': 'root: true\nrules:\n  indent: [error, 2]\n' },
    null,
    'ESLint',
  ],
  [
    'ESLint with a plugin for looks',
    { ...installed('eslint'), 'eslint.config.mjs': "import stylistic from '@stylistic/eslint-plugin';\n" },
    null,
    'ESLint',
  ],
  [
    'ESLint with a style that is shared',
    { ...installed('eslint'), '.eslintrc': '{ "extends": ["airbnb"] }' },
    null,
    'ESLint',
  ],
  ['ESLint in the manifest', installed('eslint'), '{ "eslintConfig": { "rules": { "semi": "error" } } }', 'ESLint'],
  [
    'ESLint that says nothing of looks',
    {
      ...installed('eslint'),
      'eslint.config.js': "export default [js.configs.recommended, { rules: { 'no-var': 'error' } }];\n",
    },
    '{ "devDependencies": { "eslint": "9" } }',
    null,
  ],
  [
    'ESLint without a configuration',
    installed('eslint'),
    '{ "devDependencies": { "eslint-config-standard": "1" } }',
    null,
  ],
  ['Standard that a script calls', installed('standard'), '{ "scripts": { "lint": "standard" } }', 'Standard'],
  [
    'Standard among other commands',
    installed('standard'),
    '{ "scripts": { "test": "node --test && standard lib/" } }',
    'Standard',
  ],
  [
    'Standard that came along',
    installed('standard'),
    '{ "scripts": { "release": "standard-version" }, "devDependencies": { "standard": "^17.0.0" } }',
    null,
  ],
  [
    'Prettier in a script',
    installed('prettier'),
    '{ "scripts": { "check": "tsc && prettier --check ." } }',
    'Prettier',
  ],
  ['Prettier for prose', installed('prettier'), '{ "scripts": { "docs": "prettier --write \\"docs/*.md\\"" } }', null],
  [
    'Prettier on staged files',
    installed('prettier'),
    '{ "lint-staged": { "*.{ts,tsx}": ["eslint --fix", "prettier --write"] } }',
    'Prettier',
  ],
  ['Prettier on staged prose', installed('prettier'), '{ "lint-staged": { "*.md": "prettier --write" } }', null],
  [
    'Prettier in a file for staged files',
    { ...installed('prettier'), '.lintstagedrc.json': '{ "*.js": "prettier --write" }' },
    '{}',
    'Prettier',
  ],
  ['Oxfmt in a script', installed('oxfmt'), '{ "scripts": { "lint": "oxlint src && oxfmt --check src" } }', 'Oxfmt'],
  ['Biome without a configuration', installed('biome'), '{ "scripts": { "lint": "biome ci ." } }', 'Biome'],
  ['XO', { ...installed('xo'), ...installed('prettier') }, '{ "scripts": { "test": "xo && ava" } }', 'XO'],
  ['XO with a layout of its own', installed('xo'), '{ "scripts": { "test": "xo --space && ava" } }', null],
  ['XO after a command with such an option', installed('xo'), '{ "scripts": { "test": "a --space && xo" } }', 'XO'],
  ['Semistandard', installed('semistandard'), '{ "scripts": { "lint": "semistandard" } }', 'Standard'],
  ['nothing', {}, '{}', null],
])('%s', async (_, files, manifest, expected) => {
  const found = await detectFormatter(
    { exists: async (path) => path in files, read: async (path) => files[path] ?? null },
    manifest,
  );
  expect(found?.name ?? null).toBe(expected);
});

test.each([
  ['biome check --linter-enabled=true src', 'check'],
  ['biome format src', 'format'],
])('Biome sorts imports if %s would', async (script, command) => {
  const files = installed('biome');
  const found = await detectFormatter(
    { exists: async (path) => path in files, read: async () => null },
    JSON.stringify({ scripts: { lint: script } }),
  );
  expect(found?.command(['a.ts']).slice(0, 2)).toEqual(['biome', command]);
});

test('Prettier takes the configuration that ts-scripts brings along', async () => {
  const config = 'node_modules/@borderless/ts-scripts/configs/prettier.js';
  const manifest = '{ "scripts": { "test": "ts-scripts test" } }';
  const find = (files: Readonly<Record<string, string>>) =>
    detectFormatter({ exists: async (path) => path in files, read: async () => null }, manifest);
  const formatter = await find({ ...installed('prettier'), [config]: '' });
  expect(formatter?.command(['a.ts'])).toEqual(
    expect.arrayContaining(['prettier', '--config', config, '--write', 'a.ts']),
  );
  expect(await find(installed('prettier'))).toBeNull();
});

test('a long command line is searched at once', async () => {
  const manifest = JSON.stringify({ scripts: { lint: 'xo '.repeat(20_000) } });
  const files = installed('xo');
  const start = performance.now();
  await detectFormatter({ exists: async (path) => path in files, read: async () => null }, manifest);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>, readonly string[]]>([
  ['Go', ['a.go', 'b.py'], {}, ['gofmt']],
  ['Ruff by its table', ['b.py'], { 'pyproject.toml': '[tool.ruff.format]\nquote-style = "single"\n' }, ['Ruff']],
  ['Ruff in its own file', ['b.pyi', 'a.go'], { 'ruff.toml': 'line-length = 90\n[format]\n' }, ['gofmt', 'Ruff']],
  ['Ruff as a linter alone', ['b.py'], { 'pyproject.toml': '[tool.ruff]\nline-length = 90\n' }, []],
  ['Ruff in a hook', ['b.py'], { '.pre-commit-config.yaml': '  hooks:\n    - id: ruff-format\n' }, ['Ruff']],
  ['Black by its table', ['b.py'], { 'pyproject.toml': '[tool.black]\n' }, ['Black']],
  ['Black in a hook', ['b.py'], { '.pre-commit-config.yaml': '    - id: black\n' }, ['Black']],
  ['a hook that is off', ['b.py'], { '.pre-commit-config.yaml': '    # - id: black\n' }, []],
  ['other files', ['a.ts'], { 'pyproject.toml': '[tool.black]\n' }, []],
])('the formatters of other languages: %s', async (_, paths, files, expected) => {
  const found = await detectLanguageFormatters(paths, async (path) => files[path] ?? null);
  expect(found.map(({ name }) => name)).toEqual(expected);
});
