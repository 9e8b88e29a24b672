// Figures of Selfware's own performance: what was not measured is unknown, what is better than its target is no
// bottleneck, and what was expected is never taken for measured.

import { expect, test } from 'vitest';
import { findBottlenecks } from '../../../server/src/core/learn/performance/bottlenecks.ts';
import {
  computeFigures,
  METRIC_FACTS,
  OWN_FAULT,
  type Figure,
  type LedgerMeasurements,
} from '../../../server/src/core/learn/performance/figures.ts';
import {
  computeConfidence,
  computeOutcomes,
  type AskedBottleneck,
} from '../../../server/src/core/learn/performance/outcomes.ts';
import type { Feedback } from '../../../server/src/core/learn/feedback.ts';
import { METRICS, type Metric, type PerformanceTargets } from '../../../server/src/core/model/bottlenecks.ts';
import { computeTrend } from '../../../server/src/core/learn/performance/trend.ts';

const NOTHING: LedgerMeasurements = { index: [], state: [], feedback: [], verifications: [] };
const NOW = 1_000_000;
const index = (at: number, more: Partial<LedgerMeasurements['index'][number]> = {}) => ({
  at,
  files: 100,
  seconds: 2,
  scratch: true as const,
  program: '2',
  ...more,
});
const call = (at: number, value: number | null, note: string | null = null): Feedback => ({
  sequence: at,
  at,
  session: 's',
  kind: note === null ? ('tool_success' as const) : ('tool_failure' as const),
  dimension: 'tool:search',
  value,
  note,
  program: '2',
});
const values = (measured: LedgerMeasurements, since = 0) =>
  Object.fromEntries(computeFigures(measured, NOW, { since }).map(({ metric, value }) => [metric, value]));
const unknown = Object.fromEntries(METRICS.map((metric) => [metric, null]));

test('nothing measured is unknown, not zero', () => {
  expect(values(NOTHING)).toEqual(unknown);
  expect(computeFigures(NOTHING, NOW).every(({ baseline, trend }) => baseline === null && trend === null)).toBe(true);
  expect(findBottlenecks(computeFigures(NOTHING, NOW))).toEqual([]);
});

/** What an agent reports of a search of its own. */
const REPORTED: Feedback = {
  sequence: 6,
  at: 6,
  session: 's',
  kind: 'tool_success',
  dimension: 'tool:search',
  value: 90_000,
  note: OWN_FAULT,
};

test('each figure is the median of what was measured', () => {
  const measured: LedgerMeasurements = {
    state: [],
    index: [
      index(1),
      index(2, { seconds: 4, peakRssMb: 300 }),
      index(3, { files: 3, peakRssMb: 500 }),
      // An update says nothing about an index from scratch.
      { at: 4, files: 100, seconds: 50, peakRssMb: 9_000 },
    ],
    feedback: [
      call(1, 30),
      call(2, 10),
      call(3, 500),
      call(4, 1, OWN_FAULT),
      call(5, 1, 'Not found.'),
      { ...REPORTED },
    ],
    verifications: [
      { at: 1, seconds: 3 },
      { at: 2, seconds: 5 },
    ],
  };
  expect(values(measured)).toEqual({
    ...unknown,
    indexing: 37.5,
    update: 50,
    search: 30,
    memory: 400,
    errors: 1,
    verification: 4,
  });
  expect(values(measured, 3)).toMatchObject({ indexing: null, search: 500, memory: 500 });
});

const figure = (metric: Metric, value: number): Figure => ({
  metric,
  ...METRIC_FACTS[metric],
  value,
  samples: 1,
  baseline: null,
  trend: null,
});

test.each([
  ['search', 100, null, 0],
  ['search', 20, null, 0],
  ['search', 109, null, 0],
  ['search', 110, 'low', 10],
  ['search', 125, 'medium', 25],
  ['search', 150, 'high', 50],
  ['search', 200, 'critical', 100],
  ['search', 9_000, 'critical', 100],
  ['indexing', 50, null, 0],
  ['indexing', 400, null, 0],
  ['indexing', 40, 'medium', 25],
  ['indexing', 25, 'critical', 100],
  ['indexing', 0, 'critical', 100],
  ['errors', 0, null, 0],
  ['errors', 1, 'critical', 100],
  ['verification', 9_000, null, 0],
] as const)('%s of %d: severity %s, impact %d', (metric, value, severity, impact) => {
  const found = findBottlenecks([figure(metric, value)]);
  expect(found.map((one) => [one.severity, one.impact])).toEqual(severity === null ? [] : [[severity, impact]]);
});

test('the worst bottleneck comes first, with a strategy and what is expected of it', () => {
  const found = findBottlenecks([figure('search', 120), figure('indexing', 10), figure('memory', 700)]);
  expect(found.map(({ metric, strategy, expected }) => [metric, strategy, expected])).toEqual([
    ['indexing', 'indexing', 50],
    ['memory', 'optimisation', 500],
    ['search', 'caching', 100],
  ]);
});

const asked = (more: Partial<AskedBottleneck> = {}): AskedBottleneck => ({
  metric: 'indexing',
  strategy: 'indexing',
  before: 10,
  expected: 50,
  proposal: 'p-1',
  program: '1',
  at: 5,
  status: 'kept',
  keptAt: 10,
  ...more,
});

test('what is measured after a change is kept stands beside what was expected; before that it is unknown', () => {
  const measured = { ...NOTHING, index: [index(1, { seconds: 10 }), index(11, { seconds: 4 })] };
  expect(computeOutcomes([asked()], measured, NOW)).toEqual([{ ...asked(), measured: 25 }]);
  expect(computeOutcomes([asked()], { ...NOTHING, index: [index(1)] }, NOW)[0]).toMatchObject({
    expected: 50,
    measured: null,
  });
  // The same version may be a build without the change.
  expect(computeOutcomes([asked({ program: '2' })], measured, NOW)[0]).toMatchObject({ measured: null });
  const open = asked({ status: 'verified', keptAt: null });
  expect(computeOutcomes([open], measured, NOW)[0]).toMatchObject({ measured: null });
});

test('the confidence in a strategy follows its outcomes', () => {
  expect(computeConfidence('caching', [asked()])).toBe(0.5);
  expect(computeConfidence('indexing', [asked(), asked()])).toBe(0.75);
  expect(computeConfidence('indexing', [asked({ status: 'refused' })])).toBeCloseTo(1 / 3);
  expect(computeConfidence('indexing', [asked({ status: 'proposed' }), asked({ status: null, proposal: null })])).toBe(
    0.5,
  );
});

test('what an index run has used becomes figures, and what it did not record stays unknown', () => {
  const update = { at: 2, files: 100, seconds: 2, embedded: 1, changedChunks: 4 };
  const use = { cpuSeconds: 3, cores: 2 };
  const state = [{ at: 2, databaseMb: 12, connections: 4, ledgerMs: 5 }];
  expect(values({ ...NOTHING, state, index: [{ ...update, ...use }] })).toEqual({
    ...unknown,
    update: 2,
    cpu: 75,
    database: 12,
    ledger: 5,
    connections: 4,
    cache: 0.75,
  });
  // An update without changed files says nothing about the store, however many chunks it has.
  expect(
    values({ ...NOTHING, index: [{ at: 2, files: 0, seconds: 0.1, embedded: 0, changedChunks: 0, ...use }] }),
  ).toMatchObject({
    cpu: null,
    cache: null,
  });
  // All chunks of the changed files were embedded.
  expect(values({ ...NOTHING, index: [{ ...update, embedded: 4 }] })).toMatchObject({ cache: 0 });
});

test('targets of a person replace the defaults, also by none and for figures that have none', () => {
  const measured = { ...NOTHING, feedback: [call(1, 300)], state: [{ at: 1, databaseMb: 90, ledgerMs: 1 }] };
  const missed = (targets: PerformanceTargets) =>
    findBottlenecks(computeFigures(measured, NOW, { targets })).map(({ metric, target }) => [metric, target]);
  expect(missed({})).toEqual([['search', 100]]);
  expect(missed({ search: null })).toEqual([]);
  // A process that uses all cores is no fault by itself.
  const busy = { ...measured, index: [index(1, { cpuSeconds: 4, cores: 2 })] };
  expect(findBottlenecks(computeFigures(busy, NOW)).map(({ metric }) => metric)).toEqual(['search']);
  expect(missed({ search: 400, database: 30 })).toEqual([['database', 30]]);
});

const series = (values: readonly number[]) => values.map((value, at) => ({ at, value }));

test('a trend needs an order that chance does not explain, and enough measurements', () => {
  expect(computeTrend(series([1, 2, 3, 4, 5, 6, 7]), 'less')).toBeNull();
  // S = 28 of 28 pairs, variance 65.33: z = 27 / 8.083 = 3.34, p = 0.00084.
  const rising = computeTrend(series([1, 2, 3, 4, 5, 6, 7, 8]), 'less');
  expect(rising).toMatchObject({ direction: 'worse', samples: 8, from: 0 });
  expect(rising!.p).toBeCloseTo(0.00084, 5);
  expect(rising!.change).toBeCloseTo(7 / 4.5);
  expect(computeTrend(series([1, 2, 3, 4, 5, 6, 7, 8]), 'more')).toMatchObject({ direction: 'better' });
  // A rise that rounds to 0 % is none, however clear it is.
  const slow = computeTrend(series([1e6, 1e6 + 1, 1e6 + 2, 1e6 + 3, 1e6 + 4, 1e6 + 5, 1e6 + 6, 1e6 + 7]), 'less');
  expect(slow).toMatchObject({ direction: 'steady' });
  expect(slow!.p).toBeLessThan(0.05);
  // One slow measurement at the end is no trend, though the last two points rise steeply.
  expect(computeTrend(series([10, 10, 11, 10, 9, 10, 10, 90]), 'less')).toMatchObject({ direction: 'steady' });
  expect(computeTrend(series(Array.from({ length: 9 }, () => 0)), 'less')).toMatchObject({
    direction: 'steady',
    p: 1,
    change: null,
  });
});

test('the baseline is the median of the first five measurements, whatever follows', () => {
  const searches = [40, 50, 60, 70, 80, ...Array.from({ length: 30 }, (_, index) => 40 - index)].map((value, at) =>
    call(at, value),
  );
  const [search] = computeFigures({ ...NOTHING, feedback: searches }, NOW).filter(({ metric }) => metric === 'search');
  expect(search).toMatchObject({ value: 20.5, baseline: { value: 60, samples: 5, until: 4 } });
  expect(search!.trend).toMatchObject({ direction: 'better' });
  const few = computeFigures({ ...NOTHING, feedback: searches.slice(0, 5) }, NOW).find(
    ({ metric }) => metric === 'search',
  );
  // There is nothing yet with which five could be compared.
  expect(few).toMatchObject({ value: 60, baseline: null });
});

test('faults are counted by week, and a week without calls is unknown', () => {
  const week = 7 * 86_400_000;
  const now = 10 * week;
  const feedback = [
    call(now - 3.5 * week, 1, OWN_FAULT),
    call(now - 3.2 * week, 1, OWN_FAULT),
    call(now - 1.5 * week, 1),
  ];
  const errors = (events: readonly Feedback[]) =>
    computeFigures({ ...NOTHING, feedback: events }, now).find(({ metric }) => metric === 'errors');
  expect(errors(feedback)).toMatchObject({ value: null, samples: 0, baseline: null });
  expect(errors([...feedback, call(now - 5, 1)])).toMatchObject({ value: 0 });
  // With `since`, only what happened from then on counts, also within the week.
  const recent = [call(now - 9_000, 1, OWN_FAULT), call(now - 5, 1)];
  const since = (at: number) =>
    computeFigures({ ...NOTHING, feedback: recent }, now, { since: at }).find(({ metric }) => metric === 'errors');
  expect(since(now - 10_000)).toMatchObject({ value: 1 });
  expect(since(now - 100)).toMatchObject({ value: 0 });
  expect(since(now - 1)).toMatchObject({ value: null });
});
