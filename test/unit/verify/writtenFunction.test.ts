// Functions that tests pass: those that use nothing but what they are given are examples, too.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { formatAsCode } from '../../../server/src/adapters/harness/sourceCode.ts';
import { createRecorder, createValue } from '../../../server/src/adapters/harness/createValue.ts';
import { conformsToParameters } from '../../../server/src/adapters/harness/distinguishing/typeConformance.ts';
import { selectRecordableResult } from '../../../server/src/adapters/harness/distinguishing/recordableResults.ts';
import type { CallOutcome } from '../../../server/src/adapters/harness/messages.ts';
import { collectExamples } from '../../../server/src/core/verify/counterexamples/examples.ts';

function passed(code: string) {
  const file = ts.createSourceFile('a.test.ts', `call(${code});`, ts.ScriptTarget.Latest, true);
  return collectExamples([file]).get('call')?.[0]?.[0];
}

test.each([
  ['(item: Item) => item.name', 'item => item.name'],
  ['x => x', 'x => x'],
  ['(a, b) => a - b', '(a, b) => a - b'],
  ['({ id }) => ({ id, size: Math.max(id, 2) })', '({ id }) => ({ id, size: Math.max(id, 2) })'],
  ['() => undefined', '() => undefined'],
  ['async (x: number) => x * 2', 'async x => x * 2'],
  ['(draft: Draft) => {\n  draft.a.b++\n  draft.b = draft.a\n}', 'draft => { draft.a.b++; draft.b = draft.a }'],
  ["s => { delete s['a']; --s.size; }", "s => { delete s['a']; --s.size; }"],
])('%s is an example', (code, text) => {
  expect(passed(code)).toEqual({ $: 'code', text });
});

test.each([
  ['names something else', 'x => other(x)'],
  ['uses a shorthand of something else', 'x => ({ x, other })'],
  ['is async and waits', 'async x => await x'],
  ['changes what it gets', 'x => (x.a = 1)'],
  ['counts', 'x => x.count++'],
  ['counts first', 'x => ++x.count'],
  ['depends on chance', 'x => x + Math.random()'],
  ['has statements', 'x => { return x; }'],
  ['does nothing', 'x => {}'],
  ['calls in a statement', 'x => { x.a = 1; x.close(); }'],
  ['changes a name', 'x => { x = 1; }'],
  ['changes something else', 'x => { other.a = x; }'],
  ['changes what everybody uses', 'x => { Math.max = x; }'],
  ['changes what all objects share', 'x => { x.constructor.prototype.a = 1; }'],
  ['changes a member of something else', 'x => { other[x.a] = 1; }'],
  ['has many statements', 'x => { x.a = 1; x.b = 1; x.c = 1; x.d = 1; }'],
  ['has a default value', '(x = make()) => x'],
  ['creates something', 'x => new Date(x)'],
  ['holds a function', 'x => x.map(y => y)'],
  ['needs a type', 'x => (x as Item).name'],
  ['computes a key from something else', '({ [key]: value }) => value'],
  ['loads a module', "x => import('./other')"],
  ['hides what it calls', "() => Math['random']()"],
  ['makes a class', '() => class {}'],
  ['holds a comment', 'x => [x /* first */]'],
  ['has quotes in quotes', `x => '"' + x + '"'`],
  ['is long', 'item => item.first.second.third.fourth.fifth.sixth.seventh.eighth'],
])('a function that %s is none', (_, code) => {
  expect(passed(code)).toBeUndefined();
});

test('a function with elements is none', () => {
  const file = ts.createSourceFile('a.test.tsx', 'call(Part => <Part />);', ts.ScriptTarget.Latest, true);
  expect(collectExamples([file]).get('call')?.[0]?.[0]).toBeUndefined();
});

test('such a function is made, fits a parameter that takes one, and a test may record it', () => {
  const spec = { $: 'code', text: 'x => x + 1' } as const;
  const silent = {
    note: () => undefined,
    describe: String,
    wait: async () => undefined,
    provideRecorder: createRecorder,
  };
  expect((createValue(spec, 'f', silent) as (x: number) => number)(2)).toBe(3);
  expect(formatAsCode(spec)).toBe('x => x + 1');
  const parameter = { name: 'f', optional: false, rest: false };
  const returns = { kind: 'number' } as const;
  expect(conformsToParameters([spec], [{ ...parameter, shape: { kind: 'function', returns } }], {})).toBe(true);
  expect(conformsToParameters([spec], [{ ...parameter, shape: returns }], {})).toBe(false);
  const seen = { result: 'returns 3', arguments: '', callLog: [] };
  const outcome: CallOutcome = {
    ...{ first: seen, second: seen, call: '', expression: '3', bare: null, threw: false, drained: false, effect: null },
  };
  const call = { call: 'apply(x => x + 1, 2)' };
  expect(selectRecordableResult(outcome, call, ['x => x + 1'])).toEqual({ result: { value: '3', promised: false } });
  expect(selectRecordableResult(outcome, call)).toEqual({ unfit: true });
});

test('a call of a member may be longer, because it makes its object, too', () => {
  const seen = { result: 'returns 3', arguments: '', callLog: [] };
  const outcome: CallOutcome = {
    ...{ first: seen, second: seen, call: '', expression: '3', bare: null, threw: false, drained: false, effect: null },
  };
  const long = { call: `new Shelf({ first: "${'a'.repeat(60)}" }).size("b")` };
  expect(long.call.length).toBeGreaterThan(80);
  expect(selectRecordableResult(outcome, { ...long, around: ['new ', ''] })).toEqual({
    result: { value: '3', promised: false },
  });
  expect(selectRecordableResult(outcome, long)).toEqual({ unfit: true });
});
