// Code that may be made for its tests, or for the call that shows a fix, is neither proven nor tested, and asks.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { describeOverfit } from '../../../server/src/core/model/proofs.ts';
import { planSimilarTests } from '../../../server/src/core/verify/claims/planSpecialCase.ts';
import { findComparedLiteral } from '../../../server/src/core/verify/claims/specialCase.ts';
import { explainStrength, determineStrength } from '../../../server/src/core/verify/strength.ts';
import { createPart } from '../../helpers/createPart.ts';

const code = (line: string) => ({
  path: 'src/half.ts',
  before: 'export function half(value) {\n  return value / 2;\n}\n',
  after: `export function half(value) {\n  ${line}\n  return value / 2;\n}\n`,
});
const cases = (body: string) => ({
  path: 'test/half.test.ts',
  before: '',
  after: `test('half', () => {\n  ${body}\n});\n`,
});
const planned = (line: string, body: string) => planSimilarTests([code(line), cases(body)]);

test.each([
  ["if (value === 49.5) return 'B';", "assert.equal(half(49.5), 'B');", { literal: '49.5', how: 'compared' }],
  ["switch (value) { case 'xy': return 1; }", "assert.equal(half('xy'), 1);", { literal: "'xy'", how: 'compared' }],
  ['if (value < -7.50) return 3;', 'expect(half(-7.5)).toBe(3);', { literal: '7.50', how: 'compared' }],
  ['if (/^a\\.b$/.test(value)) return 3;', "expect(half('a.b')).toBe(3);", { literal: '/^a\\.b$/', how: 'compared' }],
  ["if (value.join() === '4,5') return 1;", 'expect(half([4, 5])).toBe(1);', { literal: "'4,5'", how: 'compared' }],
  ["if (isOdd(value)) return 'B';", "assert.equal(half(49.5), 'B');", { literal: "'B'", how: 'returned' }],
  [
    "let r = 'none'; if (value > 16 && value < 18) r = 'xyz'; return r;",
    "expect(half(17)).toBe('xyz');",
    { literal: "'xyz'", how: 'returned' },
  ],
  ["const r = isOdd(value) && 'B'; return r;", "expect(half(7)).toBe('B');", { literal: "'B'", how: 'returned' }],
  ["if (isOdd(value)) return `${'B'}`;", "expect(half(7)).toBe('B');", { literal: "'B'", how: 'returned' }],
  ['if (value === 2) return 1;', 'assert.equal(half(2), 1);', { literal: '2', how: 'compared' }],
  ["if (value === '') return 0;", "assert.equal(half(''), 0);", { literal: "''", how: 'compared' }],
])('%s with the test %s', (line, body, expected) => {
  expect(planned(line, body)).toMatchObject(expected);
});

test('other literals, and those that say nothing, are no special case', () => {
  expect(planned('if (value === 3) return 7;', "assert.equal(half(49.5), 'B');")).toBeNull();
  expect(planned('if (value === 0) return null;', 'assert.equal(half(0), null);')).toBeNull();
  expect(planned('if (values.length === 0) return 1;', 'assert.equal(half([], 0), 1);')).toBeNull();
});

test('copies of a case differ in one input each, and what is expected stays', () => {
  const body = "const text = '7';\n  const want = 'B';\n  assert.equal(half(49.5, text), want);";
  const [edit] = planned("if (isOdd(value)) return 'B';", body)!.edits;
  expect(edit!.after).toContain("test('near 1.1: half'");
  const copies = edit!.after!.split("test('near ").slice(1);
  const inputs = copies.map((copy) => Number(/half\(([\d.]+), text\)/.exec(copy)![1]));
  expect(inputs.filter((input) => input > 50)).toHaveLength(1);
  expect(inputs.filter((input) => input < 49)).toHaveLength(1);
  // Rounding changes what is next to it alone.
  expect(inputs).toEqual(expect.arrayContaining([49.3, 49.7]));
  for (const input of inputs.filter((one) => ![49.3, 49.7].includes(one)))
    expect([0, 3, 4, 5, 6, 7, 8, 9]).toContain(Math.abs(input - 49.5));
  for (const copy of copies) expect(copy).toContain("const want = 'B'");
});

test('the distance of the inputs is not the same for each change', () => {
  const far = Array.from({ length: 12 }, (_, at) => {
    const [edit] = planned(`if (value === 490) return 'B'; // ${at}`, "assert.equal(half(490), 'B');")!.edits;
    return /near 1\.1: half'[^]*?half\((\d+)\)/.exec(edit!.after!)![1];
  });
  expect(new Set(far).size).toBeGreaterThan(2);
});

const LINE = "if (value === 17) return 'xyz';";
const CASE = 'expect(half(n)).toBe(e)';
test.each([
  ['a table', `it.each([[17, 'xyz']])('%s', (n, e) => {\n  ${CASE};\n});\n`],
  ['a table of objects', `it.each([{ n: 17, e: 'xyz' }])('$n', ({ n, e }) => {\n  ${CASE};\n});\n`],
  ['a table with a name', `const ALL = [[17, 'xyz']] as const;\nit.each(ALL)('%s', (n, e) => {\n  ${CASE};\n});\n`],
  ['a constant', `const n = 17;\nconst e = 'xyz';\ntest('half', () => {\n  ${CASE};\n});\n`],
  ['a loop', `for (const [n, e] of [[17, 'xyz']])\n  test(\`\${n}\`, () => {\n    ${CASE};\n  });\n`],
  [
    'a loop by a function',
    `[[17, 'xyz']].forEach(([n, e]) => {\n  test(String(n), () => {\n    ${CASE};\n  });\n});\n`,
  ],
])('inputs from %s are followed', (_, after) => {
  for (const [line, how] of [
    [LINE, 'compared'],
    ["if (isOdd(value)) return 'xyz';", 'returned'],
  ] as const) {
    const plan = planSimilarTests([code(line), { path: 'test/half.test.ts', before: '', after }]);
    expect(plan).toMatchObject({ how });
    expect(plan!.edits[0]!.after).toMatch(/near 1\.2: [^]*half\(\d+\)[^]*near 1\.1: [^]*half\(2\d\)/);
    if (after.startsWith('for')) expect(plan!.edits[0]!.after).toMatch(/\{ test\([^]*near 1\.1[^]*\}\);\n\}\n$/);
  }
});

test('a literal of the call that shows a fix is found in the new code, in any language', () => {
  const python = { path: 'half.py', before: '', after: "if text == 'x,,':\n    return None\n" };
  expect(findComparedLiteral([python], ["parse('x,,')"])).toBe("asks for 'x,,'");
  expect(findComparedLiteral([python], ["parse('y')"])).toBeNull();
});

test('neither mutants nor tests make such a change proven or tested', () => {
  const verdict = (gate: string, evidence: object = {}) => createPart<Verdict>({ gate, outcome: 'passed', evidence });
  const passing = [verdict('types'), verdict('tests', { reachingPassed: 3 }), verdict('guard', { noticed: 9 })];
  expect(determineStrength(passing)).toBe('proven');
  const special = [...passing, verdict('claim', { kind: 'fix', special: 'asks for 17' })];
  expect(determineStrength(special)).toBe('checked');
  expect(explainStrength('checked', special)).toBe(
    'Its code asks for 17, which the test uses: it may fit that test alone.',
  );
  expect(describeOverfit([verdict('differential', { special: 'asks for 17' })])).toContain('that call alone');
});
