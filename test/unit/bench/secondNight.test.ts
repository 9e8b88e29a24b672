// The bench of the second night: what counts as tried again, and the interval of a mean.

import { expect, test } from 'vitest';
import { countRepeated, countWeighty } from '../../bench/secondNight.ts';
import type { NightOutcome } from '../../bench/secondNight/nightWithin.ts';
import { computeBootstrapMean } from '../../bench/support/bootstrap.ts';

const night = (parts: Partial<NightOutcome>): NightOutcome => ({
  kept: [],
  claims: [],
  missed: [],
  declined: [],
  mutants: 0,
  searches: 0,
  cpuSeconds: 1,
  wallSeconds: 1,
  end: 'budget',
  ...parts,
});
const miss = (what: 'refused' | 'asks', path: string) => ({ what, path, title: 'T', rule: 'r', reason: '' });

test('a failure of the first night counts as tried again; what waits for a person is no failure', () => {
  const first = night({ missed: [miss('refused', 'a'), miss('asks', 'b')], declined: ['recipe o-1'] });
  const later = night({ missed: [miss('refused', 'a'), miss('refused', 'b')], declined: ['recipe o-1', 'recipe o-2'] });
  expect(countRepeated(first, later)).toBe(2);
  expect(countRepeated(first, night({}))).toBe(0);
});

test('tests and fixes weigh more than what tidies up', () => {
  expect(countWeighty(night({ claims: ['tests', 'points', 'fix', null] }))).toBe(2);
});

test('the interval of a mean holds it, is the same for the same seed, and is a point for equal values', () => {
  const one = computeBootstrapMean([0, 1, 2, 5, 0, 3], 1);
  expect(one.low).toBeLessThan(one.mean);
  expect(one.high).toBeGreaterThan(one.mean);
  expect(computeBootstrapMean([0, 1, 2, 5, 0, 3], 1)).toEqual(one);
  expect(computeBootstrapMean([2, 2, 2], 1)).toEqual({ mean: 2, low: 2, high: 2 });
});
