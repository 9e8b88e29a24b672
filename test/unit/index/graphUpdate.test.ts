// A graph that followed changes equals one that is built from the current files.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDependencyGraph, type DependencyGraph } from '../../../server/src/core/index/graph/dependencyGraph.ts';
import { runs } from '../../helpers/properties.ts';
import type { GraphRecord } from '../../../server/src/core/index/graph/symbolTable.ts';
import { recordOf } from './graphSupport.ts';

const names = ['alpha', 'beta', 'gamma'];
const scripts = ['a.ts', 'b.ts', 'c.ts', 'lib/index.ts', 'lib/d.ts', 'd.ts', 'd.js'];
const modules = ['a.py', 'b.py', 'p/__init__.py', 'p/c.py', 'p/a.py'];
const packages = ['a.go', 'b.go', 'A.java', 'B.java', 'x/C.java'];

const name = fc.constantFrom(...names);
const script = fc
  .record({
    imports: fc.array(
      fc.tuple(
        fc.constantFrom('./a', './b', './lib', './lib/d', './d', '../a', '../d'),
        name,
        fc.constantFrom('named', 'star', 'namespace', 'all'),
      ),
      { maxLength: 3 },
    ),
    defines: fc.array(fc.tuple(name, fc.boolean(), name), { maxLength: 3 }),
  })
  .map(({ imports, defines }) =>
    [
      ...imports.map(([from, what, kind]) =>
        kind === 'named'
          ? `import { ${what} } from '${from}';`
          : kind === 'star'
            ? `export * from '${from}';`
            : kind === 'all'
              ? `export { ${what} } from '${from}';`
              : `import * as ns from '${from}';`,
      ),
      ...defines.map(([own, isClass, used]) =>
        isClass
          ? `export class ${own} { ${used}() { return this.${own}(); } }`
          : `export function ${own}(x: any) { return ${used}(x.${used}(), ns.${used}); }${used === 'gamma' ? ` export function ${own}Long() {${'\n'.repeat(42)} function ${used}() {} return ${used}; }` : ''}`,
      ),
    ].join('\n'),
  );
const python = fc
  .record({
    imports: fc.array(
      fc.tuple(fc.constantFrom('a', 'p', 'p.c', '.c', '.', '.a', 'b'), fc.constantFrom(...names, 'c', '*')),
      { maxLength: 3 },
    ),
    defines: fc.array(fc.tuple(name, name), { maxLength: 2 }),
  })
  .map(({ imports, defines }) =>
    [
      ...imports.map(([from, what]) => `from ${from} import ${what}`),
      ...defines.map(([own, used]) => `def ${own}(x):\n    return ${used}(x.${used}())`),
    ].join('\n'),
  );
const go = fc
  .array(fc.tuple(name, name), { maxLength: 2 })
  .map((defines) => ['package p', ...defines.map(([own, used]) => `func ${own}() { ${used}() }`)].join('\n'));
const java = fc
  .tuple(fc.constantFrom('alpha', 'beta', 'A', 'B', 'C'), fc.constantFrom('x.C', 'A', 'x.*'), name)
  .map(
    ([own, from, used]) => `import ${from};\nclass ${own} { void ${used}() { new ${own}().${used}(); C.alpha(); } }`,
  );
const textFor = (path: string) =>
  path.endsWith('.py') ? python : path.endsWith('.go') ? go : path.endsWith('.java') ? java : script;
const change = fc
  .constantFrom(...scripts, ...modules, ...packages)
  .chain((path) => fc.tuple(fc.constant(path), fc.option(textFor(path), { nil: null, freq: 4 })));

const comparable = (graph: DependencyGraph) =>
  Object.fromEntries(
    [...graph.edges]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { symbolEdges, imports, through }]) => [
        path,
        {
          symbols: symbolEdges.map((edge) => JSON.stringify(edge)).sort(),
          imports: [...imports].sort(),
          through: [...through].sort(),
        },
      ]),
  );

/** Found once: who looks through a file whose specifiers lead elsewhere, though neither of the two changed. */
const looksThrough: readonly (readonly (readonly [string, string | null])[])[][] = [
  [[['p/c.py', 'from . import alpha']], [['p/a.py', 'from .c import alpha']], [['p/__init__.py', '']]],
  [
    [['a.ts', "export * from './d';"]],
    [['d.js', "import { alpha } from './a';"]],
    [['d.ts', 'export function alpha() {}']],
    [['a.ts', null]],
  ],
];

test('kept up = built anew, whatever comes, changes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
      async (steps) => {
        const records = new Map<string, GraphRecord>();
        const graph = createDependencyGraph([]);
        for (const step of steps) {
          const changed = new Map<string, GraphRecord>();
          const removed = new Set<string>();
          for (const [path, text] of step) {
            changed.delete(path);
            removed.delete(path);
            if (text === null) removed.add(path);
            else changed.set(path, await recordOf(path, text));
          }
          for (const path of removed) records.delete(path);
          for (const [path, record] of changed) records.set(path, record);
          graph.update([...changed.values()], [...removed]);
          expect(comparable(graph)).toEqual(comparable(createDependencyGraph([...records.values()])));
        }
      },
    ),
    { ...runs(60), examples: looksThrough.map((steps) => [steps.map((step) => [...step])]) },
  );
});

test('a change inside a definition redoes that file alone, a new name also those that look for it', async () => {
  const file = (path: string, text: string) => recordOf(path, text);
  const graph = createDependencyGraph([
    await file('a.ts', 'export function f() { return 1; }'),
    await file('b.ts', `import { f } from './a';\nexport function g() { f(); }`),
    await file('c.ts', 'export function h(x: any) { x.later(); }'),
  ]);
  expect(
    [...graph.update([await file('b.ts', `import { f } from './a';\nexport function g() { f(); f(); }`)], [])].sort(),
  ).toEqual(['b.ts']);
  expect([...graph.update([await file('d.ts', 'export class D { later() {} }')], [])].sort()).toEqual(['c.ts', 'd.ts']);
  expect([...graph.update([], ['a.ts'])].sort()).toEqual(['b.ts']);
  expect(graph.update([], ['nowhere.ts'])).toEqual([]);
});
