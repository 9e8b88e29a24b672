// What a run follows, and its limit of money, after another process has taken it over.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const ids = { night: 'selfware/night-2026-11-25', run: 'run-1' };
const plan = { until: 28_800_000, maxChanges: 3, proposer: 'm', places: null };
type Following = { readonly follows?: string | null; readonly maxCost?: number };
const runAfter = (start: Following, ...resumed: readonly object[]) => {
  const events: readonly NightEvent[] = [
    { type: 'nightStarted', data: { ...ids, base: 'a', plan, ...start } },
    ...resumed.map((data) => ({ type: 'nightResumed', data: { ...ids, ...data } }) as const),
  ];
  return foldNights(events.map((event, at) => ({ ...event, at })))[0]!.runs[0]!;
};

test('a resumed run follows what its newest process has recorded', () => {
  const main = { follows: 'refs/heads/main', maxCost: 2 };
  expect(runAfter(main)).toMatchObject(main);
  expect(runAfter(main, {})).toMatchObject(main);
  const other = { follows: 'refs/heads/feature', maxCost: 5 };
  expect(runAfter(main, other)).toMatchObject(other);
  expect(runAfter(main, other, { follows: null, maxCost: null })).toMatchObject({ follows: null, maxCost: null });
});

test('a run without a branch differs from one of which nothing is known', () => {
  expect(runAfter({ follows: null }).follows).toBeNull();
  expect(runAfter({}).follows).toBeUndefined();
});
