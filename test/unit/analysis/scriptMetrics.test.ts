// Figures of functions in TypeScript and JavaScript, against ESLint's `complexity` and `max-depth` and SonarJS'
// definition.

import { expect, test } from 'vitest';
import { analyse } from './analyseCase.ts';

type Figures = Partial<Record<'cyclomatic' | 'cognitive' | 'nesting' | 'statements' | 'parameters', number>>;

/** Figures of the first function in a text, after the top level. */
const cases: readonly (readonly [string, Figures])[] = [
  ['function f() {}', { cyclomatic: 1, cognitive: 0, nesting: 0, statements: 0, parameters: 0 }],
  ['function f(a) { if (a) b(); }', { cyclomatic: 2, cognitive: 1, nesting: 1, statements: 2, parameters: 1 }],
  ['function f(a) { if (a) b(); else if (c) d(); else e(); }', { cyclomatic: 3, cognitive: 3, nesting: 1 }],
  ['function f(a) { if (a) { b(); } else { if (c) d(); } }', { cyclomatic: 3, cognitive: 4, nesting: 2 }],
  ['function f(a) { for (const x of a) for (const y of x) if (y) z(); }', { cyclomatic: 4, cognitive: 6, nesting: 3 }],
  [
    'function f(a) { for (;;) {} for (x in a) {} while (a) {} do {} while (a); }',
    { cyclomatic: 5, cognitive: 4, nesting: 1 },
  ],
  [
    'function f(a) { switch (a) { case 1: case 2: b(); break; default: c(); } }',
    { cyclomatic: 3, cognitive: 1, nesting: 1 },
  ],
  ['function f(a) { switch (a) { case 1: if (b) c(); } }', { cyclomatic: 3, cognitive: 3, nesting: 2 }],
  [
    'function f() { try { a(); } catch (e) { if (e) b(); } finally { c(); } }',
    { cyclomatic: 3, cognitive: 3, nesting: 2 },
  ],
  ['function f(a, b) { return a ? (b ? 1 : 2) : 3; }', { cyclomatic: 3, cognitive: 3, nesting: 0 }],
  ['function f(a, b, c) { return a && b && c; }', { cyclomatic: 3, cognitive: 1 }],
  ['function f(a, b, c, d) { return a && b || c && d; }', { cyclomatic: 4, cognitive: 2 }],
  ['function f(a, b, c) { return a && (b && c); }', { cyclomatic: 3, cognitive: 1 }],
  ['function f(a, b) { return a || b ?? 1; }', { cognitive: 0 }],
  ['function f(a) { a ||= 1; a &&= 2; a ??= 3; a = 4; }', { cyclomatic: 4, cognitive: 0 }],
  ['function f(a) { return a?.b?.c?.(1)?.[2]; }', { cyclomatic: 5, cognitive: 0 }],
  ['function f(a) { return a?.b.c(1)[2]; }', { cyclomatic: 2 }],
  ['function f(a = 1, { b = 2, c: [d = 3] } = {}) {}', { cyclomatic: 5, parameters: 2 }],
  ['function f() { let a; [a = 1] = x; ({ a = 2, b: a = 3 } = x); for ({ a = 4 } of y) {} }', { cyclomatic: 6 }],
  ['function f() { const a = [b = 1]; g({ c: b = 2 }); }', { cyclomatic: 1 }],
  ['function f() { a: for (;;) { for (;;) { continue a; } break a; } }', { cyclomatic: 3, cognitive: 5 }],
  ['function f() { return () => { if (a) b(); }; }', { cyclomatic: 1, cognitive: 0, nesting: 0, statements: 1 }],
  [
    'function f() { if (a) return 1; if (b) return 2; return 3; }',
    { cyclomatic: 3, cognitive: 2, nesting: 1, statements: 5 },
  ],
  ['function f(this: Window, a: number, ...rest: number[]) {}', { parameters: 2 }],
  ['function f(a) { type T = a extends 1 ? 2 : 3; }', { cyclomatic: 1, cognitive: 0 }],
  ['function f() { ; { a(); } }', { statements: 1 }],
  ['const f = (a) => a ? 1 : 2', { cyclomatic: 2, cognitive: 1, statements: 1, parameters: 1 }],
  ['function f() { class A { static { if (a) b(); } x = a ? 1 : 2; } }', { cyclomatic: 1, cognitive: 2 }],
];

test.each(cases)('%s', (text, expected) => {
  const [, first] = analyse('src/a.ts', text).functions;
  expect(first).toMatchObject(expected);
});

test('every kind of function is a unit of its own, with the name that a person knows', () => {
  const text = `
function declared() {}
const held = function () {};
const arrow = () => 1;
const object = { method() {}, get size() { return 1; }, set size(value) {}, property: () => 1, 'quoted name': () => 1 };
class A {
  field = a || b;
  handler = () => 1;
  static { go(); }
  constructor() { super(); }
  get size() { return 1; }
  set size(value) {}
  #hidden() {}
  [computed ? 'a' : 'b']() {}
  over(a: string): void;
  over(a: unknown) {}
}
exports.assigned = function () {};
export default function () {}
run(() => 1, function () {});
declare function ambient(): void;
`;
  expect(
    analyse('src/a.ts', text).functions.map(
      ({ line, kind, name, cyclomatic }) => `${line} ${kind} ${name} ${cyclomatic}`,
    ),
  ).toEqual([
    '1 topLevel (top level) 2',
    '2 function declared 1',
    '3 functionExpression held 1',
    '4 arrow arrow 1',
    '5 method method 1',
    '5 getter size 1',
    '5 setter size 1',
    '5 arrow property 1',
    '5 arrow quoted name 1',
    '7 fieldInitialiser field 2',
    '8 fieldInitialiser handler 1',
    '8 arrow handler 1',
    '9 staticBlock static 1',
    '10 constructor constructor 1',
    '11 getter size 1',
    '12 setter size 1',
    '13 method #hidden 1',
    "14 method [computed ? 'a' : 'b'] 1",
    '16 method over 1',
    '18 functionExpression assigned 1',
    '19 function default 1',
    '20 arrow (anonymous) 1',
    '20 functionExpression (anonymous) 1',
  ]);
});

test('JSX short circuits are no logic', () => {
  const [, first] = analyse('src/a.tsx', 'const View = (a) => <p>{a && <b />}{a && b || c}</p>;').functions;
  expect(first).toMatchObject({ cyclomatic: 4, cognitive: 1 });
});

test('Halstead and the maintainability index follow their formulas', () => {
  // Operators: function, return, + ; operands: add, a, b, a, b.
  const [, first] = analyse('src/a.ts', 'function add(a: number, b: number) {\n  return a + b;\n}').functions;
  const volume = 8 * Math.log2(6);
  expect(first?.halstead?.volume).toBeCloseTo(volume, 2);
  expect(first?.halstead?.difficulty).toBeCloseTo((3 / 2) * (5 / 3), 2);
  expect(first?.halstead?.effort).toBeCloseTo(volume * 2.5, 1);
  expect(first?.maintainability).toBeCloseTo(
    ((171 - 5.2 * Math.log(volume) - 0.23 - 16.2 * Math.log(3)) * 100) / 171,
    1,
  );
});

test('lines and columns count as editors do', () => {
  const text = '/* \u2028 */ let a;\r\n\tconst f = () => 1;\rfunction g() {\n}';
  expect(analyse('src/a.ts', text).functions.map(({ line, column, endLine }) => [line, column, endLine])).toEqual([
    [1, 1, 4],
    [2, 12, 2],
    [3, 1, 4],
  ]);
});

test('the top level of a file is a unit: what stands outside of functions, and it alone', () => {
  const [top] = analyse(
    'src/a.ts',
    `import { b } from './b.ts';
if (b && b.c) for (const x of b) x?.();
export const d = () => { if (b) b(); };
class E { f = b ? 1 : 2; }
`,
  ).functions;
  expect(top).toMatchObject({
    kind: 'topLevel',
    name: '(top level)',
    line: 1,
    column: 1,
    endLine: 5,
    cyclomatic: 5,
    cognitive: 5,
    nesting: 2,
    statements: 5,
    parameters: 0,
  });
  expect(analyse('src/a.ts', '// nothing\n').functions).toEqual([]);
});

test('the top level makes no opportunity and no measure of the ruler', () => {
  const script = `${'if (a) { while (b) { if (c) { for (;;) { do { if (d) e(); } while (f); } } } }\n'.repeat(20)}`;
  const { opportunities, measures } = analyse('src/a.ts', script);
  expect(
    opportunities
      .map(({ rule }) => rule)
      .filter((rule) => ['cognitive-complexity', 'deep-nesting', 'long-function', 'many-parameters'].includes(rule)),
  ).toEqual([]);
  expect(measures['excess']).toBe(0);
});
