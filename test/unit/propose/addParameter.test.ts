// Adding a parameter: which importers of the function allow it, by whatever import they call it.

import { expect, test } from 'vitest';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { transform } from '../../../server/src/core/propose/transforms/transform.ts';
import { memoryTree } from './recipeCase.ts';

const show = 'export function show(name: string): string {\n  return name;\n}\n';
const request = {
  kind: 'addParameter',
  path: 'src/show.ts',
  symbol: 'show',
  name: 'at',
  type: 'number',
  defaultValue: '0',
} as const;
/** Arrays of our own, because the test reads no library. */
const words = 'declare const words: { map(one: (word: string, at: number) => string): string };\n';

/** The text of src/show.ts afterwards, or the refusal. */
function added(files: Readonly<Record<string, string>>): string {
  const outcome = transform(request, memoryTree({ 'src/show.ts': show, ...files }));
  return 'refused' in outcome ? outcome.refused : (outcome.edits[0]?.after ?? '');
}

/** What the compiler says of src/a.ts with this text of src/show.ts. */
function problems(files: Readonly<Record<string, string>>, text: string): readonly string[] {
  const tree = memoryTree({ 'src/show.ts': show, ...files, ...(text === '' ? {} : { 'src/show.ts': text }) });
  return openProject(tree, '/repository/src/a.ts', files['src/a.ts']!).problems();
}

const byDefault = show.replace('export function', 'export default function');
const byOtherName = `${show.replace('export ', '')}export { show as display };\n`;

test.each<[string, Readonly<Record<string, string>>]>([
  ['by its name', { 'src/a.ts': "import { show } from './show';\nshow('a');\n" }],
  ['by another name', { 'src/a.ts': "import { show as of } from './show';\nof('a');\n" }],
  ['of the module', { 'src/a.ts': "import * as m from './show';\nexport const a: string = m.show('a');\n" }],
  ['of a default import', { 'src/show.ts': byDefault, 'src/a.ts': "import of from './show';\nof('a');\n" }],
  [
    'of a default by name',
    { 'src/show.ts': byDefault, 'src/a.ts': "import { default as of } from './show';\nof('a');\n" },
  ],
  [
    'of an export with another name',
    { 'src/show.ts': byOtherName, 'src/a.ts': "import { display } from './show';\ndisplay('a');\n" },
  ],
  [
    'behind a file that passes it on',
    {
      'src/all.ts': "export * from './show';\n",
      'src/named.ts': "export { show as named } from './all';\n",
      'src/a.ts': "import * as m from './all';\nimport { named } from './named';\nm.show(named('a'));\n",
    },
  ],
  [
    'beside a mock of the module',
    {
      'src/a.ts':
        "import { show } from './show';\ndeclare const vi: { mock(path: string): void };\nvi.mock('./show');\nshow('a');\n",
    },
  ],
  [
    'of a module that is loaded later',
    {
      'src/a.ts':
        "const m = await import('./show');\nconst { show: of } = await import('./show');\nm.show(of((await " +
        "import('./show')).show('a')));\nvoid import('./show').then(({ show }) => show('a'));\nexport {};\n",
    },
  ],
  [
    'beside computed names that lead elsewhere, or are only called',
    {
      'src/a.ts':
        'declare const name: string;\ndeclare const keep: (module: unknown) => void;\nkeep(await ' +
        'import(`./pages/${name}`));\nkeep(await import(`./${name}.json`));\nconst m = await import(name);\n' +
        "m.show('a');\nm.other('a', 1);\nexport {};\n",
    },
  ],
])('no call changes: %s', (_what, files) => {
  const after = added(files);
  expect(after).toContain('show(name: string, at: number = 0)');
  expect(problems(files, after)).toEqual(problems(files, ''));
  expect(problems(files, after)).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  [
    'a component that imports something else',
    { 'src/App.vue': "<script setup>\nimport { a } from './a';\n</script>\n<template><p v-show='a' /></template>\n" },
  ],
  [
    'a name of its own where names are imported automatically',
    {
      'package.json': '{ "devDependencies": { "nuxt": "^4.0.0" } }',
      'src/a.ts': "const show = (name: string) => name;\n['a'].map(show);\nexport {};\n",
      'src/b.ts': 'export const has = (it: { show: string }) => it.show;\n',
      'src/App.vue': '<template><p v-show="true" /></template>\n',
    },
  ],
])('no reason to refuse: %s', (_what, files) => expect(added(files)).toContain('at: number = 0'));

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['a callback', { 'src/a.ts': `import { show } from './show';\n${words}words.map(show);\n` }, /a\.ts hands it on/],
  [
    'a callback of the module',
    { 'src/a.ts': `import * as m from './show';\n${words}words.map(m.show);\n` },
    /a\.ts hands it on/,
  ],
  ['the whole module', { 'src/a.ts': "import * as m from './show';\nconsole.log(m);\n" }, /hands on the whole module/],
  [
    'a computed member',
    { 'src/a.ts': "import * as m from './show';\nm['show']('a', 1);\n" },
    /hands on the whole module/,
  ],
  [
    'more arguments',
    { 'src/a.js': "import * as m from './show';\nm.show('a', 1);\n" },
    /a\.js hands it on, or calls it with more/,
  ],
  [
    'a callback of a default import',
    { 'src/show.ts': byDefault, 'src/a.ts': `import of from './show';\n${words}words.map(of);\n` },
    /a\.ts hands it on/,
  ],
  [
    'a callback by another name',
    { 'src/show.ts': byOtherName, 'src/a.ts': `import { display } from './show';\n${words}words.map(display);\n` },
    /a\.ts hands it on/,
  ],
  [
    'a callback behind a file that passes it on',
    {
      'src/all.ts': "export * from './show';\n",
      'src/a.ts': `import * as m from './all';\n${words}words.map(m.show);\n`,
    },
    /a\.ts hands it on/,
  ],
  [
    'a module under a name',
    { 'src/all.ts': "export * as all from './show';\nexport const show = 1;\n" },
    /whole module/,
  ],
  [
    'a callback in another package of the repository',
    {
      'src/package.json': '{ "name": "@s/a" }',
      'src/index.ts': "export * from './show';\n",
      'b/a.ts': `import { show } from '@s/a';\n${words}words.map(show);\n`,
    },
    /b\/a\.ts hands it on/,
  ],
  [
    'a callback behind the index of the root',
    {
      'index.ts': "export { show } from './src/show';\n",
      'test/a.ts': `import { show } from '..';\n${words}words.map(show);\n`,
    },
    /test\/a\.ts hands it on/,
  ],
  [
    'a callback of a module loaded later, with a comment',
    { 'src/a.ts': "const m = await import(/* webpackChunkName: 'show' */ './show');\nwords.map(m.show);\n" },
    /hands it on/,
  ],
  [
    'a module behind its mock',
    { 'src/a.ts': "const { show } = jest.requireActual('./show');\nwords.map(show);\n" },
    /hands it on/,
  ],
  ['a module loaded later', { 'src/a.ts': "const m = await import('./show');\nkeep(m);\n" }, /in a way/],
  ['a promise of the module', { 'src/a.ts': "const m = import('./show');\nm.then(keep);\n" }, /in a way/],
  ['a required module', { 'src/a.cjs': "const { show } = require('./show');\nwords.map(show);\n" }, /hands it on/],
  ['a required whole', { 'src/a.cjs': "const { default: m } = require('./show');\nm.show('a', 1);\n" }, /in a way/],
  ['the rest of a module', { 'src/a.cjs': "const { a, ...m } = require('./show');\nm.show('a', 1);\n" }, /in a way/],
  [
    'more arguments of a promise',
    { 'src/a.js': "import('./show').then((m) => m.show('a', 1));\n" },
    /hands it on, or calls it with more/,
  ],
  ['a variable', { 'src/a.cjs': 'const m = require(which);\nwords.map(m.show);\n' }, /a\.cjs loads modules by comp/],
  ['a constant', { 'src/a.js': "const p = './show';\n(await import(p)).show('a', 1);\n" }, /by computed names/],
  ['a sum', { 'src/a.js': "const { show } = await import('./sh' + rest);\nwords.map(show);\n" }, /by computed names/],
  ['a template', { 'src/b/a.js': 'keep(await import(`../${name}`));\n' }, /src\/b\/a\.js loads modules by computed/],
  [
    'a name with a dot, of which the program adds the first part',
    { 'src/show.ui.ts': "export * from './show';\n", 'src/a.cjs': "keep(require('./' + name + '.ui'));\n" },
    /a\.cjs loads modules by comp/,
  ],
  ['a folder above', { 'src/b/a.js': "keep(await import('..' + name));\n" }, /by computed names/],
  ['a pattern', { 'src/a.ts': "keep(import.meta.glob(['./c/*.ts', './*.ts']));\n" }, /by computed names/],
  ['a folder', { 'a.js': "keep(require.context('./src', true, /ts$/));\n" }, /by computed names/],
  [
    'behind a file that is loaded',
    { 'all.ts': "export * from './src/show';\n", 'b.js': 'keep(require(which));\n' },
    /b\.js/,
  ],
  [
    'a callback in a component',
    {
      'src/App.vue':
        "<script setup>\nimport { show } from './show';\n</script>\n<template><p>{{ ['a'].map(show) }}</p></template>\n",
    },
    /^src\/App\.vue uses it, and calls in such a file are not read: it may hand the function on/,
  ],
  [
    'a component that takes it from a file that passes it on',
    {
      'src/all.ts': "export * from './show';\n",
      'src/App.svelte':
        "<script>\n  import { show as of } from './all';\n</script>\n{#each words.map(of) as w}{w}{/each}\n",
    },
    /^src\/App\.svelte uses it/,
  ],
  [
    'a default import in a component',
    {
      'src/show.ts': byDefault,
      'src/App.vue': "<script setup>\nimport of from './show';\nwords.map(of);\n</script>\n",
    },
    /^src\/App\.vue uses it/,
  ],
  [
    'a pattern in a component',
    {
      'src/App.vue': "<script setup>\nconst all = import.meta.glob('./*.ts', { eager: true });\nuse(all);\n</script>\n",
    },
    /^src\/App\.vue loads modules by computed names/,
  ],
  [
    'an automatic import in a component',
    {
      'package.json': '{ "devDependencies": { "nuxt": "^4.0.0" } }',
      'src/App.vue': "<template><p>{{ ['a'].map(show) }}</p></template>\n",
    },
    /^src\/App\.vue may use it by an automatic import/,
  ],
  [
    'an automatic import in a script',
    {
      'package.json': '{ "devDependencies": { "unplugin-auto-import": "^1.0.0" } }',
      'src/a.ts': `${words}export const shown = words.map(show);\n`,
    },
    /^src\/a\.ts may use it by an automatic import/,
  ],
])('refused: %s', (_what, files, reason) => expect(added(files)).toMatch(reason));
