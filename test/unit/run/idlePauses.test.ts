// How long a run waits when nothing is left to try, also after it has started again.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import { computeNextAttemptTime } from '../../../server/src/core/run/idlePauses.ts';

const HOUR = 3_600_000;
const [night, run, base] = ['selfware/night-2026-11-25', 'run-1', 'a'.repeat(40)];
const plan = { until: 48 * HOUR, maxChanges: 3, proposer: null, places: null };
const started: NightEvent = { type: 'nightStarted', data: { night, run, base, plan } };
const moved: NightEvent = { type: 'nightMoved', data: { night, base, commits: [], left: [] } };
const waited = (fruitless?: number): NightEvent => ({
  type: 'nightWaiting',
  data: { night, run, until: HOUR, reason: 'Nothing is left.', ...(fruitless === undefined ? {} : { fruitless }) },
});
const fruitlessAfter = (...events: readonly NightEvent[]) =>
  foldNights([started, ...events].map((event, at) => ({ ...event, at })))[0]!.runs.at(-1)!.fruitless;

test('pauses grow from 1 to 24 hours, and never pass the end', () => {
  expect([1, 2, 3, 4, 9].map((fruitless) => computeNextAttemptTime(0, fruitless, Infinity) / HOUR)).toEqual([
    1, 4, 12, 24, 24,
  ]);
  expect(computeNextAttemptTime(0, 1, 60)).toBe(60);
});

test('a run that starts again knows how often it found nothing', () => {
  expect(fruitlessAfter()).toBe(0);
  expect(fruitlessAfter(waited(1), waited(2), { type: 'nightResumed', data: { night, run } })).toBe(2);
});

test('a wait for something else does not count', () => {
  expect(fruitlessAfter(waited(2), waited())).toBe(2);
});

test('a change and a moved branch begin anew', () => {
  const change = {
    proposal: 'p',
    title: 'Change p',
    rationale: '',
    rule: 'some-rule',
    recipe: 'some-recipe',
    author: 'recipe',
    strength: 'proven',
    claim: { kind: 'points', holds: true, evidence: '1 → 2 points.', price: null },
    points: { before: 1, after: 2 },
    paths: ['a.ts'],
    checks: [],
    cost: null,
  } as const;
  const committed: NightEvent = { type: 'nightCommitted', data: { night, run, commit: 'c', change } };
  expect(fruitlessAfter(waited(2), committed)).toBe(0);
  expect(fruitlessAfter(waited(2), moved)).toBe(0);
});
