// Which types generated functions cannot stand in for.

import { expect, test } from 'vitest';
import { needsStandIn } from '../../../server/src/core/verify/counterexamples/standIns.ts';
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

test('options with callbacks can be made; a thing with many methods cannot, wherever it is', () => {
  expect(needsStandIn(withMethods(3), {})).toBe(false);
  const thing = withMethods(4);
  expect(needsStandIn(thing, {})).toBe(true);
  expect(needsStandIn({ kind: 'union', of: [{ kind: 'string' }, { kind: 'array', of: thing }] }, {})).toBe(true);
  expect(needsStandIn({ kind: 'function', returns: { kind: 'ref', name: 'thing' } }, { thing })).toBe(true);
});

test('a type that contains itself is followed once', () => {
  const shapes: Record<string, Shape> = {
    node: {
      kind: 'record',
      fields: [{ name: 'next', shape: { kind: 'ref', name: 'node' }, optional: true }],
      index: null,
    },
  };
  expect(needsStandIn({ kind: 'ref', name: 'node' }, shapes)).toBe(false);
});
