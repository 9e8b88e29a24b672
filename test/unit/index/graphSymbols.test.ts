// Edges between definitions, and the questions that are asked of them.

import { expect, test } from 'vitest';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { findCycles } from '../../../server/src/core/index/graph/cycles.ts';
import {
  findDependencies,
  findDependents,
  createDefinitionKey,
  computeSymbolImportance,
  findTestsReaching,
  type ReachedPlace,
} from '../../../server/src/core/index/graph/queries.ts';
import { findTarget } from '../../../server/src/core/index/graph/target.ts';
import { graphOf, shownEdges, type Texts } from './graphSupport.ts';

const all = { depth: Infinity, ambiguous: false };
const shop: Texts = {
  'src/index.ts': `export * from './store';\nexport { format as show } from './text/format';\n`,
  'src/store.ts':
    `import { format } from './text/format';\nexport class Store {\n  label() { return format(this.total()); ` +
    `}\n  total() { return 1; }\n}\nexport function open() { return new Store(); }\n`,
  'src/text/format.ts':
    `export function format(n: number) { return pad(String(n)); }\nfunction pad(s: string) { return s; }\n` +
    `export const unused = 1;\n`,
  'src/text/index.ts': `export * from './format';\n`,
  'app.ts': `import { Store, show } from './src/index';\nexport function main() { return show(new Store().total()); }\n`,
  'test/app.test.ts': `import { main } from '../app';\ntest('main', () => main());\n`,
  'test/text.test.ts': `import { format } from '../src/text';\ntest('format', () => format(1));\n`,
};

test.each<readonly [string, Texts, readonly string[]]>([
  [
    'through barrels, to where it is defined',
    shop,
    [
      'app.ts#main -> src/store.ts#Store (binding)',
      'app.ts#main -> src/store.ts#Store.total (scope)',
      'app.ts#main -> src/text/format.ts#format (binding)',
      'src/store.ts#Store.label -> src/store.ts#Store.total (file)',
      'src/store.ts#Store.label -> src/text/format.ts#format (binding)',
      'src/store.ts#open -> src/store.ts#Store (file)',
      'src/text/format.ts#format -> src/text/format.ts#pad (file)',
      'test/app.test.ts -> app.ts#main (binding)',
      'test/text.test.ts -> src/text/format.ts#format (binding)',
    ],
  ],
  [
    'namespaces and defaults',
    {
      'a.ts': `import * as ns from './b';\nimport Thing from './b';\nexport const x = () => ns.go(Thing.make());\n`,
      'b.ts': `export function go() {}\nexport default class Big { static make() {} }\n`,
    },
    ['a.ts#x -> b.ts#Big (binding)', 'a.ts#x -> b.ts#Big.make (binding)', 'a.ts#x -> b.ts#go (binding)'],
  ],
  [
    'CommonJS',
    {
      'a.js': `const { go } = require('./b');\nconst b = require('./b');\nfunction f() { go(); b.stop(); }\n`,
      'b.js': `exports.go = function () {};\nexports.stop = function () {};\n`,
    },
    ['a.js#f -> b.js#go (binding)', 'a.js#f -> b.js#stop (binding)'],
  ],
  [
    'barrels in a circle',
    {
      'a.ts': `export * from './b';\n`,
      'b.ts': `export * from './a';\nexport * from './c';\n`,
      'c.ts': `export function c() {}\n`,
      'd.ts': `import { c, nothing } from './a';\nexport function d() { c(); nothing(); }\n`,
    },
    ['d.ts#d -> c.ts#c (binding)'],
  ],
  [
    'a member that several have',
    {
      'a.ts': `export class A { only() {} both() {} }\n`,
      'b.ts': `export class B { both() {} }\n`,
      'c.ts': `export function c(x: any) { x.only(); x.both(); x.map(); }\n`,
    },
    ['c.ts#c -> a.ts#A.both (ambiguous)', 'c.ts#c -> a.ts#A.only (name)', 'c.ts#c -> b.ts#B.both (ambiguous)'],
  ],
  [
    'the class that is named decides',
    {
      'a.ts': `export class A { both() {} }\n`,
      'b.ts': `export class B { both() {} }\n`,
      'c.ts':
        `import { A } from './a';\nimport { B } from './b';\nexport function c(x: A) { x.both(); }\nexport ` +
        `function d(x: B) { x.both(); }\n`,
    },
    [
      'c.ts#c -> a.ts#A (binding)',
      'c.ts#c -> a.ts#A.both (scope)',
      'c.ts#d -> b.ts#B (binding)',
      'c.ts#d -> b.ts#B.both (scope)',
    ],
  ],
  [
    'what a function gives away',
    {
      'a.ts':
        `export function make() {\n${'  // long enough to be looked into\n'.repeat(40)}  function dispatch() ` +
        `{}\n  return { dispatch };\n}\n`,
      'b.ts': `import { make } from './a';\nexport function b() { make().dispatch(); }\n`,
      'c.ts': `export function c(x: any) { x.dispatch(); }\n`,
    },
    ['a.ts#make -> a.ts#make.dispatch (file)', 'b.ts#b -> a.ts#make (binding)', 'b.ts#b -> a.ts#make.dispatch (scope)'],
  ],
  [
    'python: packages, submodules, classes',
    {
      'pkg/__init__.py': 'from .core import Engine\nfrom . import tools\n',
      'pkg/core.py':
        'from .tools import helper\n\nclass Engine:\n    def __init__(self):\n        self.start()\n\n    def ' +
        'start(self):\n        return helper()\n',
      'pkg/tools.py': 'def helper():\n    return 1\n',
      'tests/test_engine.py':
        'import pkg\nfrom pkg import Engine\nfrom pkg import tools as t\n\ndef test_one():\n    Engine().start()\n' +
        '    t.helper()\n    pkg.tools.helper()\n',
    },
    [
      'pkg/core.py#Engine -> pkg/core.py#Engine.__init__ (file)',
      'pkg/core.py#Engine.__init__ -> pkg/core.py#Engine.start (file)',
      'pkg/core.py#Engine.start -> pkg/tools.py#helper (binding)',
      'tests/test_engine.py#test_one -> pkg/core.py#Engine (binding)',
      'tests/test_engine.py#test_one -> pkg/core.py#Engine.start (scope)',
      'tests/test_engine.py#test_one -> pkg/tools.py#helper (binding)',
    ],
  ],
  [
    'go: the package around and the imported one',
    {
      'go.mod': 'module m\n',
      'a.go': 'package m\n\nimport "m/sub"\n\nfunc A() { b(); sub.C() }\n',
      'b.go': 'package m\n\nfunc b() { c := 1; use(c) }\nfunc use(n int) {}\nfunc c() {}\n',
      'sub/c.go': 'package sub\n\nfunc C() {}\n',
    },
    ['a.go#A -> b.go#b (scope)', 'a.go#A -> sub/c.go#C (binding)', 'b.go#b -> b.go#use (file)'],
  ],
  [
    'rust: use and pub use',
    {
      'Cargo.toml': '[package]\nname = "k"\n',
      'src/lib.rs': 'mod a;\npub use crate::a::Thing;\n',
      'src/a.rs':
        'pub struct Thing;\nimpl Thing { pub fn make() -> Thing { helper() } }\nfn helper() -> Thing { Thing }\n',
      'tests/it.rs': 'use k::Thing;\n#[test]\nfn makes() { Thing::make(); }\n',
    },
    [
      'src/a.rs -> src/a.rs#Thing (file)',
      'src/a.rs#Thing.make -> src/a.rs#Thing (file)',
      'src/a.rs#Thing.make -> src/a.rs#helper (file)',
      'src/a.rs#helper -> src/a.rs#Thing (file)',
      'tests/it.rs#makes -> src/a.rs#Thing (binding)',
      'tests/it.rs#makes -> src/a.rs#Thing.make (binding)',
    ],
  ],
  [
    'java: imports, package, static',
    {
      'src/p/A.java': 'package p;\nimport q.B;\nclass A { void run() { B.go(); new Near().stay(); } }\n',
      'src/p/Near.java': 'package p;\nclass Near { void stay() {} }\n',
      'src/q/B.java': 'package q;\npublic class B { public static void go() {} }\n',
    },
    [
      'src/p/A.java#A.run -> src/p/Near.java#Near (scope)',
      'src/p/A.java#A.run -> src/p/Near.java#Near.stay (scope)',
      'src/p/A.java#A.run -> src/q/B.java#B (binding)',
      'src/p/A.java#A.run -> src/q/B.java#B.go (binding)',
    ],
  ],
  [
    'c: what a header leads to',
    {
      'a.c': '#include "b.h"\nint main(void) { return twice(1); }\n',
      'b.h': 'int twice(int n);\n',
      'b.c': '#include "b.h"\nint twice(int n) { return n * 2; }\n',
    },
    ['a.c#main -> b.h#twice (scope)'],
  ],
])('%s', async (_name, texts, expected) => {
  expect(shownEdges(await graphOf(texts))).toEqual(expected);
});

const shown = (reached: readonly ReachedPlace[]) =>
  reached
    .map((item) => {
      const between = item.way.slice(0, -1).map(createDefinitionKey).reverse().join(' < ');
      return `${item.depth} ${createDefinitionKey(item)}${between ? ` via ${between}` : ''}`;
    })
    .sort();

test('who can reach a definition, and on which way', async () => {
  const graph = await graphOf(shop);
  const pad = { path: 'src/text/format.ts', symbol: 'pad' };
  expect(shown(findDependents(graph, pad, { ...all, depth: 1 }))).toEqual(['1 src/text/format.ts#format']);
  expect(shown(findDependents(graph, pad, all))).toEqual([
    '1 src/text/format.ts#format',
    '2 app.ts#main via src/text/format.ts#format',
    '2 src/store.ts#Store.label via src/text/format.ts#format',
    '2 test/text.test.ts via src/text/format.ts#format',
    '3 test/app.test.ts via app.ts#main < src/text/format.ts#format',
  ]);
  expect(shown(findTestsReaching(graph, pad, isTestFile, all))).toEqual([
    '2 test/text.test.ts via src/text/format.ts#format',
    '3 test/app.test.ts via app.ts#main < src/text/format.ts#format',
  ]);
  expect(shown(findDependents(graph, { path: 'src/text/format.ts', symbol: 'unused' }, all))).toEqual([]);
});

test('a class stands for its members, a file for what is in it and for who imports it', async () => {
  const graph = await graphOf(shop);
  expect(shown(findDependents(graph, { path: 'src/store.ts', symbol: 'Store' }, { ...all, depth: 1 }))).toEqual([
    '1 app.ts#main',
    '1 src/store.ts#open',
  ]);
  expect(shown(findDependents(graph, { path: 'src/store.ts', symbol: null }, { ...all, depth: 1 }))).toEqual([
    '1 app.ts',
    '1 app.ts#main',
    '1 src/index.ts',
  ]);
  expect(shown(findDependencies(graph, { path: 'app.ts', symbol: 'main' }, all))).toEqual([
    '1 src/store.ts#Store',
    '1 src/store.ts#Store.total',
    '1 src/text/format.ts#format',
    '2 src/text/format.ts#pad via src/text/format.ts#format',
  ]);
});

test('ambiguous uses are followed on request only', async () => {
  const graph = await graphOf({
    'a.ts': `export class A { both() {} }\n`,
    'b.ts': `export class B { both() {} }\n`,
    'c.ts': `export function c(x: any) { x.both(); }\n`,
  });
  const target = { path: 'a.ts', symbol: 'A.both' };
  expect(findDependents(graph, target, all)).toEqual([]);
  expect(findDependents(graph, target, { ...all, ambiguous: true })).toMatchObject([
    { path: 'c.ts', symbol: 'c', confidence: 'ambiguous' },
  ]);
});

test('importance counts the definitions of a name, also through a barrel', async () => {
  const graph = await graphOf(shop);
  const symbols = computeSymbolImportance(graph);
  expect(symbols.get('src/text/format.ts#format')!.inDegree).toBe(3);
  expect([...symbols.values()].reduce((sum, { rank }) => sum + rank, 0)).toBeCloseTo(1, 9);
});

test('circles of imports, smallest first, with the shortest way round', async () => {
  const importing = (...names: string[]) => names.map((name) => `import './${name}';`).join('\n');
  const graph = await graphOf({
    'a.ts': importing('b'),
    'b.ts': importing('c'),
    'c.ts': importing('a', 'd'),
    'd.ts': importing('c'),
    'x.ts': importing('y'),
    'y.ts': importing('x', 'a'),
    'alone.ts': importing('alone', 'a'),
  });
  expect(findCycles(graph)).toEqual([
    { files: ['x.ts', 'y.ts'], path: ['x.ts', 'y.ts'] },
    { files: ['a.ts', 'b.ts', 'c.ts', 'd.ts'], path: ['c.ts', 'd.ts'] },
  ]);
});

test('a chain of ten thousand files ends no stack', async () => {
  const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}.txt`, ''])) as Texts;
  const graph = await graphOf(files);
  graph.update(
    Object.keys(files).map((path, at) => ({
      path: path.replace('.txt', '.ts'),
      language: 'typescript',
      imports: [`./f${(at + 1) % 10_000}`],
      symbols: [],
      references: null,
    })),
    Object.keys(files),
  );
  expect(findCycles(graph)).toMatchObject([{ path: { length: 10_000 } }]);
  expect(findDependents(graph, { path: 'f0.ts', symbol: null }, all)).toHaveLength(9_999);
});

test('targets by path, end of a path, symbol and name', async () => {
  const graph = await graphOf(shop);
  expect(findTarget(graph, 'src/store.ts')).toEqual({ place: { path: 'src/store.ts', symbol: null } });
  expect(findTarget(graph, './store.ts')).toEqual({ place: { path: 'src/store.ts', symbol: null } });
  expect(findTarget(graph, 'store.ts#Store.total')).toEqual({ place: { path: 'src/store.ts', symbol: 'Store.total' } });
  expect(findTarget(graph, 'store.ts#total')).toEqual({ place: { path: 'src/store.ts', symbol: 'Store.total' } });
  expect(findTarget(graph, 'pad')).toEqual({ place: { path: 'src/text/format.ts', symbol: 'pad' } });
  expect(findTarget(graph, 'index.ts')).toEqual({ none: true });
  expect(findTarget(graph, 'src/store.ts#nothing')).toEqual({ none: true });
  expect(
    findTarget(await graphOf({ 'a.ts': 'export function f() {}', 'b.ts': 'export function f() {}' }), 'f'),
  ).toEqual({
    several: [
      { path: 'a.ts', symbol: 'f' },
      { path: 'b.ts', symbol: 'f' },
    ],
  });
});
