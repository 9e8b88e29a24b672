// Mutants compiled in: with none on, code does what it did; with one on, exactly what that mutant alone would do.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { SWITCH_FUNCTION } from '../../../server/src/core/verify/guard/inTests.ts';
import { compileSchemata } from '../../../server/src/core/verify/guard/schemata.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';

/** Each declares `f`; it is called with what stands beside it. `step` ends a loop that would go on for ever. */
const sources: readonly (readonly [source: string, calls: readonly (readonly unknown[])[]])[] = [
  [
    'function f(a, b) { return a < b ? a : b; }',
    [
      [1, 2],
      [2, 1],
      [1, 1],
    ],
  ],
  ['function f(a) { "use strict"; if (a > 1) { return [this === undefined, a]; } return []; }', [[1], [2], [3]]],
  [
    'function f(a) { let out = []; for (let i = 0; i < a.length; i += 1, step()) { out.push(a[i] + 1); } return out }',
    [[[1, 2]], [[]]],
  ],
  ['function f(a) { let n = 3; while (step(n > a)) { n-- } return n }', [[1], [2], [5]]],
  ['function f(a) { let n = 0; do { n++ } while (step(n < a)); return n; }', [[1], [3]]],
  [
    'function f(a) { if (a) g(a); else h(a)\n var seen; function g(x) { seen = ["g", x] } function h(x) { seen = ["h", x] } return seen }',
    [[0], [1]],
  ],
  ['const f = (a, b = 2) => ({ sum: a + b, name: g.name }); const g = () => 1;', [[1], [1, 3]]],
  [
    'function f(a) { return a?.b.c(1)?.d ?? "none"; }',
    [[null], [{ b: { c: (x: number) => ({ d: x }) } }], [{ b: { c: () => null } }]],
  ],
  [
    'class A { #n = 1; get twice() { return this.#n * 2; } add(x) { this.#n += x; return this; } } function f(a) { return new A().add(a).twice; }',
    [[1], [-1]],
  ],
  [
    'function f(a) { switch (a) { case "x": return 1; case "y": { return 2; } default: return `${a}!`; } }',
    [['x'], ['y'], ['z']],
  ],
  [
    'function f(a) { outer: for (const x of a) { for (const y of [1, 2]) { if (x === y) continue outer; if (x > 5) break outer; } return x } return -1 }',
    [[[1, 3]], [[9]], [[2]]],
  ],
  ['function* g(a) { if (a) { yield 1; } yield* [2, 3]; } function f(a) { return [...g(a)]; }', [[true], [false]]],
  [
    'function f(a) { const out = {}; out["k" + 1] = !a; delete out.gone; [out.p, out.q = 4] = [a, undefined]; return out }',
    [[1], [0]],
  ],
  [
    'function f(a) { a = a || "x"; a += "y"; a ||= 1; return a.trim().toUpperCase().startsWith("X") }',
    [[''], ['b'], [' x ']],
  ],
  [
    'function f(a) { return [...a].filter((x) => x > 1).map(function (x) { return x * 2 }).some((x) => x === 4) }',
    [[[1, 2]], [[3]]],
  ],
  [
    'function f(a) { try { if (a) throw new Error("no"); return 1 } catch (error) { return [error.message, -a] } finally { a = 2 } }',
    [[0], [1]],
  ],
  ['function f(a) { return tag`x${a + 1}y`; } function tag(parts, ...rest) { return [...parts, ...rest] }', [[1]]],
  [
    'function f(a) { const { x = 5, ...rest } = a; return [x, Object.keys(rest).length > 0, typeof a.y === "number"] }',
    [[{}], [{ x: 1, y: 2 }]],
  ],
  [
    'const table = { one() { return 1 }, ["t" + "wo"]: 2 }; function f(a) { return table.one() + table.two + a }',
    [[1]],
  ],
  ['function f(a) { let i = 0; const next = () => i++ ; next(), next(); return a ? (next(), i) : -i }', [[0], [1]]],
];

/** What the code does with that mutant on. */
function outcome(text: string, call: readonly unknown[], on: number): string {
  let steps = 0;
  const step = (value: unknown) => {
    steps += 1;
    if (steps > 1000) throw new RangeError('endless');
    return value;
  };
  Object.defineProperty(globalThis, SWITCH_FUNCTION, {
    configurable: true,
    value: (mutant: number) => mutant === on,
  });
  try {
    const made = new Function('given', 'step', `${text}\n;return f(...given);`) as (
      given: readonly unknown[],
      ends: typeof step,
    ) => unknown;
    return JSON.stringify([made(call, step)]);
  } catch (error) {
    return `throws ${error instanceof Error ? error.name : String(error)}`;
  } finally {
    delete (globalThis as Record<string, unknown>)[SWITCH_FUNCTION];
  }
}

function parses(text: string): boolean {
  try {
    return typeof new Function(text) === 'function';
  } catch {
    return false;
  }
}

test('what is compiled in is in the syntax of old tools, which may build what is tested', () => {
  const source = 'function f(a) { if (a > 1) { return a + 1 } return "none" }';
  const { schemata } = planMutants([{ path: 'src/a.js', before: '', after: source }], 200, () => false);
  expect(schemata.files[0]!.text).toContain(SWITCH_FUNCTION);
  expect(schemata.files[0]!.text).not.toMatch(/\?\.(?!\d)|\?\?/);
});

test.each(sources)('%s', (source, calls) => {
  const { mutants, schemata } = planMutants([{ path: 'src/a.js', before: '', after: source }], 200, () => false);
  expect(mutants.length).toBeGreaterThan(0);
  const text = schemata.files[0]!.text;
  for (const call of calls) expect(outcome(text, call, -1)).toBe(outcome(source, call, -1));
  for (const [index, { start, end, text: put, shown }] of mutants.entries()) {
    const alone = source.slice(0, start) + put + source.slice(end);
    expect([shown, schemata.switched[index]]).toEqual([shown, parses(alone)]);
    if (!parses(alone)) continue;
    for (const call of calls) expect([shown, outcome(text, call, index)]).toEqual([shown, outcome(alone, call, -1)]);
  }
});

test('types are no obstacle, and neither is what must stay the first line', () => {
  const after = '#!/usr/bin/env node\nexport const f = (a: number): string => (a > 1 ? `${a}` : ("one" as const));\n';
  const { schemata, mutants } = planMutants([{ path: 'src/a.ts', before: '', after }], 100, () => false);
  const text = schemata.files[0]!.text;
  expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true);
  expect(schemata.switched).toEqual(mutants.map(() => true));
  expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
});

test('members of an enum have no switch, because they are computed before the program runs', () => {
  const after = 'export enum Size { Small = 1 << 2 }\nexport const f = (a: number) => a + 1;\n';
  const { schemata, mutants } = planMutants([{ path: 'src/a.ts', before: '', after }], 100, () => false);
  const without = mutants.filter((_, index) => !schemata.switched[index]).map(({ shown }) => shown);
  expect(without).toEqual(['<< → >>', '1 → 2', '2 → 3']);
});

test('quoted names of members and exports are no mistakes, and their bodies are', () => {
  const after = `const a = { 'x-y'() { return 1; }, get 'c-d'() { return 2; }, 'e-f': 3 };
class B { 'g-h' = 4; static 'i-j'() { return 5; } }
const { 'e-f': k } = a;
export { a as 'l-m', k, B };
`;
  const { schemata, mutants } = planMutants([{ path: 'src/a.js', before: '', after }], 100, () => false);
  expect(mutants.filter(({ operator }) => operator === 'string')).toEqual([]);
  expect(mutants.filter(({ operator }) => operator === 'number')).toHaveLength(5);
  expect(schemata.switched).toEqual(mutants.map(() => true));
});

test('a few mutants that break the syntax leave many others of their file switched', () => {
  const text = `${'f(1);\n'.repeat(400)}`;
  const mutants = Array.from({ length: 400 }, (_, at) => {
    const start = at * 'f(1);\n'.length + 'f('.length;
    const put = at % 150 === 7 ? '2 +' : '2';
    return { path: 'src/a.js', operator: 'number' as const, start, end: start + 1, text: put };
  });
  const { switched, files } = compileSchemata(mutants, () => text);
  expect(switched).toEqual(mutants.map((mutant) => mutant.text === '2'));
  expect(parses(files[0]!.text)).toBe(true);
});
