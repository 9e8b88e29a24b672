// What an interrupted verification had shown: found again by the same one, and by no other.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import { openUnfinished } from '../../../server/src/core/verify/unfinishedVerdicts.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createMemoryDocuments } from '../../helpers/memoryState.ts';

const verdict = (gate: GateName, outcome: Verdict['outcome'] = 'passed'): Verdict => ({
  gate,
  outcome,
  reason: `${gate} ${outcome}`,
  evidence: {},
  millis: 1,
});

test('what passed is found by the next try of the same tree with the same rest, and by no other', async () => {
  const store = createMemoryDocuments();
  const first = await openUnfinished(store, 'tree', { recipe: 'a' });
  expect(first.find('tests')).toBeUndefined();
  await first.keep(verdict('types'));
  await first.keep(verdict('tests'));
  expect(first.find('tests')).toEqual(verdict('tests'));
  const again = await openUnfinished(store, 'tree', { recipe: 'a' });
  expect([again.find('types'), again.find('tests'), again.find('lint')]).toEqual([
    verdict('types'),
    verdict('tests'),
    undefined,
  ]);
  for (const other of [
    await openUnfinished(store, 'other tree', { recipe: 'a' }),
    await openUnfinished(store, 'tree', { recipe: 'b' }),
    await openUnfinished(store, null, { recipe: 'a' }),
    await openUnfinished(null, 'tree', { recipe: 'a' }),
  ])
    expect(other.find('tests')).toBeUndefined();
});

test.each<[GateName, Verdict['outcome']]>([
  ['tests', 'failed'],
  ['tests', 'unknown'],
  ['applies', 'passed'],
  ['syntax', 'passed'],
  ['charter', 'passed'],
  ['integrity', 'passed'],
  ['score', 'passed'],
])('%s that %s is not kept', async (gate, outcome) => {
  const store = createMemoryDocuments();
  await (await openUnfinished(store, 'tree', {})).keep(verdict(gate, outcome));
  expect((await openUnfinished(store, 'tree', {})).find(gate)).toBeUndefined();
});

test('one that has ended leaves the others', async () => {
  const store = createMemoryDocuments();
  const [one, other] = [await openUnfinished(store, 'one', {}), await openUnfinished(store, 'other', {})];
  await one.keep(verdict('tests'));
  await other.keep(verdict('lint'));
  await one.forget();
  expect((await openUnfinished(store, 'one', {})).find('tests')).toBeUndefined();
  expect((await openUnfinished(store, 'other', {})).find('lint')).toEqual(verdict('lint'));
});

test('the newest twelve are kept', async () => {
  const store = createMemoryDocuments();
  for (let at = 1; at <= 13; at += 1) await (await openUnfinished(store, `tree ${at}`, {})).keep(verdict('tests'));
  const found = async (tree: string) => (await openUnfinished(store, tree, {})).find('tests') !== undefined;
  expect([await found('tree 1'), await found('tree 2'), await found('tree 13')]).toEqual([false, true, true]);
});

test('a store that cannot be read or written costs time, and is told', async () => {
  const damaged = createMemoryDocuments();
  damaged.damage('unfinished-verifications-1');
  const told: string[] = [];
  const complain = (message: string) => void told.push(message);
  const unfinished = await openUnfinished(damaged, 'tree', {}, complain);
  expect(unfinished.find('tests')).toBeUndefined();
  expect(told).toEqual(['What an interrupted verification had shown could not be read; it is run again.']);

  const full = { ...createMemoryDocuments(), write: () => Promise.reject(new SelfwareError('diskFull', 'Full.')) };
  told.length = 0;
  const kept = await openUnfinished(full, 'tree', {}, complain);
  await kept.keep(verdict('tests'));
  expect(kept.find('tests')).toEqual(verdict('tests'));
  expect(told).toEqual([
    'What was shown so far could not be kept; a verification that is cut off starts again from the beginning.',
  ]);
});

test('a defect of the store is not hidden', async () => {
  const broken = { ...createMemoryDocuments(), read: () => Promise.reject(new TypeError('A defect.')) };
  await expect(openUnfinished(broken, 'tree', {})).rejects.toThrow('A defect.');
});
