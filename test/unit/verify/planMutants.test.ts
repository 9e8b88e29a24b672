// Which faults are put into the touched lines of a change, which are left out, and what tells that tests reach them.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import { parseReachedProbes, insertProbes } from '../../../server/src/core/verify/guard/probes.ts';

/** Every mutant of a text that is new from its first line to its last. */
function mutantsOf(text: string, path = 'src/a.ts', most = 100): string[] {
  return planMutants([{ path, before: '', after: text }], most, () => false).mutants.map(
    ({ operator, shown }) => `${operator}: ${shown}`,
  );
}

test('`??` stays where `&&` would stand beside another one, which is no syntax', () => {
  const logical = (text: string) => mutantsOf(text).filter((one) => one.startsWith('logical'));
  expect(logical('x(a ?? b ?? c);')).toEqual([]);
  expect(logical('x((a ?? b) ?? c);')).toHaveLength(2);
});

test.each([
  ['const least = (a, b) => { if (a < b) return b; return a; };', 1],
  ['const least = (a, b) => { if (a < b) { return b; } else return a; };', 1],
  ['function f(value, most) { if (value > most) value = most; g(value); }', 1],
  ['x = (value >= 10) ? 10 : value;', 1],
  // Equal operands give another result here.
  ['const f = (a, b) => { if (a.size < b.size) return b.size; return a.size; };', 2],
  ['function f(box, most) { if (box.value > most) box.value = most; g(box); }', 2],
  ['const f = (a, b) => { if (a < b) return b; return c; };', 2],
  ['const f = (a, b) => { if (a < b) return b + 1; return a; };', 2],
  ['function f(value, most) { if (value > most) other = most; g(value); }', 2],
  ['x = f() < g() ? f() : g();', 2],
])('a limit that gives the same for equal operands is left as it is: %s', (text, expected) => {
  expect(mutantsOf(text).filter((mutant) => /^equality: [<>]/.test(mutant))).toHaveLength(expected);
});

test.each<[string, string, readonly string[]]>([
  [
    'conditions',
    'f(); if (a < b) f();',
    [
      'statement: f(); → ;',
      'conditional: a < b → true',
      'statement: f(); → ;',
      'conditional: a < b → false',
      'equality: < → <=',
      'equality: < → >=',
    ],
  ],
  [
    'a choice of the smaller',
    'x = a < b ? a : b;',
    [
      'statement: x = a < b ? a : b; → ;',
      'conditional: a < b → true',
      'conditional: a < b → false',
      'equality: < → >=',
    ],
  ],
  [
    'arithmetic, but no joining of texts',
    "x(a + 1, 'b' + a);",
    ["statement: x(a + 1, 'b' + a); → ;", 'arithmetic: + → -', 'number: 1 → 2', "string: 'b' → ''"],
  ],
  [
    'logic and optional chaining',
    'x(a && b, c ?? d, e?.f);',
    ['statement: x(a && b, c ?? d, e?.f); → ;', 'logical: && → ||', 'logical: ?? → &&', 'optional chaining: ?. → .'],
  ],
  [
    'methods',
    'x(list.filter(y).some(z));',
    ['statement: x(list.filter(y).some(z)); → ;', 'method: some → every', 'method: list.filter(y) → list'],
  ],
  [
    'methods that every object has',
    'x(a.toString(), a.constructor(b), a.valueOf());',
    ['statement: x(a.toString(), a.constructor(b), a.valueOf()); → ;'],
  ],
  [
    'loops that would not end are left out',
    'while (a) b++;',
    ['conditional: a → false', 'statement: b++; → ;', 'update: b++ → b--'],
  ],
  [
    'lists and objects, empty ones too',
    'x([1], [], { a: 1 }, {});',
    [
      'statement: x([1], [], { a: 1 }, {}); → ;',
      'array: [1] → []',
      'object: { a: 1 } → ({})',
      ...Array(2).fill('number: 1 → 2'),
    ],
  ],
  [
    'signs, and what is given or taken for granted',
    'const f = (a = 1) => -a; function g() { return !f; } function h() { return; }',
    [
      'default: 1 → undefined',
      'number: 1 → 2',
      'return: -a → undefined',
      'unary: -a → a',
      'block: { return !f; } → {}',
      'return: !f → undefined',
      'unary: !f → f',
      'block: { return; } → {}',
    ],
  ],
  [
    'a class: neither what it extends nor its constructor',
    'class A extends B { constructor() { super(); this.a = 1; } }',
    ['statement: this.a = 1; → ;', 'number: 1 → 2'],
  ],
  ['what is given away under another name', "export * from './a.js';\nexport { b } from './b.js';\n", []],
  ['the values of an enumeration, and attributes', "enum A { B = 'b', C = 2 }\n", []],
  [
    'types, imports, messages and logs are left out',
    "import x from 'y';\ninterface A { b: 'c' }\ntype D = { e: 1 } | 'f';\ndeclare const g: 2;\ndeclare namespace G { const g = 5; }\nconst h = i as 'j';\nconsole.log('k');\nthrow new Error('l');\n",
    [],
  ],
])('mutants: %s', (_what, text, expected) => {
  expect(mutantsOf(text).toSorted()).toEqual([...expected].toSorted());
});

test('few mutants are spread over the touched lines, before those around them', () => {
  const text = Array.from({ length: 30 }, (_, index) => `  x(a + ${index}, b * ${index});`).join('\n');
  const whole = (body: string) => `function f(a, b) {\n${body}\n  return a - b;\n}\n`;
  const edits: FileEdit[] = [{ path: 'a.js', before: whole(''), after: whole(text) }];
  const { mutants, omittedCount } = planMutants(edits, 10, () => false);
  expect(new Set(mutants.map(({ line }) => line)).size).toBe(10);
  expect(mutants.every(({ touched }) => touched)).toBe(true);
  expect(omittedCount).toBeGreaterThan(50);
  expect(
    planMutants(edits, 1_000, () => false)
      .mutants.filter(({ touched }) => !touched)
      .map(({ line }) => line),
  ).toContain(32);
});

test('files that are gone, that are no scripts, that declare, and that are tests have no mutants', () => {
  const text = 'f(1);\n';
  const planned = (path: string, after: string | null) =>
    planMutants([{ path, before: null, after }], 10, (one) => one.path.startsWith('test/')).mutants.length;
  expect(planned('a.js', text)).toBeGreaterThan(0);
  expect([planned('a.js', null), planned('a.py', text), planned('a.d.ts', text), planned('test/a.js', text)]).toEqual([
    0, 0, 0, 0,
  ]);
});

test('only the touched lines and the functions around them have mutants', () => {
  const before = 'function f() {\n  a(1);\n  a(2);\n}\nfunction g() {\n  a(3);\n}\na(4);\na(5);\n';
  const after = before.replace('a(2)', 'a(20)').replace('a(4)', 'a(40)');
  const { mutants } = planMutants([{ path: 'a.js', before, after }], 100, () => false);
  const lines = (touched: boolean) => [
    ...new Set(mutants.filter((one) => one.touched === touched).map(({ line }) => line)),
  ];
  expect(lines(true).toSorted()).toEqual([3, 8]);
  expect(lines(false).toSorted()).toEqual([1, 2]);
});

test('a probe stands before the innermost statement in a function; what runs when the module is loaded has none', () => {
  const text = [
    'a(1);',
    'function f(b) {',
    '  if (b) {',
    '    a(2);',
    '  }',
    '  switch (b) {',
    '    case 3:',
    '      a(4);',
    '  }',
    '}',
    'const g = (c) => c + 5;',
    'function h(d) {',
    '  d((e) => e + 6);',
    '}',
    '',
  ].join('\n');
  const { mutants, probes } = planMutants([{ path: 'a.js', before: '', after: text }], 100, () => false);
  const placeOf = (line: number, operator: string) => {
    const probe = mutants.find((one) => one.line === line && one.operator === operator)!.probe;
    return probe === null ? null : text.slice(probes.find(({ id }) => id === probe)!.at).split('\n')[0];
  };
  expect(placeOf(1, 'number')).toBeNull();
  expect(placeOf(3, 'conditional')).toBe('if (b) {');
  expect(placeOf(4, 'number')).toBe('a(2);');
  expect(placeOf(8, 'number')).toBe('a(4);');
  expect(placeOf(11, 'number')).toBe('c + 5;');
  expect(placeOf(13, 'statement')).toBe('d((e) => e + 6);');
  expect(placeOf(13, 'number')).toBe('e + 6);');
});

test('a mutant knows the innermost function around it', () => {
  const text = 'app.get(1, (q) => q.send(2));\n';
  const { mutants } = planMutants([{ path: 'a.js', before: '', after: text }], 100, () => false);
  const codeAround = (shown: RegExp) => {
    const found = mutants.find((one) => shown.test(one.shown))!.within;
    return found && text.slice(...found);
  };
  expect([codeAround(/^1/), codeAround(/^2/)]).toEqual([undefined, '(q) => q.send(2)']);
});

test('probes say what was reached and keep the lines', () => {
  const text = 'function f(a) {\n  if (a > 1) {\n    return 2;\n  }\n  return 3;\n}\n';
  const { probes, mutants } = planMutants([{ path: 'a.js', before: '', after: text }], 100, () => false);
  const probed = insertProbes('a.js', text, probes, '/reached');
  expect(probed.split('\n').length).toBe(text.split('\n').length);
  let written = '';
  const world = {
    process: { getBuiltinModule: () => ({ appendFileSync: (_file: string, line: string) => (written += line) }) },
  };
  const run = new Function('globalThis', `${probed}; return f;`) as (scope: object) => (a: number) => number;
  expect([run(world)(1), run(world)(1)]).toEqual([3, 3]);
  // A runner that looks for leaked global variables sees none.
  expect(Object.keys(world)).toEqual(['process']);
  const reached = parseReachedProbes(written);
  const linesReached = new Set(
    mutants.filter(({ probe }) => probe !== null && reached.has(probe)).map(({ line }) => line),
  );
  expect([...linesReached].toSorted()).toEqual([2, 5]);
});

test('a function that is one expression has a probe of its own, in nested ones and object literals, too', () => {
  const text = 'const f = (a) => (b) => a + b;\nconst g = (a) => ({ twice: a * 2 });\n';
  const { probes, mutants } = planMutants([{ path: 'a.js', before: '', after: text }], 100, () => false);
  const probed = insertProbes('a.js', text, probes, '/reached');
  expect(probed.split('\n').length).toBe(text.split('\n').length);
  const answers = (call: string) => {
    let written = '';
    const appendFileSync = (_file: string, line: string) => (written += line);
    const world = { process: { getBuiltinModule: () => ({ appendFileSync }) } };
    const value: unknown = new Function('globalThis', `${probed}; return ${call};`)(world);
    const reached = parseReachedProbes(written);
    const hit = mutants.filter(({ probe }) => probe !== null && reached.has(probe)).map(({ shown }) => shown);
    return { value, hit: hit.some((shown) => shown.startsWith('a + b')), twice: hit.some((one) => /2/.test(one)) };
  };
  expect(answers('typeof f')).toEqual({ value: 'function', hit: false, twice: false });
  expect(answers('typeof f(1)')).toEqual({ value: 'function', hit: false, twice: false });
  expect(answers('f(1)(2)')).toEqual({ value: 3, hit: true, twice: false });
  expect(answers('g(4)')).toEqual({ value: { twice: 8 }, hit: false, twice: true });
});

test('a limited number of mutants is dealt out to all files, and over the lines of each', () => {
  const text = (lines: number) => `${'f(1);\n'.repeat(lines)}`;
  const edits = [
    { path: 'src/long.js', before: '', after: text(800) },
    { path: 'src/short.js', before: '', after: text(20) },
  ];
  const { mutants } = planMutants(edits, 40, () => false);
  const linesOf = (wanted: string) => mutants.flatMap(({ path, line }) => (path === wanted ? [line] : []));
  expect(linesOf('src/short.js').toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  const long = linesOf('src/long.js');
  expect(long).toHaveLength(20);
  for (const from of [1, 201, 401, 601])
    expect(long.filter((line) => line >= from && line < from + 200).length).toBeGreaterThanOrEqual(4);
});
