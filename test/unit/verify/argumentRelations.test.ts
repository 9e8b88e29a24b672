// Which relations between arguments all known calls keep.

import { expect, test } from 'vitest';
import { createOrdinaryTest } from '../../../server/src/adapters/harness/distinguishing/ordinaryArguments.ts';
import { restoreOrder } from '../../../server/src/adapters/harness/distinguishing/keepOrder.ts';
import type { Subject } from '../../../server/src/core/verify/counterexamples/plan.ts';
import {
  findArgumentRelations,
  findBrokenRelation,
  measureArguments,
} from '../../../server/src/core/verify/guard/argumentRelations.ts';
import type { DistinguishingOrder } from '../../../server/src/core/verify/guard/distinguishingCalls.ts';
import { createPart } from '../../helpers/createPart.ts';

const CLAMP = 'export function clamp(value, low, high) {\n  return Math.min(Math.max(value, low), high);\n}';
const list = (...of: readonly number[]) => ({ $: 'array', of }) as const;

/** True if the call keeps the relations that the known calls keep. */
function keeps(names: readonly string[], calls: readonly unknown[][], code: string, call: readonly unknown[]): boolean {
  const relations = findArgumentRelations(names, calls.map(measureArguments), code);
  return findBrokenRelation(relations, measureArguments(call)) === null;
}

test('bounds stay in their order, and the value that they limit may be anywhere', () => {
  const calls = [
    [5, 1, 10],
    [12, 1, 10],
    [4, 1, 6],
    [7, 2, 8],
    [30, 3, 9],
  ];
  const keepsBounds = (...call: readonly number[]) => keeps(['value', 'low', 'high'], calls, CLAMP, call);
  expect([keepsBounds(0, 1, 10), keepsBounds(5, 5, 4), keepsBounds(11, 1, 10), keepsBounds(5, 4, 4)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('code that compares its bounds, or a known call with exchanged ones, allows any order', () => {
  const names = ['low', 'high'];
  expect(keeps(names, [], 'return high - low', [5, 4])).toBe(false);
  expect(keeps(names, [], 'if (low > high) throw new RangeError()', [5, 4])).toBe(true);
  expect(keeps(names, [[9, 3]], 'return high - low', [5, 4])).toBe(true);
});

test('four different calls show a relation that no name shows; three do not', () => {
  const calls = [
    [1, 4],
    [2, 8],
    [3, 30],
    [0, 1],
  ];
  expect(keeps(['part', 'whole'], calls, 'return part / whole', [5, 4])).toBe(false);
  expect(keeps(['part', 'whole'], calls.slice(1), 'return part / whole', [5, 4])).toBe(true);
});

test('members of an object, lengths of lists, and ascending lists', () => {
  const options = (min: number, max: number) => ({
    $: 'record',
    fields: [
      ['min', min],
      ['max', max],
    ],
  });
  expect(keeps(['options'], [[options(1, 6)]], 'return options.max - options.min', [options(3, 2)])).toBe(false);
  const pairs = [
    [list(1), list(2)],
    [list(1, 2), list(3, 4)],
    [list(), list()],
  ];
  const keepsLength = (...call: readonly unknown[]) => keeps(['left', 'right'], pairs, '', call);
  expect([keepsLength(list(5, 6, 7), list(1, 1, 1)), keepsLength(list(1), list())]).toEqual([true, false]);
  const sorted = [[list(1, 2, 3)], [list(1, 5, 9, 12)], [list(0, 2, 4)], [list()]];
  expect([keeps(['items'], sorted, '', [list(3, 4)]), keeps(['items'], sorted, '', [list(4, 3)])]).toEqual([
    true,
    false,
  ]);
});

test('a call with exchanged bounds is not usual, and generated ones are put in order', () => {
  const relations = [{ kind: 'below', left: '1', right: '2' }] as const;
  const parameters = ['value', 'low', 'high'].map((name) => ({ name, shape: { kind: 'number' } }));
  const subject = { path: 'a.js', parameters, examples: [[5, 1, 10]], guided: false, relations };
  const materials = { 'a.js': { constants: { strings: [], numbers: [] } } };
  const isUsual = createOrdinaryTest(createPart<DistinguishingOrder>({ subjects: [subject], materials }), 0);
  expect([isUsual([5, 4, 5]), isUsual([5, 5, 4])]).toEqual([true, false]);
  expect(restoreOrder(createPart<Subject>(subject), [5, 5, 4])).toEqual([5, 4, 5]);
});
