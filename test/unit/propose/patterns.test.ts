// Places of a pattern that are left alone: effects, contexts and names that the replacement would change.

import { expect, test } from 'vitest';
import { findShapes, rewriteShape } from '../../../server/src/core/propose/patterns/jobs.ts';
import type { LearnedShape } from '../../../server/src/core/model/learnedRecipes.ts';
import { memoryTree } from './recipeCase.ts';

const shape = (pattern: string, replacement: string, more: Partial<LearnedShape> = {}): LearnedShape => ({
  pattern,
  replacement,
  holes: {},
  names: {},
  ...more,
});

function rewritten(text: string, one: LearnedShape, others: Readonly<Record<string, string>> = {}): string {
  const tree = memoryTree({ 'src/a.ts': text, ...others });
  const outcome = rewriteShape({ rootDir: '/', path: 'src/a.ts', shape: one, at: null }, tree);
  return 'refused' in outcome ? outcome.refused : (outcome.edits[0]?.after ?? '');
}

test.each<[string, string, LearnedShape, string | RegExp]>([
  ['effects in another order', 'put(next(), read());', shape('put($a, $b)', 'store($b, $a)'), /in another order/],
  ['no effects', 'put(x, y.z);', shape('put($a, $b)', 'store($b, $a)'), 'store(y.z, x);'],
  ['one effect', 'put(next(), y);', shape('put($a, $b)', 'store($b, $a)'), 'store(y, next());'],
  ['an effect that may be skipped', 'both(a, f());', shape('both($a, $b)', '$a && $b'), /in another case/],
  ['an effect that is put off', 'run(f());', shape('run($a)', 'later(() => $a)'), /in another case/],
  ['an assignment', 'a.x = 1;', shape('$a.x', 'getX($a)'), /assigned to/],
  ['an assignment to another property', 'a.x = 1;', shape('$a.x', '$a.y.x'), 'a.y.x = 1;'],
  ['a call', 'a.x(1);', shape('$a.x', 'getX($a)'), /another `this`/],
  ['a wait in a plain function', 'function f() { load(a); }', shape('load($a)', 'await load($a)'), /not async/],
  [
    'a wait',
    'const f = async () => load(a);',
    shape('load($a)', 'await load($a)'),
    'const f = async () => (await load(a));',
  ],
  ['what is there already', 'export {}; use(await load(a));', shape('load($a)', 'await load($a)'), /matches nothing/],
  ['the result', 'a.node.req; b.req;', shape('$a.req', '$a.node.req'), 'a.node.req; b.node.req;'],
  ['another kind', 'f(x); f("y");', shape('f($a)', 'g($a)', { holes: { $a: 'string' } }), 'f(x); g("y");'],
  [
    'a name that means something else',
    "import { get } from 'b';\nget(x);",
    shape('get($a)', 'fetch($a)', { names: { get: 'module:a#get' } }),
    /`get` is not known here/,
  ],
  [
    'a name from the same package',
    "import { get } from 'a';\nget(x);",
    shape('get($a)', 'load($a)', { names: { get: 'module:a#get', load: 'module:a#load' } }),
    "import { load } from 'a';\nload(x);",
  ],
  [
    'an import and a constant that only the old code needed',
    "import { get } from 'a';\nconst { hasOwnProperty } = Object.prototype;\nexport const z = get(hasOwnProperty.call(x, y));",
    shape('get(hasOwnProperty.call($a, $b))', 'Object.hasOwn($a, $b)', {
      names: { get: 'module:a#get', hasOwnProperty: 'file:src/a#hasOwnProperty', Object: 'global' },
    }),
    'export const z = Object.hasOwn(x, y);',
  ],
  [
    'what other code needs',
    "import { get } from 'a';\nget(x);\nexport { get };",
    shape('get($a)', 'String($a)', { names: { get: 'module:a#get', String: 'global' } }),
    "import { get } from 'a';\nString(x);\nexport { get };",
  ],
  [
    'a shadowed global',
    'function f(structuredClone) { copy(x); }',
    shape('copy($a)', 'structuredClone($a)', { names: { structuredClone: 'global' } }),
    /`structuredClone` is not known here/,
  ],
  [
    'a name of a file',
    "import a from './a2.js';\nold(x);",
    shape('old($a)', 'fresh($a)', { names: { fresh: 'file:src/fresh#fresh' } }),
    "import a from './a2.js';\nimport { fresh } from './fresh.js';\nfresh(x);",
  ],
  [
    'a name of a file that is gone',
    'old(x);',
    shape('old($a)', 'fresh($a)', { names: { fresh: 'file:src/gone#fresh' } }),
    /exports fresh was not found/,
  ],
])('%s', (_, text, one, expected) => {
  const result = rewritten(text, one, { 'src/fresh.ts': 'export const fresh = 1;' });
  if (typeof expected === 'string') expect(result).toBe(expected);
  else expect(result).toMatch(expected);
});

test('places have a range and both codes; files that do not parse have none', () => {
  const one = shape('$a.indexOf($b) !== -1', '$a.includes($b)');
  const files = [
    { path: 'a.ts', text: 'if (\n  a.indexOf(b) !== -1) f();' },
    { path: 'b.ts', text: 'if (a.indexOf(b) !== -1' },
    { path: 'c.md', text: 'a.indexOf(b) !== -1' },
  ];
  expect(findShapes({ rootDir: '/', files, shapes: [one] }, memoryTree({}))).toEqual({
    places: [
      {
        shape: 0,
        path: 'a.ts',
        range: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 22 },
        code: 'a.indexOf(b) !== -1',
        becomes: 'a.includes(b)',
      },
    ],
    refused: [],
  });
});
