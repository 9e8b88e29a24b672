// What earlier runs say about the next one.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { computeForecast, forecastSentence } from '../../../server/src/core/run/forecast.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const MINUTE = 60_000;
const night = 'selfware/night-2026-11-25';
const plan = { until: 9e9, maxChanges: 9, proposer: null, places: null };
type Timed = NightEvent & { readonly at: number };
const started = (run: string, at: number): Timed => ({
  type: 'nightStarted',
  at: at * MINUTE,
  data: { night, run, base: 'a', plan },
});
const committed = (run: string, proposal: string, at: number): Timed => ({
  type: 'nightCommitted',
  at: at * MINUTE,
  data: { night, run, commit: proposal, change: { proposal } as never },
});
const waiting = (run: string, at: number): Timed => ({
  type: 'nightWaiting',
  at: at * MINUTE,
  data: { night, run, until: 9e9, reason: '' },
});
const ended = (run: string, at: number): Timed => ({
  type: 'nightEnded',
  at: at * MINUTE,
  data: { night, run, reason: '', passedOver: {} },
});

test('the first run is unknown, also while it runs', () => {
  expect(computeForecast([])).toBeNull();
  expect(computeForecast(foldNights([started('r', 0), committed('r', 'p', 1)]))).toBeNull();
  expect(forecastSentence(null)).toContain('nothing is known yet');
});

test('waiting is no work; a run without a change counts', () => {
  const events = [
    ...[started('r', 0), committed('r', 'p', 4), waiting('r', 6), committed('r', 'q', 100), ended('r', 102)],
    ...[started('s', 200), ended('s', 204)],
  ];
  const forecast = computeForecast(foldNights(events));
  // 102 − 94 of waiting, and 4: twelve minutes for two changes.
  expect(forecast).toEqual({ runs: 2, changes: { least: 0, most: 2 }, minutesPerChange: 6 });
  expect(forecastSentence(forecast)).toBe('The last 2 runs here made 0 to 2 changes each, one in about 6 min.');
});

test('runs without a change give no pace', () => {
  expect(forecastSentence(computeForecast(foldNights([started('r', 0), ended('r', 3)])))).toBe(
    'The last run here made 0 changes.',
  );
});
