// Which types generated functions cannot stand in for.

import { expect, test } from 'vitest';
import { removeIrreplaceable } from '../../../server/src/core/verify/counterexamples/irreplaceableTypes.ts';
import type { Shape } from '../../../server/src/core/verify/differential/plan.ts';

function withMethods(count: number): Shape {
  const method: Shape = { kind: 'function', returns: { kind: 'string' } };
  const fields = Array.from({ length: count }, (_, at) => ({ name: `m${at}`, shape: method, optional: false }));
  return {
    kind: 'record',
    fields: [{ name: 'size', shape: { kind: 'number' }, optional: false }, ...fields],
    index: null,
  };
}

const TEXT: Shape = { kind: 'string' };
const thing = withMethods(4);

test('options with callbacks can be made; a thing with many methods cannot, wherever it is', () => {
  expect(removeIrreplaceable(withMethods(3), {})).toEqual(withMethods(3));
  expect(removeIrreplaceable(thing, {})).toBeNull();
  expect(removeIrreplaceable({ kind: 'union', of: [thing, { kind: 'array', of: thing }] }, {})).toBeNull();
  expect(removeIrreplaceable({ kind: 'function', returns: { kind: 'ref', name: 'thing' } }, { thing })).toBeNull();
});

test('what a caller may leave out is left out', () => {
  expect(removeIrreplaceable({ kind: 'union', of: [TEXT, { kind: 'array', of: thing }, thing] }, {})).toEqual({
    kind: 'union',
    of: [TEXT],
  });
  const options = (optional: boolean): Shape => ({
    kind: 'record',
    fields: [
      { name: 'text', shape: TEXT, optional: false },
      { name: 'log', shape: thing, optional },
    ],
    index: null,
  });
  expect(removeIrreplaceable(options(true), {})).toEqual({
    kind: 'record',
    fields: [{ name: 'text', shape: TEXT, optional: false }],
    index: null,
  });
  expect(removeIrreplaceable(options(false), {})).toBeNull();
});

test('a type that contains itself is followed once', () => {
  const shapes: Record<string, Shape> = {
    node: {
      kind: 'record',
      fields: [{ name: 'next', shape: { kind: 'ref', name: 'node' }, optional: true }],
      index: null,
    },
  };
  const node: Shape = { kind: 'ref', name: 'node' };
  expect(removeIrreplaceable(node, shapes)).toBe(node);
});
