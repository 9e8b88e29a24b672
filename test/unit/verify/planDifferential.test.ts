// Which functions a change has touched, which of them are compared, and what is said of the rest.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ts } from 'ts-morph';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { parseModuleOutline } from '../../../server/src/core/verify/differential/declarations.ts';
import { collectLiterals } from '../../../server/src/core/verify/differential/literals.ts';
import type { DifferentialPlan } from '../../../server/src/core/verify/differential/plan.ts';
import { planDifferential } from '../../../server/src/core/verify/differential/planDifferential.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-plan-'));
  await writeFile(join(dir, 'package.json'), '{"type": "module"}');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

type Edits = Parameters<typeof planDifferential>[0];

async function planned(...edits: Edits): Promise<DifferentialPlan> {
  for (const { path, before } of edits) if (before !== null) await writeFile(join(dir, path), before);
  return planDifferential(edits, createSourceTree(dir), openProject);
}

/** Names of the compared, and the gaps, of a text in which `from` becomes `to`. */
async function outcome(text: string, from: string, to: string, path = 'a.ts') {
  const { targets, gaps } = await planned({ path, before: text, after: text.replace(from, to) });
  return { compared: targets.map(({ name }) => name).sort(), gaps };
}

test.each<[string, string, string, string, readonly string[], readonly string[]]>([
  ['a function', 'export function a() { return 1; }\nexport function b() { return 3; }\n', '1', '2', ['a'], []],
  ['a function in a constant', 'export const a = () => 1;\n', '1', '2', ['a'], []],
  ['a function in brackets', 'export const a = (() => 1) satisfies unknown;\n', '1', '2', ['a'], []],
  ['a class', 'export class A { b() { return 1; } }\n', '1', '2', ['A'], []],
  ['a value', 'export const a = [1];\n', '[1]', '[2]', ['a'], []],
  ['a member of an object', 'export const a = { b() { return 1; }, c() { return 3; } };\n', '1', '2', ['a.b'], []],
  ['a list of names', 'export const { a, b: [c] } = d(1);\n', '1', '2', ['a', 'c'], []],
  ['an enumeration', 'export enum A { B = 1 }\n', '1', '2', ['A'], []],
  ['the default export', 'export default function () { return 1; }\n', '1', '2', ['default'], []],
  ['what a list exports', 'function a() { return 1; }\nexport { a };\n', '1', '2', ['a'], []],
  ['a value, through the function that uses it', 'const a = 1;\nexport const b = () => a;\n', '1', '2', ['b'], []],
  [
    'a value, through the function that uses what uses it',
    'const a = 1;\nconst b = [a];\nexport const c = () => b;\n',
    '1',
    '2',
    ['c'],
    [],
  ],
  ['an import, through what uses it', "import { x } from 'y';\nexport const a = () => x;\n", "'y'", "'z'", ['a'], []],
  ['a default import', "import x from 'y';\nexport const a = () => x;\n", "'y'", "'z'", ['a'], []],
  ['all of a module', "import * as x from 'y';\nexport const a = () => x;\n", "'y'", "'z'", ['a'], []],
  [
    'a function that moved, and is passed on',
    'export function a() { return 1; }\nexport const b = () => 2;\n',
    'export function a() { return 1; }',
    "export { a } from './c.ts';",
    ['a'],
    [],
  ],
  [
    'a function that moved, and is not passed on',
    'export function a() { return 1; }\nexport const b = () => 2;\n',
    'export function a() { return 1; }',
    "export type { a } from './c.ts';",
    [],
    ['`a` cannot be reached from anything that can be compared.', '`a` is no longer exported.'],
  ],
  [
    'what is passed on from elsewhere',
    "export { x } from 'y';\nexport const a = () => 1;\n",
    "'y'",
    "'z'",
    [],
    ['`x` cannot be reached from anything that can be compared.'],
  ],
  ['an import that is another part', "import { w as x } from 'y';\nexport const a = () => x;\n", 'w', 'v', ['a'], []],
  [
    'a value that nothing uses',
    'const a = 1;\nexport const b = () => 3;\n',
    '1',
    '2',
    [],
    ['`a` cannot be reached from anything that can be compared.'],
  ],
  [
    'a value whose name is only a property elsewhere',
    'const a = 1;\nexport const b = (c: any) => c.a;\n',
    '1',
    '2',
    [],
    ['`a` cannot be reached from anything that can be compared.'],
  ],
  [
    'a function that takes what no value is made of',
    'export const a = (b: new () => Date) => 1;\n',
    '=> 1',
    '=> 2',
    [],
    ['`a` takes a class (`new () => Date`), for which no values can be generated.'],
  ],
  [
    'an abstract class',
    'export abstract class A { b() { return 1; } }\n',
    '1',
    '2',
    [],
    ['`A` takes no constructor, because it is abstract, for which no values can be generated.'],
  ],
  [
    'what runs when it is loaded',
    'start(1);\nexport const a = () => 3;\n',
    '1',
    '2',
    [],
    ['What a.ts does when it is loaded has changed.'],
  ],
  [
    'what is no longer exported, beside another difference',
    'export const a = () => 1;\nexport const b = () => 3;\n',
    'export const a = () => 1;\nexport const b = () => 3',
    'const a = () => 1;\nexport const b = () => 4',
    ['a', 'b'],
    ['`a` is no longer exported.'],
  ],
])('%s', async (_what, text, from, to, compared, gaps) => {
  expect(await outcome(text, from, to)).toEqual({ compared, gaps });
});

test('a member that no values can be made for is left out, and the others are used', async () => {
  const text =
    'export class A { b(c: new () => Date) { return c; } d(e: string) { return 1; } get f() { return 2; } }\n';
  const { targets, gaps } = await planned({ path: 'a.ts', before: text, after: text.replace('1', '3') });
  expect(gaps).toEqual([]);
  expect(targets).toMatchObject([{ kind: 'class', members: [{ name: 'd' }, { name: 'f', kind: 'get' }] }]);
});

test('what is new and used by nothing that is compared is said', async () => {
  const text = 'export const a = () => 1;\n';
  expect(await outcome(text, '1;', '2;\nexport const b = () => 3;')).toEqual({
    compared: ['a'],
    gaps: ['`b` cannot be reached from anything that can be compared.'],
  });
  expect(await outcome(text, '1;', 'b();\nconst b = () => 3;')).toEqual({ compared: ['a'], gaps: [] });
});

test('what takes another number of parameters is compared through what uses it', async () => {
  const text = 'const a = (b: number) => b;\nexport const c = (d: number) => a(d);\n';
  expect(await outcome(text, 'a = (b: number) => b', 'a = (b: number, e = 0) => b + e')).toMatchObject({
    compared: ['c'],
  });
});

test('functions that call each other in a circle are all reached', async () => {
  const text = 'const a = () => b();\nconst b = () => c();\nconst c = () => a() + 1;\nexport const d = () => a();\n';
  const { compared, gaps } = await outcome(text, '1', '2');
  expect(compared).toContain('d');
  expect(gaps).toEqual([]);
});

test('modules of CommonJS', async () => {
  const text =
    'exports.a = function () { return 1; };\nmodule.exports.b = () => 3;\napp.use = function () { return 5; };\nlist.size = 7;\n';
  const path = 'a.cjs';
  expect(await outcome(text, '1', '2', path)).toEqual({ compared: ['exports.a'], gaps: [] });
  expect((await outcome(text, '3', '4', path)).compared).toEqual(['module.exports.b']);
  expect((await outcome(text, '5', '6', path)).compared).toEqual(['app.use']);
  expect(await outcome(text, '7', '8', path)).toEqual({
    compared: [],
    gaps: ['What a.cjs does when it is loaded has changed.'],
  });
});

test('types are no code, and neither are files that only declare', async () => {
  const typed =
    "import type { T } from './t.ts';\nimport type { U } from './u.ts';\nexport const a = (b: T | U) => b;\n";
  const plan = await planned(
    { path: 'a.ts', before: typed, after: typed.replace('./t.ts', './other.ts').replace('./u.ts', './more.ts') },
    { path: 'b.d.ts', before: 'export const a: 1;\n', after: 'export const a: 2;\n' },
  );
  expect(plan).toMatchObject({ identical: ['a.ts'], files: [], targets: [], gaps: [] });
});

const TYPED = 'export const a = (t: T): T => t;\n';
test.each([
  ['a type that is loaded', `import type { T } from './b';\n${TYPED}`, `import { type T } from './b';\n${TYPED}`],
  ['a type without its word', `import type { T } from './b';\n${TYPED}`, `import { T } from './b';\n${TYPED}`],
  ['a type that is passed on', "export type { T } from './b';\n", "export { type T } from './b';\n"],
  ['an enum that is there no more', 'export enum A { b }\n', 'export const enum A { b }\n'],
  ['a type that decorators record', '@d class A { constructor(b: B) {} }\n', '@d class A { constructor(b: C) {} }\n'],
])('not every runtime leaves it out: %s', async (_, before, after) => {
  const { identical, gaps } = await planned({ path: 'a.ts', before, after });
  expect({ identical, gaps: gaps.length }).toEqual({ identical: [], gaps: 1 });
});
test.each([
  ['fewer types', `import type { T, U } from './b';\n${TYPED}`, `import type { T } from './b';\n${TYPED}`],
  ['another type', 'export const a = (t: unknown) => t;\n', 'export const a = (t: string) => t;\n'],
  ['a tag in a comment', '// @see b\nexport const a = 1;\n', '// @see c\nexport const a = 1;\n'],
])('the same everywhere: %s', async (_, before, after) => {
  expect(await planned({ path: 'a.ts', before, after })).toMatchObject({ identical: ['a.ts'], gaps: [] });
});

test('files that are new, gone, or no scripts are said to be not compared', async () => {
  const plan = await planned(
    { path: 'new.ts', before: null, after: 'export const a = 1;\n' },
    { path: 'gone.ts', before: 'export const a = 1;\n', after: null },
    { path: 'a.py', before: 'a = 1\n', after: 'a = 2\n' },
  );
  expect(plan.gaps).toEqual([
    'gone.ts is gone.',
    'Calls of a.py cannot be compared: it is not TypeScript, JavaScript or Python.',
    'new.ts is new, and nothing that is compared reaches it.',
  ]);
  const beside = await planned(
    { path: 'new.ts', before: null, after: 'export const a = 1;\n' },
    { path: 'b.ts', before: 'export const b = () => 1;\n', after: 'export const b = () => 2;\n' },
  );
  expect(beside.gaps).toEqual([]);
});

test('sixteen functions at most are compared', async () => {
  const text = Array.from({ length: 18 }, (_, at) => `export const f${at} = () => '${at}#';`).join('\n');
  const plan = await planned({ path: 'a.ts', before: text, after: text.replaceAll('#', '%') });
  expect(plan.targets).toHaveLength(16);
  expect(plan.gaps).toEqual(['2 of 18 touched functions are left out.']);
});

const parsed = (text: string) => ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);

test('an outline names who exports what, and what runs when the module is loaded', () => {
  const { declarations, looseStatements } = parseModuleOutline(
    parsed(
      "import x, { y } from 'z';\nfunction a(): void;\nfunction a() {}\nexport class B {}\nconst c = 1;\nexport { c as d };\nexport default c;\ndeclare const e: 1;\ninterface F {}\nstart();\n;\n",
    ),
  );
  expect([...declarations.values()].map(({ name, kind, exportedAs }) => [name, kind, exportedAs])).toEqual([
    ['x', 'import', null],
    ['y', 'import', null],
    ['a', 'function', null],
    ['B', 'class', 'B'],
    ['c', 'value', 'default'],
    ['default', 'value', 'default'],
  ]);
  expect(looseStatements).toEqual(['start();']);
});

test('an outline knows what a list exports, and that types are not exported', () => {
  const { declarations } = parseModuleOutline(
    parsed(
      "const a = 1, b = 2, T = 3, U = 4;\nexport { a, b as c, type T };\nexport type { U };\nexport { d } from 'e';\nexport * from 'f';\n",
    ),
  );
  expect([...declarations.values()].map(({ name, exportedAs }) => [name, exportedAs])).toEqual([
    ['a', 'a'],
    ['b', 'c'],
    ['T', null],
    ['U', null],
    ['d', 'd'],
  ]);
});

test('values at which code branches: numbers, short texts, words of patterns; none of imports, and not too many', () => {
  const text = `import a from 'left out';\nf(1, 1, 2n, 'b', \`c\`, /d1|e/, '${'x'.repeat(41)}', '${'y'.repeat(40)}');\nexport * from 'out';\n`;
  expect(collectLiterals([parsed(text)])).toEqual({
    numbers: [1],
    strings: ['b', 'c', 'd1', 'e', 'y'.repeat(40)],
    bigints: ['2'],
  });
  const many = (of: (at: number) => string) =>
    collectLiterals([parsed(`f(${Array.from({ length: 130 }, (_, at) => of(at)).join(', ')});`)]);
  expect(many((at) => `${at}`).numbers).toHaveLength(120);
  expect(many((at) => `${at}n`).bigints).toHaveLength(120);
  expect(many((at) => `'${at}'`).strings).toHaveLength(120);
  expect(many((at) => `/a${at}/`).strings).toHaveLength(120);
});

test('a limit that has moved is a gap: inputs that agree may all lie beside it', async () => {
  const text = 'export const isReadable = (a: number) => Math.sqrt(a) / 7 >= 3;\n';
  expect(await outcome(text, '>=', '>')).toEqual({
    compared: ['isReadable'],
    gaps: [expect.stringContaining('`Math.sqrt(a) / 7 >= 3` became `Math.sqrt(a) / 7 > 3`')],
  });
});
