// Where packages begin, and what code that starts in some files reaches.

import { expect, test } from 'vitest';
import { findCycles } from '../../../server/src/core/index/graph/cycles.ts';
import { readEntryPoints } from '../../../server/src/core/index/graph/entryPoints.ts';
import { createImportResolver } from '../../../server/src/core/index/graph/importResolver.ts';
import { computeReach, countUsers } from '../../../server/src/core/index/graph/reach.ts';
import { configOf, graphOf, recordOf, type Texts } from './graphSupport.ts';

async function entriesOf(texts: Texts): Promise<unknown> {
  const paths = Object.keys(texts);
  const resolve = createImportResolver(
    await Promise.all(paths.map((path) => recordOf(path, texts[path]!))),
    await configOf(texts),
  );
  const packages = await readEntryPoints(paths, await configOf(texts), resolve, async (path) => texts[path] ?? null);
  return packages.map(({ dir, api, entries, isDeterminable }) => ({
    dir,
    api,
    more: entries.filter((path) => !api.includes(path)),
    isDeterminable,
  }));
}

const sources = {
  'src/index.ts': 'export {};',
  'src/cli.ts': 'export {};',
  'src/extra/one.ts': 'export {};',
  'src/extra/two.ts': 'export {};',
  'scripts/build.mjs': 'export {};',
};

test.each<[string, Texts, unknown]>([
  [
    'built files lead to their sources, patterns to all of them',
    {
      ...sources,
      'package.json':
        '{ "name": "a", "bin": "./dist/cli.js", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs" }, "./extra/*": "./dist/extra/*.js", "./package.json": "./package.json" }, "scripts": { "build": "node scripts/build.mjs" } }',
    },
    [
      {
        dir: '',
        api: ['src/extra/one.ts', 'src/extra/two.ts', 'src/index.ts'],
        more: ['scripts/build.mjs', 'src/cli.ts'],
        isDeterminable: true,
      },
    ],
  ],
  [
    'a folder that only a build makes has another name than usual',
    {
      ...sources,
      'package.json':
        '{ "name": "a", "main": "./dist/index.js", "exports": { "./lib/*.js": { "import": "./libesm/*.js" } } }',
    },
    [
      {
        dir: '',
        api: ['src/cli.ts', 'src/extra/one.ts', 'src/extra/two.ts', 'src/index.ts'],
        more: [],
        isDeterminable: true,
      },
    ],
  ],
  [
    'a package that names nothing begins with its index',
    { ...sources, 'package.json': '{ "name": "a" }' },
    [{ dir: '', api: ['src/index.ts'], more: [], isDeterminable: true }],
  ],
  [
    'where a built file says nothing, its key may name the source',
    {
      ...sources,
      'package.json':
        '{ "name": "a", "exports": { ".": "./dist/a.js", "./extra/one": "./dist/a-extra-one.js", "./cli": { "import": "./dist/a-cli.js" }, "./package.json": "./package.json" } }',
    },
    [{ dir: '', api: ['src/cli.ts', 'src/extra/one.ts'], more: [], isDeterminable: true }],
  ],
  [
    'what it names is not there',
    { 'src/a.ts': '', 'package.json': '{ "name": "a", "main": "./bundle.js" }' },
    [{ dir: '', api: [], more: [], isDeterminable: false }],
  ],
  [
    'a page of a private application',
    {
      ...sources,
      'package.json': '{ "name": "a", "private": true }',
      'index.html': '<script type="module" src="/src/cli.ts"></script>',
    },
    [{ dir: '', api: [], more: ['src/cli.ts'], isDeterminable: true }],
  ],
  [
    'a private package that nothing starts',
    { ...sources, 'package.json': '{ "private": true }' },
    [{ dir: '', api: [], more: [], isDeterminable: false }],
  ],
  ['broken JSON', { ...sources, 'package.json': '{ "main": ' }, []],
])('%s', async (_name, texts, expected) => {
  expect(await entriesOf(texts)).toEqual(expected);
});

test('tests reach what they use, what that uses, members of its classes and the code of its files', async () => {
  const graph = await graphOf({
    'a.test.ts': `import { Store } from './store.ts';\nnew Store();\n`,
    'store.ts': `import { helper } from './helper.ts';\nimport './effects.ts';\nexport class Store {\n  get() { return helper(); }\n}\nexport function other() { return 1; }\n`,
    'helper.ts': `export function helper() { return deeper(); }\nfunction deeper() { return 1; }\nexport function unused() { return helper(); }\n`,
    'effects.ts': `function run() { return 1; }\nrun();\n`,
  });
  const reach = computeReach(graph, (path) => path.endsWith('.test.ts'));
  expect(reach.starts).toBe(1);
  const reached = [...graph.records.values()].flatMap(({ path, symbols }) =>
    symbols.filter((symbol) => reach.has(path, symbol.path)).map((symbol) => `${path}#${symbol.path}`),
  );
  expect(reached.sort()).toEqual([
    'effects.ts#run',
    'helper.ts#deeper',
    'helper.ts#helper',
    'store.ts#Store',
    'store.ts#Store.get',
  ]);
  expect(countUsers(graph, 'helper.ts', 'helper', () => false)).toBe(2);
  expect(countUsers(graph, 'helper.ts', 'helper', (path) => path === 'store.ts')).toBe(1);
});

test('what takes nothing but types closes no circle', async () => {
  const back = `import { a } from './a.ts';\nexport interface B { a: typeof a }\nexport const b = a;\n`;
  for (const [statement, circles] of [
    [`import type { B } from './b.ts';`, 0],
    [`import { type B } from './b.ts';`, 0],
    [`import type * as all from './b.ts';`, 0],
    [`export type { B } from './b.ts';`, 0],
    [`import { type B, b } from './b.ts';`, 1],
    [`import type { B } from './b.ts';\nimport { b } from './b.ts';`, 1],
    [`import type from './b.ts';`, 1],
    [`import { type as b } from './b.ts';`, 1],
    [`import './b.ts';`, 1],
  ] as const) {
    const graph = await graphOf({ 'a.ts': `${statement}\nexport const a = 1;\n`, 'b.ts': back });
    expect([statement, findCycles(graph).length]).toEqual([statement, circles]);
  }
});
