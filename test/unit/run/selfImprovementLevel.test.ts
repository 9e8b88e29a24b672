// The level of self-improvement counts what the nights have shown, and nothing else.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import type { Night } from '../../../server/src/core/run/nightTypes.ts';
import { findSelfImprovementLevel, MAX_LEVEL } from '../../../server/src/core/run/report/selfImprovementLevel.ts';

const HOUR = 3_600_000;
const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const started: NightEvent = {
  type: 'nightStarted',
  data: { night, run, base: 'a'.repeat(40), plan: { until: 8 * HOUR, maxChanges: 30, proposer: null, places: null } },
};
const ended: NightEvent = { type: 'nightEnded', data: { night, run, reason: 'Nothing is left.', passedOver: {} } };
const committed = (proposal: string, more: object = {}) =>
  ({
    type: 'nightCommitted',
    data: {
      night,
      run,
      commit: `${proposal}-commit`,
      change: {
        ...{ proposal, title: `Change ${proposal}`, rationale: '', rule: 'some-rule', recipe: 'some-recipe' },
        ...{ author: 'recipe', strength: 'proven', claim: null, points: { before: 1, after: 2 }, paths: ['a.ts'] },
        ...{ checks: [], cost: null, ...more },
      },
    },
  }) as NightEvent;
const missed = (proposal: string, what: 'refused' | 'rolledBack') =>
  ({
    type: 'nightMissed',
    data: { night, run, miss: { what, proposal, title: proposal, rule: 'some-rule', path: 'a.ts', reason: 'So.' } },
  }) as NightEvent;
const variant = (outcome: 'caught' | 'escaped' | 'unknown') =>
  ({
    type: 'nightVariant',
    data: { night, run, proposal: 'p', title: 'p', kind: 'off by one', path: 'a.ts', line: 7, outcome, reason: null },
  }) as NightEvent;
const nightOf = (events: readonly NightEvent[], hours = 1): Night =>
  foldNights(
    [started, ...events, ended].map((event) => ({ ...event, at: event.type === 'nightEnded' ? hours * HOUR : 0 })),
  )[0]!;
const shownBy = (...nights: readonly Night[]) => findSelfImprovementLevel(nights).shown;
const many = <T>(count: number, of: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => of(index));

test('a night that did nothing shows nothing, and every ability is listed once', () => {
  const { shown, notShown } = findSelfImprovementLevel([nightOf([])]);
  expect(shown).toEqual([]);
  expect(new Set(notShown).size).toBe(MAX_LEVEL);
});

test('claims, authors and decisions of a person count', () => {
  expect(shownBy(nightOf([committed('p1')]))).toEqual(['commit a change that passes every check']);
  const claim = { kind: 'fix', holds: true, evidence: 'A test fails on the base.', price: null };
  const fixed = nightOf([committed('p1', { author: 'agent', claim })]);
  expect(shownBy(fixed)).toEqual([
    'commit a change that passes every check',
    'improve more than points',
    'make use of a model or an agent',
  ]);
  expect(shownBy({ ...fixed, decided: 'accepted' })).toContain('make changes that a person takes');
  expect(shownBy({ ...fixed, decided: 'dropped' })).not.toContain('make changes that a person takes');
});

test('shares count from enough proposals on, over all nights together', () => {
  const passes = 'let more than 70 % of at least 20 proposals pass';
  const stays = 'roll back fewer than 20 % of at least 10 changes';
  const ten = nightOf(many(10, (index) => committed(`p${index}`)));
  expect(shownBy(ten)).not.toContain(passes);
  expect(shownBy(ten)).toContain(stays);
  expect(shownBy(ten, ten)).toContain(passes);
  const refused = nightOf(many(6, (index) => missed(`r${index}`, 'refused')));
  expect(shownBy(ten, ten, refused)).toContain(passes);
  expect(shownBy(ten, ten, refused, refused)).not.toContain(passes);
  const rolledBack = nightOf(many(3, (index) => missed(`b${index}`, 'rolledBack')));
  expect(shownBy(ten, rolledBack)).not.toContain(stays);
});

test('eight hours without a person, and a red team that nothing escapes', () => {
  const alone = 'work for eight hours without needing a person';
  expect(shownBy(nightOf([], 7.9))).not.toContain(alone);
  expect(shownBy(nightOf([], 8))).toContain(alone);
  const unusual = [{ kind: 'rate', reason: 'Too fast.', answered: true }];
  expect(shownBy({ ...nightOf([], 8), unusual })).not.toContain(alone);
  const vigilant = 'notice all of at least 10 changes that were made worse on purpose';
  const caught = many(10, () => variant('caught'));
  expect(shownBy(nightOf(caught))).toContain(vigilant);
  expect(shownBy(nightOf([...caught.slice(1), variant('unknown')]))).not.toContain(vigilant);
  expect(shownBy(nightOf([...caught, variant('escaped')]))).not.toContain(vigilant);
});
