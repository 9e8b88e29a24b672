// Code that may be made for its tests, or for the call that shows a fix, is neither proven nor tested, and asks.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { fitsTestsAlone } from '../../../server/src/core/model/proofs.ts';
import { planNear } from '../../../server/src/core/verify/claims/planNear.ts';
import { comparedWith } from '../../../server/src/core/verify/claims/specialCase.ts';
import { strengthMeaning, strengthOf } from '../../../server/src/core/verify/strength.ts';

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
const planned = (line: string, body: string) => planNear([code(line), cases(body)]);

test.each([
  ["if (value === 49.5) return 'B';", "assert.equal(half(49.5), 'B');", { literal: '49.5', how: 'compared' }],
  ["switch (value) { case 'xy': return 1; }", "assert.equal(half('xy'), 1);", { literal: "'xy'", how: 'compared' }],
  ['if (value < -7.50) return 3;', 'expect(half(-7.5)).toBe(3);', { literal: '7.50', how: 'compared' }],
  ['if (/^a\\.b$/.test(value)) return 3;', "expect(half('a.b')).toBe(3);", { literal: '/^a\\.b$/', how: 'compared' }],
  ["if (value.join() === '4,5') return 1;", 'expect(half([4, 5])).toBe(1);', { literal: "'4,5'", how: 'compared' }],
  ["if (isOdd(value)) return 'B';", "assert.equal(half(49.5), 'B');", { literal: "'B'", how: 'returned' }],
])('%s with the test %s', (line, body, expected) => {
  expect(planned(line, body)).toMatchObject(expected);
});

test('other literals, and those that say nothing, are no special case', () => {
  expect(planned('if (value === 3) return 7;', "assert.equal(half(49.5), 'B');")).toBeNull();
  expect(planned('if (value === 0) return 1;', 'assert.equal(half(0), 1);')).toBeNull();
});

test('copies of a case differ in one input each, and what is expected stays', () => {
  const body = "const text = '7';\n  const want = 'B';\n  assert.equal(half(49.5, text), want);";
  const [edit] = planned("if (isOdd(value)) return 'B';", body)!.edits;
  expect(edit!.after).toContain("test('near 1.1: half'");
  const copies = edit!.after!.split("test('near ").slice(1);
  expect(copies.map((copy) => /half\(([\d.]+), text\)/.exec(copy)![1]).toSorted()).toEqual(
    ['49.5', '49.5', '49.51', '50.5'].slice(-copies.length),
  );
  for (const copy of copies) expect(copy).toContain("const want = 'B'");
});

test('a literal of the call that shows a fix is found in the new code, in any language', () => {
  const python = { path: 'half.py', before: '', after: "if text == 'x,,':\n    return None\n" };
  expect(comparedWith([python], ["parse('x,,')"])).toBe("asks for 'x,,'");
  expect(comparedWith([python], ["parse('y')"])).toBeNull();
});

test('neither mutants nor tests make such a change proven or tested', () => {
  const verdict = (gate: string, evidence: object = {}) =>
    ({ gate, outcome: 'passed', evidence }) as unknown as Verdict;
  const passing = [verdict('types'), verdict('tests', { reachingPassed: 3 }), verdict('guard', { noticed: 9 })];
  expect(strengthOf(passing)).toBe('proven');
  const special = [...passing, verdict('claim', { kind: 'fix', special: 'asks for 17' })];
  expect(strengthOf(special)).toBe('checked');
  expect(strengthMeaning('checked', special)).toBe(
    'Its code asks for 17, which the test uses: it may fit that test alone.',
  );
  expect(fitsTestsAlone([verdict('differential', { special: 'asks for 17' })])).toContain('that call alone');
});
