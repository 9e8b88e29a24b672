// Which values contradict a declared type.

import { expect, test } from 'vitest';
import { explainTypeContradiction } from '../../../server/src/adapters/harness/typeContradictions.ts';
import type { Shape } from '../../../server/src/core/verify/differential/plan.ts';

const STRING: Shape = { kind: 'string' };
const NUMBER: Shape = { kind: 'number' };
const PERSON: Shape = {
  kind: 'record',
  fields: [
    { name: 'name', shape: STRING, optional: false },
    { name: 'age', shape: NUMBER, optional: true },
  ],
  index: null,
};

test.each<[string, unknown, Shape, string | null]>([
  ['a text', 'a', STRING, null],
  ['nothing for a text', undefined, STRING, 'undefined'],
  ['NaN for a number', NaN, NUMBER, null],
  ['a text for a number', '1', NUMBER, 'the string "1"'],
  ['a part of a union', null, { kind: 'union', of: [STRING, { kind: 'null' }] }, null],
  ['no part of a union', undefined, { kind: 'union', of: [STRING, { kind: 'null' }] }, 'undefined'],
  [
    'another literal',
    'c',
    {
      kind: 'union',
      of: [
        { kind: 'literal', value: 'a' },
        { kind: 'literal', value: 'b' },
      ],
    },
    'the string "c"',
  ],
  ['a list with a hole in it', ['a', undefined], { kind: 'array', of: STRING }, 'undefined at `[1]`'],
  ['an optional member that is missing', { name: 'a' }, PERSON, null],
  ['an optional member of another kind', { name: 'a', age: 'b' }, PERSON, 'the string "b" at `age`'],
  ['a member that is missing inside', [{}], { kind: 'array', of: PERSON }, 'undefined at `[0].name`'],
  [
    'a pair with one part',
    ['a'],
    {
      kind: 'tuple',
      of: [
        { shape: STRING, optional: false },
        { shape: NUMBER, optional: false },
      ],
      rest: null,
    },
    'undefined at `[1]`',
  ],
  ['a function for a text', () => 1, STRING, 'a function'],
  ['anything', undefined, { kind: 'any' }, null],
  ['a date, of which only nothing is a contradiction', new Date(0), { kind: 'date' }, null],
  ['no date', null, { kind: 'date' }, 'null'],
])('%s', (_name, value, shape, said) => {
  expect(explainTypeContradiction(value, shape, {})).toBe(said);
});

test('a type that contains itself is followed, but not without end', () => {
  const shapes: Record<string, Shape> = {
    node: {
      kind: 'record',
      fields: [{ name: 'next', shape: { kind: 'ref', name: 'node' }, optional: false }],
      index: null,
    },
  };
  const loop: { next?: unknown } = {};
  loop.next = loop;
  expect(explainTypeContradiction(loop, { kind: 'ref', name: 'node' }, shapes)).toBeNull();
  expect(explainTypeContradiction({ next: null }, { kind: 'ref', name: 'node' }, shapes)).toBe('null at `next`');
});
