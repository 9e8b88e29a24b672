// The choice of inputs: plain ones hold nothing odd, odd ones nothing unlikely, and each is written as code.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ValueSpec } from '../../../server/src/adapters/harness/messages.ts';
import { createPlausibleValues, type Level } from '../../../server/src/adapters/harness/plausibleValues.ts';
import { formatAsCode } from '../../../server/src/adapters/harness/sourceCode.ts';
import type { Parameter, Shape } from '../../../server/src/core/verify/differential/plan.ts';

const MATERIAL = {
  shapes: {},
  constants: { numbers: [64, 4096, -5, 0.25], strings: ['https://', 'é', 'x'.repeat(40)], bigints: [] },
};

function values(shape: Shape, level: Level): readonly ValueSpec[] {
  return fc.sample(createPlausibleValues(MATERIAL, level).valueOf(shape), { seed: 3, numRuns: 400 });
}

test('plain texts are short, filled and of common signs, with literals of the code among them', () => {
  const texts = values({ kind: 'string' }, 0) as readonly string[];
  expect(texts.filter((text) => text === '' || !/^[\x20-\x7e]+$/.test(text) || text.length > 60)).toEqual([]);
  expect(texts.some((text) => text.includes('https://'))).toBe(true);
});

test('odd texts are empty, foreign or of signs that formats use', () => {
  const texts = values({ kind: 'string' }, 1) as readonly string[];
  for (const odd of ['', 'é', '%']) expect(texts.some((text) => text === odd)).toBe(true);
  expect(texts).not.toContain('__proto__');
});

test('plain numbers are small and positive; only unlikely ones are not finite', () => {
  const all = ([0, 1, 2] as const).map((level) => values({ kind: 'number' }, level) as readonly number[]);
  expect(all[0]!.filter((one) => !(Number.isInteger(one) && one >= 1 && one <= 64))).toEqual([]);
  expect(all[0]).toContain(64);
  expect(all[1]).toContain(-1);
  expect(all[1]!.every((one) => Number.isFinite(one) && !Object.is(one, -0))).toBe(true);
  expect(all[2]!.some(Number.isNaN)).toBe(true);
});

test('what may be anything is never null', () => {
  const found = JSON.stringify(values({ kind: 'any' }, 1));
  expect(found).not.toContain('null');
});

test('parameters that may be left out often are, from the end', () => {
  const parameters = ['a', 'b', 'c'].map(
    (name, at): Parameter => ({ name, shape: { kind: 'number' }, optional: at > 0, rest: false }),
  );
  const lengths = fc
    .sample(createPlausibleValues(MATERIAL, 0).argumentsOf(parameters), { seed: 3, numRuns: 200 })
    .map(({ length }) => length);
  expect(lengths.filter((length) => length === 1).length).toBeGreaterThan(80);
  expect(new Set(lengths)).toEqual(new Set([1, 2, 3]));
});

test.each<[string, ValueSpec]>([
  ['"a\\"b"', 'a"b'],
  ['-0', -0],
  ['3n', 3n],
  ['undefined', undefined],
  ['[1, "a"]', { $: 'array', of: [1, 'a'] }],
  [
    '{ a: 1, "b-c": true, ["__proto__"]: 2 }',
    {
      $: 'record',
      fields: [
        ['a', 1],
        ['b-c', true],
        ['__proto__', 2],
      ],
    },
  ],
  ['new Map([["a", 1]])', { $: 'map', entries: [['a', 1]] }],
  ['new Uint8Array([1, 2])', { $: 'bytes', of: [1, 2] }],
  ['new Date("1970-01-01T00:00:00.000Z")', { $: 'date', millis: 0 }],
  ['/\\d+/g', { $: 'regexp', source: '\\d+', flags: 'g' }],
  ['() => ({})', { $: 'stub', answers: [{ $: 'record', fields: [] }] }],
  ['Promise.resolve(1)', { $: 'promise', of: 1, millis: 0, rejects: false }],
])('a value is written as %s', (code, made) => {
  expect(formatAsCode(made)).toBe(code);
});

test('an optional member is absent or has a value', () => {
  const shape: Shape = {
    kind: 'record',
    fields: [
      {
        name: 'types',
        shape: { kind: 'union', of: [{ kind: 'undefined' }, { kind: 'boolean' }] },
        optional: true,
      },
    ],
    index: null,
  };
  const hasUndefined = (level: Level) =>
    values(shape, level).some(
      (one) => typeof one === 'object' && one?.$ === 'record' && one.fields.some(([, value]) => value === undefined),
    );
  expect([0, 1, 2].map((level) => hasUndefined(level as Level))).toEqual([false, false, false]);
});
