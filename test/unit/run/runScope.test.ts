// The scope of a run: what a continued run keeps, how people read it, and what no change may touch.

import ignore from 'ignore';
import { expect, test } from 'vitest';
import type { NightEvent, NightPlan } from '../../../server/src/core/model/nights.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import {
  findMaxCostToKeep,
  describeScope,
  createScopePatterns,
  addScope,
} from '../../../server/src/core/run/runScope.ts';

const HOUR = 3_600_000;
const whole: NightPlan = { until: HOUR, maxChanges: 3, proposer: null, places: null };
const scoped: NightPlan = { ...whole, places: ['src'], excluded: ['src/old'], kinds: ['tests'] };
const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const nightOf = (plan: NightPlan, ...events: readonly NightEvent[]) =>
  foldNights(
    [{ type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } } as const, ...events].map(
      (event, at) => ({ ...event, at }),
    ),
  )[0]!;
const ended: NightEvent = { type: 'nightEnded', data: { night, run, reason: 'Its time is up.', passedOver: {} } };

test('a run that was killed keeps its scope, with the limits of whoever starts it again', () => {
  const again = { ...whole, until: 2 * HOUR, maxChanges: 9 };
  expect(addScope(again, nightOf(scoped), 1)).toEqual({ ...scoped, until: 2 * HOUR, maxChanges: 9 });
});

test('another scope replaces the old one as a whole, and the root as a place lifts it', () => {
  const other = { ...whole, kinds: ['fixes'] } as const;
  expect(addScope(other, nightOf(scoped), 1)).toEqual(other);
  expect(addScope({ ...whole, places: [''] }, nightOf(scoped), 1)).toEqual(whole);
});

test('a run that has ended leaves no scope behind, nor one that is decided or whose time is over', () => {
  expect(addScope(whole, nightOf(scoped, ended), 1)).toEqual(whole);
  expect(addScope(whole, nightOf(scoped), 2 * HOUR)).toEqual(whole);
  expect(addScope(whole, { ...nightOf(scoped), decided: 'dropped' }, 1)).toEqual(whole);
  expect(addScope(whole, undefined, 1)).toEqual(whole);
});

test('a limit of money is kept, unless a lower one was set since, and 0 sets none', () => {
  const [first] = nightOf(scoped).runs;
  const killed = { ...nightOf(scoped), runs: [{ ...first!, maxCost: 5 }] };
  expect([0, 2, 9].map((setting) => findMaxCostToKeep(killed, 1, setting))).toEqual([5, 2, 5]);
  expect(findMaxCostToKeep(nightOf(scoped), 1, 2)).toBeNull();
});

test('the report says the scope in one line, and nothing if all was in scope', () => {
  expect(describeScope(whole)).toBeNull();
  expect(describeScope({ ...whole, excluded: ['a', 'b'] })).toBe('everything, without a and b');
  expect(renderNightReport(nightOf(scoped, ended))).toContain('\nScope: only src, without src/old; only tests.\n');
  expect(renderNightReport(nightOf(whole, ended))).not.toContain('Scope');
});

test('what is excluded is protected whatever characters its name has', () => {
  const names = ['src/[id]', 'a b/*', '!c', '#d', 'src/old'];
  const list = ignore({ ignorecase: true }).add([...createScopePatterns({ excluded: names })]);
  for (const name of names)
    expect([name, list.ignores(name), list.ignores(`${name}/x.ts`)]).toEqual([name, true, true]);
  expect(['src/i', 'a b/c', 'lib/src/old', 'src/older.ts'].map((path) => list.ignores(path))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
