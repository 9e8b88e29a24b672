// Which tool looks at which file of a repository of several packages and languages, and what several of them say
// together.

import { isNoSuchCheck } from '../../../server/src/core/verify/answer.ts';
import { expect, test } from 'vitest';
import { findLinterFolder, languageLinters } from '../../../server/src/core/verify/detect/languageLinters.ts';
import {
  detectPackageManager,
  findPackagesAround,
  readProject,
} from '../../../server/src/core/verify/detect/project.ts';
import { gate as lint } from '../../../server/src/core/verify/gates/lint/gate.ts';
import { gate as types } from '../../../server/src/core/verify/gates/types/gate.ts';
import { findLintAreas } from '../../../server/src/core/verify/linters/lintAreas.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox, type MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, spoken } from './inMemory.ts';
import { edit } from './verifying.ts';

type Texts = Readonly<Record<string, string>>;
const worktreeOf = (files: Texts) =>
  createMemorySandbox(createMemoryFiles(files), {}).open(new AbortController().signal);
const bin = (name: string, folder = '') => ({ [`${folder}node_modules/.bin/${name}`]: '' });

test('a project is what lies in its folder, with the programs and the package manager of those around it', async () => {
  const worktree = await worktreeOf({
    'package.json': '{"scripts": {"test": "root"}}',
    'pnpm-lock.yaml': '',
    'packages/a/package.json': '{"scripts": {"test": "inner"}}',
    'packages/a/.mocharc.json': '{}',
    ...bin('eslint'),
    ...bin('tsc', 'packages/a/'),
    ...bin('mocha', 'packages/'),
  });
  const root = await readProject(worktree);
  expect([root.folder, root.manifest?.scripts['test'], detectPackageManager(root)]).toEqual(['', 'root', 'pnpm']);
  expect([...root.files].sort()).toEqual(['node_modules/.bin/eslint', 'pnpm-lock.yaml']);
  expect([...root.programs]).toEqual([['eslint', ['eslint']]]);
  const inner = await readProject(worktree, 'packages/a', root);
  expect([inner.folder, inner.manifest?.scripts['test'], detectPackageManager(inner)]).toEqual([
    'packages/a',
    'inner',
    'pnpm',
  ]);
  expect(inner.programs.get('eslint')).toEqual(['eslint']);
  expect(inner.programs.get('tsc')).toEqual(['./node_modules/.bin/tsc']);
  expect(inner.files.has('.mocharc.json')).toBe(true);
  expect(inner.files.has('pnpm-lock.yaml')).toBe(false);
});

test.each<[string, string[]]>([
  ['a.ts', []],
  ['packages/b.ts', []],
  ['packages/a/src/deep/c.ts', ['packages/a']],
  ['packages/a/types/d.ts', ['packages/a/types']],
])('the package around %s', async (path, expected) => {
  const worktree = await worktreeOf({
    'package.json': '{}',
    'packages/a/package.json': '{}',
    'packages/a/types/tsconfig.json': '{}',
    'packages/a/src/index.ts': '',
  });
  expect(await findPackagesAround(worktree, [path])).toEqual(expected);
});

test.each<[string, Texts, string, string | null]>([
  ['a/x.py', { 'ruff.toml': '' }, 'ruff', ''],
  ['a/x.py', { '.ruff.toml': '' }, 'ruff', ''],
  ['a/x.py', { 'ruff.toml': '', 'a/ruff.toml': '' }, 'ruff', ''],
  ['a/x.py', { 'pyproject.toml': '[project]\n', 'a/ruff.toml': '' }, 'ruff', 'a'],
  ['a/x.py', { 'pyproject.toml': '[tool.ruff.lint]\n' }, 'ruff', ''],
  ['a/x.py', { 'pyproject.toml': '[project]\n' }, 'ruff', null],
  ['a/src/x.rs', { 'a/Cargo.toml': '[lints.clippy]\n' }, 'clippy', 'a'],
  ['a/src/x.rs', { 'a/Cargo.toml': '', 'a/clippy.toml': '' }, 'clippy', 'a'],
  ['a/src/x.rs', { 'a/Cargo.toml': '', 'a/src/main.rs': '#![allow(clippy::all)]\n' }, 'clippy', 'a'],
  ['a/src/x.rs', { 'a/Cargo.toml': '' }, 'clippy', null],
  ['a/src/x.rs', { 'clippy.toml': '' }, 'clippy', null],
  ['a/b/x.go', { 'go.mod': '', 'a/go.mod': '' }, 'vet', 'a'],
  ['a/b/x.go', {}, 'vet', null],
  ['a/b/x.go', { 'go.mod': '', '.golangci.yml': 'linters:\n' }, 'golangci', ''],
  ['a/b/x.go', { 'go.mod': '', 'a/.golangci.yml': 'linters:\n' }, 'golangci', null],
  ['x.go', { 'go.mod': '', '.golangci.yml': 'custom:\n  a:\n    path: ./a.so\n' }, 'golangci', null],
  ['x.go', { 'go.mod': '', '.golangci.yml': 'custom:\n  a:\n    path: >-\n      ./a\n' }, 'golangci', null],
  ['x.go', { 'go.mod': '', '.golangci.yml': '', '.golangci.toml': '[linters-settings.Custom.a]\n' }, 'golangci', null],
  ['x.go', { 'go.mod': '', '.golangci.json': '{"linters-settings": {"c\\u0075stom": {}}}' }, 'golangci', null],
  ['x.go', { 'go.mod': '', '.golangci.yml': 'gci:\n  custom-order: true\n' }, 'golangci', ''],
  ['x.go', { 'go.mod': '' }, 'golangci', null],
])('%s beside %j is looked at by %3$s from %j', async (path, files, kind, home) => {
  const language = languageLinters.find(({ createLinter }) => createLinter({ folder: '' } as never).kind === kind)!;
  expect(await findLinterFolder(language, path, await worktreeOf({ ...files, [path]: '' }))).toBe(home);
});

test.each<[string, string, boolean]>([
  ['4.19.1', 'eslint', false],
  ['6.7.2', 'eslint', false],
  ['6.8.0', 'eslint', true],
  ['10.0.0', 'eslint', true],
  ['5.0.0', './node_modules/.bin/eslint', false],
])('ESLint %s as `%s` is given the option that it knows since 6.8: %j', async (version, program, isGiven) => {
  const folder = program === 'eslint' ? '' : 'packages/a/';
  const worktree = await worktreeOf({
    'package.json': '{}',
    'packages/a/package.json': '{}',
    'packages/a/.eslintrc.json': '{}',
    ...bin('eslint', folder),
    [`${folder}node_modules/eslint/package.json`]: JSON.stringify({ version }),
  });
  const [area] = await findLintAreas(worktree, await readProject(worktree), ['packages/a/x.js'], '');
  const words = ['--format', 'json', ...(isGiven ? ['--no-error-on-unmatched-pattern'] : []), '--', 'x.js'];
  expect(area?.linter.command(['x.js'])?.command).toEqual([program, ...words]);
});

async function areasOf(files: Texts, paths: readonly string[], setting = '') {
  const worktree = await worktreeOf(files);
  const areas = await findLintAreas(worktree, await readProject(worktree), paths, setting);
  return areas.map(({ linter, folder, pathsFor: told }) => `${linter.name} in '${folder}': ${told(paths).join(' ')}`);
}

const repository = {
  'package.json': '{}',
  'eslint.config.js': '',
  'packages/a/package.json': '{}',
  'packages/a/biome.json': '',
  'packages/b/package.json': '{}',
  'go.mod': '',
  'tools/go.mod': '',
  ...bin('eslint'),
  ...bin('biome'),
};
const touched = ['x.ts', 'packages/a/y.ts', 'packages/b/z.ts', 'packages/ab/w.ts', 'u.go', 'tools/v.go', 'README.md'];

test('a package has its own linter, and the root looks at all else; other languages have theirs', async () => {
  expect(await areasOf(repository, touched)).toEqual([
    "Biome in 'packages/a': y.ts",
    "ESLint in '': x.ts packages/b/z.ts packages/ab/w.ts",
    "go vet in '': u.go",
    "go vet in 'tools': v.go",
    "go fix in '': u.go",
    "go fix in 'tools': v.go",
  ]);
});

test('a command of the setting is the only one, and looks at everything', async () => {
  expect(await areasOf(repository, touched, 'make lint')).toEqual([
    `the command of the setting in '': ${touched.join(' ')}`,
  ]);
  expect(await areasOf(repository, touched, ' ')).toEqual(await areasOf(repository, touched));
});

test('without a linter at the root, packages keep theirs', async () => {
  const { 'eslint.config.js': _none, ...rest } = repository;
  expect(await areasOf(rest, ['x.ts', 'packages/a/y.ts'])).toEqual(["Biome in 'packages/a': y.ts"]);
  expect(await areasOf({}, ['x.ts'])).toEqual([]);
});

/** As Go prints it: so many findings of one kind. */
const found = (count: number) => ({
  stdout: JSON.stringify({
    sample: { assign: Array.from({ length: count }, () => ({ posn: 'a.go:1:1', message: 'm' })) },
  }),
});
const bySide =
  (without: number, withIt: number): MemoryCommand =>
  (texts) =>
    found(texts.get('a.go') === 'new' ? withIt : without);
/** Problems that `go vet` and `go fix` find without the change and with it → the answer. */
const lintOf = (vet: readonly [number, number], fix: readonly [number, number]) =>
  answerOf(lint, {
    files: { 'go.mod': '', 'a.go': 'old' },
    edits: [edit('a.go', 'old', 'new')],
    commands: { 'go vet -json .': bySide(...vet), 'go fix -json .': bySide(...fix) },
    overrides: { claimsOf: () => ['findings'] },
  });

test('of several linters the one that finds less is quoted, and what they find less together is the gain', async () => {
  for (const [vet, fix] of [
    [
      [3, 2],
      [1, 1],
    ],
    [
      [1, 1],
      [3, 2],
    ],
  ] as const) {
    const answer = await lintOf(vet, fix);
    expect(spoken(answer)).toBe('passed: 1 lint problem less, and no new one; 2 left.');
    expect(answer.evidence).toMatchObject({ problems: 3, problemsBefore: 4 });
  }
});

test('one linter that finds more refuses the change, whatever the other finds less', async () => {
  const answer = await lintOf([0, 1], [5, 0]);
  expect(spoken(answer)).toBe('failed: 1 new lint problem: a.go assign m');
  expect(answer.evidence).toMatchObject({ problems: 1, problemsBefore: 0 });
});

test('what only could be written otherwise does not count for other changes', async () => {
  const answer = await answerOf(lint, {
    files: { 'go.mod': '', 'a.go': 'old' },
    edits: [edit('a.go', 'old', 'new')],
    commands: { 'go vet -json .': bySide(0, 0), 'go fix -json .': bySide(0, 9) },
  });
  expect(spoken(answer)).toBe('passed: No lint problem.');
});

test('no touched file may be one that the linter looks at', async () => {
  const files = { 'package.json': '{}', 'eslint.config.js': '', ...bin('eslint') };
  expect(spoken(await answerOf(lint, { files, edits: [edit('a.md', '', 'x')] }))).toBe(
    'unknown: No touched file is one that ESLint looks at.',
  );
  const none = await answerOf(lint, { edits: [edit('a.ts', '', 'x')] });
  expect([spoken(none), isNoSuchCheck(none)]).toEqual(['unknown: No linter was found.', true]);
});

test.each([
  ['eslint.config.js', 'a.ts', 'ESLint'],
  ['biome.json', 'a.css', 'Biome'],
  ['.oxlintrc.json', 'a.ts', 'oxlint'],
  ['packages/a/eslint.config.js', 'packages/a/b.ts', 'ESLint'],
  ['eslint.config.js', 'a.md', null],
  ['packages/a/eslint.config.js', 'b.ts', null],
])('a linter of %s that is not installed is a missing check for %s: %s', async (config, path, name) => {
  const files = { 'package.json': '{}', 'packages/a/package.json': '{}', [config]: '' };
  const answer = await answerOf(lint, { files, edits: [edit(path, '', 'x')] });
  const missing = name === null ? '' : `: ${name} is configured, but not installed`;
  expect([spoken(answer), isNoSuchCheck(answer)]).toEqual([`unknown: No linter was found${missing}.`, name === null]);
});

const TSC = 'tsc --noEmit -p tsconfig.json --pretty false';
const clean: MemoryCommand = () => ({});
/** An error in a file of the folder that the compiler runs in, if the text has changed. */
const wrong =
  (path: string, name: string): MemoryCommand =>
  (texts) =>
    texts.get(path) === 'new' ? { stdout: `${name}(1,1): error TS1: Oh.`, exitCode: 2 } : {};

test('types: the root is checked, and each package that is touched, up to the first that fails', async () => {
  const files = {
    'tsconfig.json': '{}',
    'packages/a/tsconfig.json': '{}',
    'packages/b/tsconfig.json': '{}',
    'packages/a/x.ts': 'old',
    'packages/b/y.ts': 'old',
    ...bin('tsc'),
  };
  const edits = [edit('packages/a/x.ts', 'old', 'new'), edit('packages/b/y.ts', 'old', 'new')];
  const typesOf = (command: MemoryCommand) => answerOf(types, { files, edits, commands: { [TSC]: command } });
  const all = await typesOf(clean);
  expect(spoken(all)).toBe('passed: No type error.');
  expect(String(all.evidence['commands']).split('\n')).toHaveLength(3);
  expect(spoken(await typesOf(wrong('packages/a/x.ts', 'x.ts')))).toBe('failed: 1 new type error: x.ts TS1 Oh.');
});

test('types: a tree of projects, and a command that the person chose, cover the packages', async () => {
  const files = { 'packages/a/tsconfig.json': '{}', 'packages/a/x.ts': 'old', ...bin('tsc') };
  const edits = [edit('packages/a/x.ts', 'old', 'new')];
  const tree = await answerOf(types, {
    files: { ...files, 'tsconfig.json': '{"files": [], "references": [{"path": "packages/a"}]}' },
    edits,
    commands: { 'tsc -b --pretty false': clean },
  });
  expect([spoken(tree), tree.evidence['commands']]).toEqual(['passed: No type error.', undefined]);
  const chosen = await answerOf(types, {
    files: { ...files, 'tsconfig.json': '{}' },
    edits,
    commands: { 'make types': clean },
    overrides: { settings: { typesCommand: 'make types' } },
  });
  expect([spoken(chosen), chosen.evidence['commands']]).toEqual(['passed: No type error.', undefined]);
});

test('types: nothing checks them; without TypeScript, a check that is configured cannot run', async () => {
  const edits = [edit('packages/a/x.ts', '', 'x')];
  const none = await answerOf(types, { edits });
  expect([spoken(none), isNoSuchCheck(none)]).toEqual([
    'unknown: No type check was found: no package script, and no tsconfig.json.',
    true,
  ]);
  const wordsWith = async (name: string) => spoken(await answerOf(types, { edits, files: { [name]: '' } }));
  expect(await wordsWith('go.mod')).toMatch(/the compiler of Go checks the types when the tests are built\.$/);
  expect(await wordsWith('setup.py')).toMatch(/No type check was found for Python: `selfware\.verify\.typesCommand`/);
  for (const path of ['tsconfig.json', 'packages/a/tsconfig.json']) {
    const answer = await answerOf(types, { files: { 'packages/a/package.json': '{}', [path]: '{}' }, edits });
    expect([spoken(answer), isNoSuchCheck(answer)]).toEqual([
      'unknown: No type check was found: there is a tsconfig.json, but no TypeScript is installed.',
      false,
    ]);
  }
});

test.each([
  ['linters:\n  enable: [errcheck]\n', '--out-format=json'],
  ['version: "2"\nlinters:\n', '--output.json.path=stdout'],
])('golangci-lint with the configuration %j gets %s', async (config, option) => {
  const worktree = await worktreeOf({ 'go.mod': '', '.golangci.yml': config, 'cmd/x.go': '' });
  const areas = await findLintAreas(worktree, await readProject(worktree), ['cmd/x.go'], '');
  const commands = areas
    .filter(({ linter }) => linter.kind === 'golangci')
    .map(({ linter }) => linter.command(['cmd/x.go'])?.command.join(' '));
  expect(commands).toEqual([
    expect.stringMatching(
      new RegExp(`^golangci-lint run --config=\\.golangci\\.yml ${option}.* --fix=false.* \\./cmd$`),
    ),
  ]);
});
