// Where imports of TypeScript and JavaScript lead, rule by rule.

import { expect, test } from 'vitest';
import { configOf, resolved, type Texts } from './graphSupport.ts';

const json = (value: unknown) => JSON.stringify(value);
const workspace: Texts = {
  'package.json': json({ name: 'root', workspaces: ['packages/*', '!packages/old'] }),
  'packages/core/package.json': json({
    name: '@my/core',
    exports: {
      '.': { types: './dist/index.d.mts', import: './dist/index.mjs' },
      './extra': './dist/esm/extra.js',
      './deep/*': './dist/deep/*.js',
      './deep/secret/*': null,
      './kept': './kept.js',
    },
  }),
  'packages/core/src/index.ts': '',
  'packages/core/src/extra/index.ts': '',
  'packages/core/src/deep/a.ts': '',
  'packages/core/src/deep/secret/b.ts': '',
  'packages/core/src/hidden.ts': '',
  'packages/core/kept.js': '',
  'packages/app/package.json': json({
    name: 'app',
    dependencies: { '@my/core': 'workspace:*', linked: 'link:../../other' },
  }),
  'packages/app/main.ts': '',
  'packages/old/package.json': json({ name: 'old' }),
  'packages/old/index.js': '',
  'packages/plain/package.json': json({ name: 'plain', main: 'build/plain.js' }),
  'packages/plain/src/plain.ts': '',
  'packages/plain/util.js': '',
  'packages/source/package.json': json({
    name: 'source',
    exports: { '.': { '@root/source': './code/begin.ts', default: './out/begin.js' } },
  }),
  'packages/source/code/begin.ts': '',
  'packages/built/package.json': json({ name: 'built', main: './artefacts/one.js' }),
  'packages/built/tsconfig.json': json({ compilerOptions: { outDir: 'artefacts', rootDir: 'code' } }),
  'packages/built/code/one.ts': '',
  'other/package.json': json({ name: 'whatever' }),
  'other/index.ts': '',
};
const aliases: Texts = {
  'tsconfig.base.json':
    '{\n  // comments and trailing commas are fine here\n  "compilerOptions": { "paths": { "@lib/*": ["./lib/*", "./fallback/*"], "@lib/deep/*": ["./deep/*"], "exact": ["./lib/exact.ts"], "*/a/*": ["./nowhere/*"], "#x/*": ["./lib/*"], }, },\n}',
  'app/tsconfig.json': json({ extends: '../tsconfig.base' }),
  'app/main.ts': '',
  'lib/a.ts': '',
  'lib/exact.ts': '',
  'fallback/b.tsx': '',
  'deep/a.ts': '',
  'based/tsconfig.json': json({ compilerOptions: { baseUrl: './src', paths: { '~/*': ['*'] } } }),
  'based/src/util/c.ts': '',
  'based/src/main.ts': '',
  'vite/tsconfig.json': json({ files: [], references: [{ path: './tsconfig.app.json' }] }),
  'vite/tsconfig.app.json': json({ compilerOptions: { paths: { '@/*': ['./src/*'] } } }),
  'vite/src/d.ts': '',
  'templated/conf/tsconfig.shared.json': json({ compilerOptions: { paths: { 'mine/*': ['${configDir}/own/*'] } } }),
  'templated/tsconfig.json': json({ extends: './conf/tsconfig.shared.json' }),
  'templated/own/e.ts': '',
  'roots/tsconfig.json': json({ compilerOptions: { rootDirs: ['src', 'generated'] } }),
  'roots/src/main.ts': '',
  'roots/generated/f.ts': '',
};

test.each<readonly [string, Texts, from: string, specifier: string, to: string | null]>([
  ['a file without extension', { 'a.ts': '', 'b.ts': '' }, 'a.ts', './b', 'b.ts'],
  ['.js means .ts', { 'a.ts': '', 'b.ts': '' }, 'a.ts', './b.js', 'b.ts'],
  ['.mjs means .mts', { 'a.ts': '', 'b.mts': '' }, 'a.ts', './b.mjs', 'b.mts'],
  ['.jsx means .tsx', { 'a.ts': '', 'b.tsx': '' }, 'a.ts', './b.jsx', 'b.tsx'],
  ['a .js that is there, from JavaScript', { 'a.js': '', 'b.js': '', 'b.ts': '' }, 'a.js', './b.js', 'b.js'],
  ['the implementation, from TypeScript', { 'a.ts': '', 'b.d.ts': '', 'b.js': '' }, 'a.ts', './b', 'b.js'],
  ['the implementation by its name', { 'a.ts': '', 'b.d.ts': '', 'b.js': '' }, 'a.ts', './b.js', 'b.js'],
  ['its source first', { 'a.ts': '', 'b.ts': '', 'b.d.ts': '', 'b.js': '' }, 'a.ts', './b.js', 'b.ts'],
  ['declarations alone', { 'a.ts': '', 'b.d.ts': '' }, 'a.ts', './b.js', 'b.d.ts'],
  ['the implementation, from JavaScript', { 'a.js': '', 'b.d.ts': '', 'b.js': '' }, 'a.js', './b', 'b.js'],
  ['a file before a folder', { 'a.ts': '', 'b.ts': '', 'b/index.ts': '' }, 'a.ts', './b', 'b.ts'],
  ['a folder before a file, with a slash', { 'a.ts': '', 'b.ts': '', 'b/index.ts': '' }, 'a.ts', './b/', 'b/index.ts'],
  ['the folder itself', { 'x/a.ts': '', 'x/index.ts': '' }, 'x/a.ts', '.', 'x/index.ts'],
  ['the root', { 'x/a.ts': '', 'index.ts': '' }, 'x/a.ts', '..', 'index.ts'],
  ['nothing outside of the root', { 'a.ts': '', 'b.ts': '' }, 'a.ts', '../../etc/b', null],
  ['a name with dots', { 'a.ts': '', 'b.config.ts': '' }, 'a.ts', './b.config', 'b.config.ts'],
  ['what a bundler is told behind the path', { 'a.ts': '', 'b.svg': '' }, 'a.ts', './b.svg?raw', 'b.svg'],
  ['a component', { 'a.ts': '', 'b.vue': '' }, 'a.ts', './b.vue', 'b.vue'],
  [
    'the main file of a folder',
    { 'a.js': '', 'b/package.json': json({ main: './lib/c.js' }), 'b/lib/c.js': '' },
    'a.js',
    './b',
    'b/lib/c.js',
  ],

  ['the longest pattern of paths', aliases, 'app/main.ts', '@lib/deep/a', 'deep/a.ts'],
  ['the next target when the first is not there', aliases, 'app/main.ts', '@lib/b', 'fallback/b.tsx'],
  ['an exact pattern', aliases, 'app/main.ts', 'exact', 'lib/exact.ts'],
  ['a pattern of several * is invalid', aliases, 'app/main.ts', 'lib/a/a', null],
  ['baseUrl', aliases, 'based/src/main.ts', 'util/c', 'based/src/util/c.ts'],
  ['paths from baseUrl', aliases, 'based/src/main.ts', '~/util/c', 'based/src/util/c.ts'],
  ['paths of a referenced configuration', aliases, 'vite/src/d.ts', '@/d', 'vite/src/d.ts'],
  ['configDir is the folder of the file that extends', aliases, 'templated/own/e.ts', 'mine/e', 'templated/own/e.ts'],
  ['rootDirs lie over each other', aliases, 'roots/src/main.ts', './f', 'roots/generated/f.ts'],
  [
    'an alias that only a bundler knows',
    { 'src/a.ts': '', 'src/store/user.ts': '' },
    'src/a.ts',
    '@/store/user',
    'src/store/user.ts',
  ],

  [
    'a package of the workspace, built file → source',
    workspace,
    'packages/app/main.ts',
    '@my/core',
    'packages/core/src/index.ts',
  ],
  [
    'a subpath, kind of module and index',
    workspace,
    'packages/app/main.ts',
    '@my/core/extra',
    'packages/core/src/extra/index.ts',
  ],
  ['a subpath pattern', workspace, 'packages/app/main.ts', '@my/core/deep/a', 'packages/core/src/deep/a.ts'],
  ['null forbids, and the longer pattern wins', workspace, 'packages/app/main.ts', '@my/core/deep/secret/b', null],
  ['what is not exported is not there', workspace, 'packages/app/main.ts', '@my/core/src/hidden', null],
  ['a target that is there', workspace, 'packages/app/main.ts', '@my/core/kept', 'packages/core/kept.js'],
  ['main without exports', workspace, 'packages/app/main.ts', 'plain', 'packages/plain/src/plain.ts'],
  ['a file of a package without exports', workspace, 'packages/app/main.ts', 'plain/util', 'packages/plain/util.js'],
  ['a condition for sources goes first', workspace, 'packages/app/main.ts', 'source', 'packages/source/code/begin.ts'],
  ['outDir → rootDir', workspace, 'packages/app/main.ts', 'built', 'packages/built/code/one.ts'],
  ['a linked folder, whatever its name', workspace, 'packages/app/main.ts', 'linked', 'other/index.ts'],
  ['no package outside of the workspace', workspace, 'packages/app/main.ts', 'whatever', null],
  ['no package that the workspace leaves out', workspace, 'packages/app/main.ts', 'old', null],
  [
    'the package itself',
    workspace,
    'packages/core/src/hidden.ts',
    '@my/core/extra',
    'packages/core/src/extra/index.ts',
  ],
  [
    'pnpm workspaces',
    {
      'package.json': '{}',
      'pnpm-workspace.yaml': 'packages:\n  - "libs/**"\n',
      'libs/x/y/package.json': json({ name: 'y' }),
      'libs/x/y/index.ts': '',
      'libs/z/package.json': json({ name: 'z' }),
      'libs/z/a.ts': '',
    },
    'libs/z/a.ts',
    'y',
    'libs/x/y/index.ts',
  ],

  [
    'imports by #name',
    {
      'package.json': json({
        imports: {
          '#a': './src/a.js',
          '#lib/*': { development: './src/lib/*.ts', default: './dist/lib/*.js' },
          '#out': 'elsewhere',
        },
      }),
      'src/a.ts': '',
      'src/lib/b.ts': '',
      'c.ts': '',
    },
    'c.ts',
    '#lib/b',
    'src/lib/b.ts',
  ],
  [
    'a target of imports is a built file',
    { 'package.json': json({ imports: { '#a': './dist/a.js' } }), 'src/a.ts': '', 'c.ts': '' },
    'c.ts',
    '#a',
    'src/a.ts',
  ],
  [
    'imports that lead to themselves',
    { 'package.json': json({ imports: { '#a': '#b', '#b': '#a' } }), 'c.ts': '' },
    'c.ts',
    '#a',
    null,
  ],
  [
    'a package from outside',
    { 'package.json': json({ dependencies: { react: '1' } }), 'react.ts': '', 'a.ts': '' },
    'a.ts',
    'react',
    null,
  ],
  [
    'a folder of build output that is not in the repository',
    { 'package.json': json({ main: 'lib/index.js' }), 'src/index.js': '', 'test/a.js': '' },
    'test/a.js',
    '../lib',
    'src/index.js',
  ],
  [
    'a folder that is in the repository',
    { 'package.json': json({ main: 'lib/index.js' }), 'lib/index.js': '', 'src/index.js': '', 'test/a.js': '' },
    'test/a.js',
    '../lib',
    'lib/index.js',
  ],
  ['what node brings', { 'path.ts': '', 'a.ts': '' }, 'a.ts', 'node:path', null],
  ['an address', { 'a.ts': '', 'x.ts': '' }, 'a.ts', 'https://example.com/x.ts', null],
])('%s', async (_rule, texts, from, specifier, to) => {
  expect(await resolved(texts, from, specifier)).toBe(to);
});

test.each<readonly [string, Texts]>([
  [
    'targets out of the repository',
    {
      'package.json': json({
        name: 'p',
        exports: { '.': '../../../etc/passwd', './a': './../b.js' },
        imports: { '#a': './node_modules/x.js' },
      }),
      'b.js': '',
      'a.ts': '',
    },
  ],
  [
    'exports of every wrong kind',
    { 'package.json': json({ name: 'p', exports: [null, 1, true, [], { '.': 7 }] }), 'a.ts': '' },
  ],
  [
    'names that objects have by themselves',
    {
      'package.json': '{"name": "p", "exports": {"./x": "./a.ts"}, "dependencies": {"__proto__": "link:.."}}',
      'a.ts': '',
    },
  ],
  [
    'paths that are no lists',
    {
      'tsconfig.json':
        '{"compilerOptions": {"paths": {"p": 3, "q/*": {"a": 1}, "*": ["/etc/*", "../../*"]}, "baseUrl": 5, "rootDirs": "x"}}',
      'a.ts': '',
    },
  ],
])('%s lead nowhere', async (_name, texts) => {
  for (const specifier of ['p', 'p/a', 'p/constructor', 'p/__proto__', '#a', '__proto__', 'q/x', 'toString'])
    expect(await resolved(texts, 'a.ts', specifier)).toBeNull();
});

test('configuration that cannot be read is a notice, and the rest goes on', async () => {
  const texts = {
    'package.json': '{ not json',
    'tsconfig.json': '{"compilerOptions": {"paths": {"x": ["./a.ts"]}}}',
    'deep/tsconfig.json': '['.repeat(10_000),
    'long/package.json': ' '.repeat(1_000_001),
    'Cargo.toml': '= broken',
    'pnpm-workspace.yaml': 'a: &a [*a]\n b',
    'a.ts': '',
    'b.ts': '',
  };
  const { notices } = await configOf(texts);
  expect(notices.map(({ message }) => message.split(' ')[0]).sort()).toEqual([
    'Cargo.toml',
    'deep/tsconfig.json',
    'package.json',
  ]);
  expect(notices.every(({ severity, action }) => severity === 'warning' && action !== null)).toBe(true);
  expect(await resolved(texts, 'b.ts', 'x')).toBe('a.ts');
});

test('a circle of extends is said, and what it says up to there holds', async () => {
  const texts = {
    'tsconfig.json': json({ extends: './b.json', compilerOptions: { paths: { x: ['./a.ts'] } } }),
    'b.json': json({ extends: './tsconfig.json' }),
    'a.ts': '',
    'c.ts': '',
  };
  expect((await configOf(texts)).notices.map(({ message }) => message)).toEqual(['tsconfig.json extends itself.']);
  expect(await resolved(texts, 'c.ts', 'x')).toBe('a.ts');
});

test('a chain of extends is read up to its 20th file', async () => {
  const chainOf = (length: number) => ({
    ...Object.fromEntries(
      Array.from({ length }, (_, index) => [
        index === 0 ? 'tsconfig.json' : `c${index}.json`,
        json(
          index === length - 1
            ? { compilerOptions: { paths: { x: ['./a.ts'] } } }
            : { extends: `./c${index + 1}.json` },
        ),
      ]),
    ),
    'a.ts': '',
    'c.ts': '',
  });
  expect(await resolved(chainOf(20), 'c.ts', 'x')).toBe('a.ts');
  expect(await resolved(chainOf(21), 'c.ts', 'x')).toBeNull();
});

test('a table of thousands of exports and specifiers without end are no trouble', async () => {
  const texts = {
    'package.json': json({
      name: 'p',
      exports: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`./e${at}/*`, `./dist/e${at}/*.js`])),
    }),
    'src/e7/a.ts': '',
    'b.ts': '',
  };
  expect(await resolved(texts, 'b.ts', 'p/e7/a')).toBe('src/e7/a.ts');
  expect(await resolved(texts, 'b.ts', `./${'../'.repeat(50_000)}a`)).toBeNull();
  expect(await resolved(texts, 'b.ts', `p/${'e7/'.repeat(100_000)}`)).toBeNull();
});

test('globs of workspaces: stars within a level, any number of levels, alternatives, and what is left out', async () => {
  const folders = ['a/x', 'a/b/x', 'c/x', 'd/x', 'd/no', 'packages/ab', 'packages/ac'];
  const files: Texts = {
    'package.json': json({ workspaces: ['a/**/x', '{c,d}/*', '!d/no', 'packages/*b'] }),
    ...Object.fromEntries(
      folders.map((folder) => [`${folder}/package.json`, json({ name: folder.replaceAll('/', '-') })]),
    ),
    ...Object.fromEntries(folders.map((folder) => [`${folder}/index.js`, ''])),
    'main.js': '',
  };
  const led = await Promise.all(folders.map((folder) => resolved(files, 'main.js', folder.replaceAll('/', '-'))));
  const members = folders.filter((_, at) => led[at] !== null);
  expect(members).toEqual(['a/x', 'a/b/x', 'c/x', 'd/x', 'packages/ab']);
});

test('a glob with many stars ends at once', async () => {
  const folder = 'a'.repeat(200);
  const files: Texts = {
    'package.json': json({ workspaces: [`${'*a'.repeat(40)}*b`, `${'**/'.repeat(40)}b`] }),
    [`${folder}/package.json`]: json({ name: 'long' }),
    [`${'a/'.repeat(60)}package.json`]: json({ name: 'deep' }),
  };
  expect(await resolved({ ...files, 'main.js': '', [`${folder}/index.js`]: '' }, 'main.js', 'long')).toBeNull();
});
