// Which calls are chosen to tell mutants, and which results a test may record.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseCalls, type RatedCall } from '../../../server/src/adapters/harness/distinguishing/chooseCalls.ts';
import { createDescriber } from '../../../server/src/adapters/harness/describe.ts';
import type { CallOutcome } from '../../../server/src/adapters/harness/messages.ts';
import { selectRecordableResult } from '../../../server/src/adapters/harness/distinguishing/recordableResults.ts';
import { equalsWithoutOrder } from '../../../server/src/adapters/harness/distinguishing/compareUnordered.ts';

function candidate(given: number, cost: number, ...mutants: readonly number[]): RatedCall {
  const tells = mutants.map((mutant) => ({ mutant, then: 'returns 0' }));
  return { call: `f(${given})`, given: [given], cost, tells, result: { value: '1', promised: false } };
}

test('cheap calls that together tell all, none that tells nothing new', () => {
  const all = [candidate(1, 10, 1), candidate(2, 11, 1, 2, 3), candidate(3, 12, 3), candidate(4, 50, 4)];
  expect(chooseCalls(all, 5)).toEqual([
    { given: [2], newMutants: [1, 2, 3], value: expect.any(Number) },
    { given: [4], newMutants: [4], value: expect.any(Number) },
  ]);
  expect(chooseCalls(all, 1)).toHaveLength(1);
});

const SEEN = { result: 'returns 1', arguments: '', callLog: [] };
const OUTCOME: CallOutcome = {
  first: SEEN,
  second: SEEN,
  call: 'f()',
  expression: '1',
  bare: null,
  threw: false,
  drained: false,
  effect: null,
};

function of(changes: Partial<CallOutcome>, call = 'f(1)') {
  return selectRecordableResult({ ...OUTCOME, ...changes }, { call });
}

function seen(result: string, changes: Partial<CallOutcome['first']> = {}) {
  const one = { ...SEEN, result, ...changes };
  return { first: one, second: one };
}

test('a plain result and an error of the code itself are recorded', () => {
  expect(of({})).toEqual({ result: { value: '1', promised: false } });
  expect(of({ ...seen('resolves to "a"'), expression: '"a"' })).toEqual({ result: { value: '"a"', promised: true } });
  const thrown = { threw: true, expression: null };
  expect(of({ ...seen('throws RangeError: below 0'), ...thrown })).toEqual({
    result: { throws: 'RangeError', message: 'below 0', promised: false },
  });
  expect(of({ ...seen('throws TypeError'), ...thrown })).toEqual({ unfit: true });
});

test('a result whose objects have no prototype is recorded, and marked', () => {
  const bare = { ...seen('returns <no prototype> { a: 1 }'), expression: null, bare: '{ a: 1 }' };
  expect(of(bare)).toEqual({ result: { value: '{ a: 1 }', promised: false, bare: true } });
  const describe = createDescriber();
  const made: object = Object.assign(Object.create(null) as object, { a: 1 });
  expect(describe({ b: made }, 'it')).toEqual({
    text: '{ b: <no prototype> { a: 1 } }',
    isExact: false,
    bareText: '{ b: { a: 1 } }',
  });
  expect(createDescriber()({ b: made, c: new Map(), d: () => 1 }, 'it').bareText).toBe(null);
  expect(createDescriber()({ b: 1 }, 'it')).toEqual({ text: '{ b: 1 }', isExact: true, bareText: null });
});

test('a list or an object may be longer than other results', () => {
  const list = `[${'"alpha", '.repeat(20)}"beta"]`;
  expect(of({ expression: list })).toEqual({ result: { value: list, promised: false } });
  expect(of({ expression: `[${'"alpha", '.repeat(60)}"beta"]` })).toEqual({ unfit: true });
});

test('results that differ in the order of members alone are the same, those with lists in another order are not', () => {
  expect(equalsWithoutOrder('returns { a: 1, b: { c: 2, d: 3 } }', 'returns { b: { d: 3, c: 2 }, a: 1 }')).toBe(true);
  expect(equalsWithoutOrder('returns { a: 1, b: 2, c: 3 }', 'returns { b: 2, a: 1, c: 3 }')).toBe(true);
  expect(equalsWithoutOrder('returns { a: [1, 2] }', 'returns { a: [2, 1] }')).toBe(false);
  expect(equalsWithoutOrder('returns { a: 1 }', 'returns { a: 2 }')).toBe(false);
  expect(equalsWithoutOrder('returns [1, 2]', 'returns [2, 1]')).toBe(false);
  expect(equalsWithoutOrder('returns { a: [[1, 2], 3] }', 'returns { a: [3, [1, 2]] }')).toBe(false);
  expect(equalsWithoutOrder('returns [{ a: 1 }, { a: 2 }]', 'returns [{ a: 2 }, { a: 1 }]')).toBe(false);
  expect(equalsWithoutOrder('returns [{ a: 1, b: 2 }]', 'returns [{ b: 2, a: 1 }]')).toBe(true);
  expect(equalsWithoutOrder('returns { a: 1, b: { c: 2 } }', 'returns { b: 1, a: { c: 2 } }')).toBe(false);
  expect(equalsWithoutOrder('returns { a: "b, c" }', 'returns { a: "c, b" }')).toBe(false);
  expect(equalsWithoutOrder('throws Error: {a, b}', 'throws Error: {b, a}')).toBe(false);
  expect(equalsWithoutOrder('returns /{a,b/', 'returns /{b,a/')).toBe(false);
  expect(equalsWithoutOrder('throws Error: {a, b', 'throws Error: {b, a')).toBe(false);
  // Assertions find maps and sets with another order the same.
  expect(equalsWithoutOrder('returns new Set(["b", "a"])', 'returns new Set(["a", "b"])')).toBe(true);
  expect(equalsWithoutOrder('returns new Map([["b", 1], ["a", 2]])', 'returns new Map([["a", 2], ["b", 1]])')).toBe(
    true,
  );
  expect(equalsWithoutOrder('returns new Map([["b", 1]])', 'returns new Map([[1, "b"]])')).toBe(false);
});

test('what no test should hold', () => {
  for (const [expression, call] of [
    ['NaN', 'f(1)'],
    ['-0', 'f(1)'],
    ['"日"', 'f(1)'],
    [`"${'a'.repeat(100)}"`, 'f(1)'],
    ['1', 'f(() => 1)'],
    ['1', `f("${'a'.repeat(100)}")`],
    [String.raw`/"\da"/`, 'f(1)'],
    [String.raw`["a", /\d/]`, 'f(1)'],
    ['1', 'f(/"/)'],
  ] as const)
    expect(of({ expression }, call)).toEqual({ unfit: true });
  expect(of({ expression: null })).toEqual({ unfit: true });
  expect(of(seen('returns 1', { arguments: 'argument 1 is then []' }))).toEqual({ unfit: true });
});

test('a changed argument is recorded if it is what the call returns', () => {
  const change = { arguments: 'argument 1 is then { a: 1 }' };
  expect(of({ ...seen('returns { a: 1 }', change), expression: '{ a: 1 }' })).toHaveProperty('result');
  expect(of({ ...seen('returns { b: 1 }', change), expression: '{ b: 1 }' })).toEqual({ unfit: true });
});

test('no text that shows a defect is recorded, unless the call passes it', () => {
  for (const text of ['Hello undefined', '[object Object]', 'NaN%']) {
    expect(of({ expression: JSON.stringify(text) })).toEqual({ unfit: true });
    expect(of({ expression: `{ text: ${JSON.stringify(text)} }` })).toEqual({ unfit: true });
  }
  expect(of({ expression: '"undefined"' }, 'f("undefined")')).toHaveProperty('result');
  expect(of({ expression: 'undefined' })).toHaveProperty('result');
  expect(of({ expression: '"undefinedValue"' })).toHaveProperty('result');
});

test('reasons that hold for the whole function', () => {
  expect(of({ effect: 'fs.writeFile' })).toEqual({ inconclusive: 'It asks for fs.writeFile.' });
  expect(of({ second: { ...SEEN, result: 'returns 2' } })).toEqual({
    inconclusive: 'Its results depend on earlier calls.',
  });
  expect(of({ drained: true })).toEqual({ inconclusive: 'It gives an iterator.' });
  const path = JSON.stringify(join(process.cwd(), 'a.ts'));
  expect(of({ ...seen(`returns ${path}`), expression: path })).toEqual({
    inconclusive: 'Its results depend on where the repository lies.',
  });
  expect(of({ ...seen('returns "src/a.ts"'), expression: '"src/a.ts"' })).toHaveProperty('result');
});

test('another call of a function that prints or calls what it is given may be fit', () => {
  expect(of(seen('returns 1', { callLog: ['console.log(1)'] }))).toEqual({
    unfit: 'It prints, waits or calls what it is given.',
  });
});
