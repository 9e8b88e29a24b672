// Types of parameters → what values are made for them, and what no value can be made of.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ts } from 'ts-morph';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import type { DifferentialPlan, Parameter } from '../../../server/src/core/verify/differential/plan.ts';
import { createShapeReader } from '../../../server/src/core/verify/differential/shapes.ts';
import { planDifferential } from '../../../server/src/core/verify/differential/planDifferential.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-shapes-'));
  await writeFile(join(dir, 'package.json'), '{"type": "module"}');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The plan for a text that returns 1 and then 2. */
async function planned(text: string, path = 'a.ts'): Promise<DifferentialPlan> {
  await writeFile(join(dir, path), text);
  return planDifferential(
    [{ path, before: text, after: text.replace('return 1', 'return 2') }],
    createSourceTree(dir),
    openProject,
  );
}

async function parametersOf(parameters: string, before = ''): Promise<readonly Parameter[] | readonly string[]> {
  const { targets, gaps } = await planned(`${before}export function f(${parameters}) { return 1; }\n`);
  const [target] = targets;
  return target?.kind === 'function' ? target.parameters : gaps;
}

const plain = (kind: string) => ({ kind });

test.each<[string, unknown]>([
  ['a: string', plain('string')],
  ['a: number', plain('number')],
  ['a: boolean', plain('boolean')],
  ['a: bigint', plain('bigint')],
  ['a: symbol', plain('symbol')],
  ['a: unknown', plain('any')],
  ['a: undefined', plain('undefined')],
  ['a: null', plain('null')],
  ['a: object', plain('object')],
  ['a: Date', plain('date')],
  ['a: RegExp', plain('regexp')],
  ['a: Error', plain('error')],
  ['a: Uint8Array', plain('bytes')],
  ['a: Function', { kind: 'function', returns: plain('any') }],
  ["a: 'x'", { kind: 'literal', value: 'x' }],
  ['a: true', { kind: 'literal', value: true }],
  [
    "a: 'x' | 2",
    {
      kind: 'union',
      of: [
        { kind: 'literal', value: 'x' },
        { kind: 'literal', value: 2 },
      ],
    },
  ],
  ['a: string[]', { kind: 'array', of: plain('string') }],
  ['a: readonly string[]', { kind: 'array', of: plain('string') }],
  ['a: Set<number>', { kind: 'set', of: plain('number') }],
  ['a: Map<string, Date>', { kind: 'map', key: plain('string'), value: plain('date') }],
  ['a: Promise<string>', { kind: 'promise', of: plain('string') }],
  ['a: Iterable<string>', { kind: 'iterable', of: plain('string'), async: false }],
  ['a: AsyncIterable<string>', { kind: 'iterable', of: plain('string'), async: true }],
  ['a: () => string', { kind: 'function', returns: plain('string') }],
  [
    'a: [string, number?]',
    {
      kind: 'tuple',
      of: [
        { shape: plain('string'), optional: false },
        { shape: { kind: 'union', of: [plain('undefined'), plain('number')] }, optional: true },
      ],
      rest: null,
    },
  ],
  [
    'a: [string, ...number[]]',
    { kind: 'tuple', of: [{ shape: plain('string'), optional: false }], rest: plain('number') },
  ],
  ['a: string & { readonly mark: 1 }', plain('string')],
  [
    'a: { b: string; c: Date }',
    {
      kind: 'record',
      fields: [
        { name: 'b', shape: plain('string'), optional: false },
        { name: 'c', shape: plain('date'), optional: false },
      ],
      index: null,
    },
  ],
  ['a: Record<string, number>', { kind: 'record', fields: [], index: plain('number') }],
  ['a: { [at: number]: string }', { kind: 'record', fields: [], index: null }],
  [
    'a: { b: string; [Symbol.toStringTag]: string }',
    { kind: 'record', fields: [{ name: 'b', shape: plain('string'), optional: false }], index: null },
  ],
])('%s', async (parameters, shape) => {
  expect(await parametersOf(parameters)).toEqual([{ name: 'a', shape, optional: false, rest: false }]);
});

test('what may be left out, and what takes the rest', async () => {
  expect(await parametersOf('a?: string, b = 3, ...c: Date[]')).toMatchObject([
    { name: 'a', optional: true, rest: false },
    { name: 'b', optional: true, rest: false, shape: plain('number') },
    { name: 'c', rest: true, shape: { kind: 'array', of: plain('date') } },
  ]);
});

test('a member that may be left out says so', async () => {
  const [parameter] = (await parametersOf('a: { b?: string; c: number }')) as Parameter[];
  expect(parameter!.shape).toMatchObject({
    fields: [
      { name: 'b', optional: true },
      { name: 'c', optional: false },
    ],
  });
});

test('only what everybody may see of an object is made', async () => {
  const before = "class P { #own = ''; private mine = ''; protected ours = ''; all = ''; }\n";
  const [parameter] = (await parametersOf('a: P', before)) as Parameter[];
  expect(parameter!.shape).toEqual({
    kind: 'record',
    fields: [{ name: 'all', shape: plain('string'), optional: false }],
    index: null,
  });
});

test('a type that contains itself is named once; no other is', async () => {
  const tree = await planned(
    'interface Tree { left: Tree | null; size: number }\nexport function f(a: Tree) { return 1; }\n',
  );
  const [name] = Object.keys(tree.shapes);
  expect(name).toMatch(/^Tree\d+$/);
  expect(tree.shapes[name!]).toMatchObject({ kind: 'record', fields: [{ name: 'left' }, { name: 'size' }] });
  expect(JSON.stringify(tree.targets)).toContain(`{"kind":"ref","name":"${name}"}`);
  expect((await planned('export function f(a: { b: Date[] }) { return 1; }\n')).shapes).toEqual({});
});

const nested = (levels: number) => `a: string${'[]'.repeat(levels)}`;
const functions = (levels: number) => `a: ${'() => '.repeat(levels)}string`;

test.each<[string, RegExp]>([
  ['a: new () => Date', /a class \(`new \(\) => Date`\)/],
  ['a: [...string[], number]', /a tuple with a rest in its middle/],
  ['a: String', /a `String` object/],
  [nested(10), /a type that is nested too deeply/],
  [functions(10), /a type that is nested too deeply/],
  ['this: Date', /a `this`/],
])('no value is made of %s', async (parameters, why) => {
  expect(await parametersOf(parameters)).toEqual([expect.stringMatching(why)]);
});

test('a type whose parts come again and again is as large as it is when written out', async () => {
  const doubled = Array.from({ length: 6 }, (_, level) => {
    const fields = Array.from({ length: 8 }, (_, at) => `f${at}: L${level}`).join('; ');
    return `interface L${level + 1} { ${fields} }\n`;
  });
  const before = `interface L0 { a: string }\n${doubled.join('')}`;
  expect(await parametersOf('a: L6', before)).toEqual([expect.stringMatching(/a type that is too large/)]);
  expect(await parametersOf('a: L3', before)).toMatchObject([{ name: 'a' }]);
});

test.each([nested(9), functions(9)])('a value is made of %s', async (parameters) => {
  expect(await parametersOf(parameters)).toMatchObject([{ name: 'a' }]);
});

test('a member that no value is made of is left out, unless it is needed', async () => {
  const of = async (parameters: string, body: string) => {
    const { targets, gaps } = await planned(`export function f(${parameters}) { ${body} return 1; }\n`);
    return targets[0]?.kind === 'function' ? targets[0].parameters[0]!.shape : gaps;
  };
  const only = { kind: 'record', fields: [{ name: 'b', shape: plain('string'), optional: false }] };
  expect(await of('a: { b: string; c?: new () => Date }', 'a.c;')).toMatchObject(only);
  expect(await of('a: { b: string; c: new () => Date }', 'a.c;')).toEqual([expect.stringContaining('a class')]);
});

test.each<[string, unknown]>([
  ["a.split(',')", plain('string')],
  ['a.map(g)', { kind: 'array', of: plain('any') }],
  ['a()', { kind: 'function', returns: plain('any') }],
  ['a - 3', plain('number')],
  ['a.length', { kind: 'union', of: [plain('string'), { kind: 'array', of: plain('any') }] }],
  ['a.size', { kind: 'record', fields: [{ name: 'size', shape: plain('any'), optional: false }], index: null }],
  // Every object has this, so an own value would only break the call.
  [
    "a.hasOwnProperty('b') && a.b",
    { kind: 'record', fields: [{ name: 'b', shape: plain('any'), optional: false }], index: null },
  ],
  ["a.hasOwnProperty('b')", plain('any')],
  ['g.a', plain('any')],
  ['a', plain('any')],
])('without types, %s tells what a parameter is', async (use, shape) => {
  const { targets } = await planned(`export function f(a) { g(${use}); return 1; }\n`, 'a.js');
  expect(targets).toMatchObject([{ kind: 'function', parameters: [{ name: 'a', shape }] }]);
});

test('a defect while a type is read is not taken for a type that no value is made of', async () => {
  const path = join(dir, 'a.ts');
  const text = 'export function f(a: { b: string; c: string }) { return 1; }\n';
  await writeFile(path, text);
  const checked = openProject(createSourceTree(dir), path, text);
  const checker = checked.checker();
  const broken = new Proxy(checker, {
    get: (real, key: keyof ts.TypeChecker) =>
      key === 'getTypeOfSymbolAtLocation'
        ? (symbol: ts.Symbol, at: ts.Node) => {
            if (symbol.name === 'c') throw new RangeError('A defect.');
            return real.getTypeOfSymbolAtLocation(symbol, at);
          }
        : real[key],
  });
  const declaration = checked.sourceFile().statements[0] as ts.FunctionDeclaration;
  const signature = checker.getSignatureFromDeclaration(declaration)!;
  const read = (by: ts.TypeChecker) => createShapeReader(by, new Set()).parametersOf(signature, declaration);
  expect(read(checker)).toMatchObject([{ name: 'a', shape: { fields: [{ name: 'b' }, { name: 'c' }] } }]);
  expect(() => read(broken)).toThrow('A defect.');
});
