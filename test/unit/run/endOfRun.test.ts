// Whether the end of a run is believed that a version on probation has recorded, and how a doubted one continues.

import { expect, test } from 'vitest';
import type { NightChange, NightEvent } from '../../../server/src/core/model/nights.ts';
import { determineEndOfRun } from '../../../server/src/core/run/endOfRun.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import { findUnfinishedRun } from '../../../server/src/core/run/nightQueries.ts';

const HOUR = 3_600_000;
const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 8 * HOUR, maxChanges: 3, proposer: null, places: null };
const started: NightEvent = { type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } };
const ended: NightEvent = {
  type: 'nightEnded',
  data: { night, run, reason: 'Nothing is left to try.', passedOver: { declined: 2 } },
};
const committed = (proposal: string): NightEvent => ({
  type: 'nightCommitted',
  data: { night, run, commit: `${proposal}-commit`, change: { proposal } as NightChange },
});
const nightAfter = (...events: readonly NightEvent[]) =>
  foldNights(events.map((event, index) => ({ ...event, at: -index })))[0]!;

test('a run is over if its time is up, its changes are used up, or it was stopped; otherwise its end is doubtful', () => {
  const facts = { sinceSequence: 0, now: 7 * HOUR, isStopped: false, maxChanges: 10 };
  const after = (events: readonly NightEvent[], more: Partial<typeof facts> = {}) =>
    determineEndOfRun({ ...facts, ...more, nights: [nightAfter(...events)] });
  const two = [started, committed('p'), committed('q')];
  expect(after([started])).toBe('notOver');
  expect(after([started, ended], { sinceSequence: 1 })).toBe('notOver');
  expect(after([...two, ended])).toBe('doubtful');
  expect(after([started, ended], { now: 8 * HOUR })).toBe('over');
  expect(after([started, ended], { isStopped: true })).toBe('over');
  const asked: NightEvent = { type: 'nightAskedToEnd', data: { night, run, by: 'person' } };
  expect(after([started, asked, ended])).toBe('over');
  expect(after([...two, committed('r'), ended])).toBe('over');
  expect(after([...two, ended], { maxChanges: 2 })).toBe('over');
});

test('a run whose end is doubted continues, with what it has made', () => {
  const found = nightAfter(started, committed('p'), ended, {
    type: 'nightUpgrade',
    data: { night, run, step: 'doubted', version: '2', hash: 'h', reason: null },
  });
  expect(found).toMatchObject({ state: 'running', runs: [{ endedAt: null, reason: null, committed: 1 }] });
  expect(findUnfinishedRun(found, 7 * HOUR)?.id).toBe(run);
});
