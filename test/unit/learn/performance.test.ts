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
import type { Metric } from '../../../server/src/core/model/bottlenecks.ts';

const NOTHING: LedgerMeasurements = { index: [], feedback: [], verifications: [] };
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
const values = (measured: LedgerMeasurements, since?: number) =>
  Object.fromEntries(computeFigures(measured, NOW, since).map(({ metric, value }) => [metric, value]));
const unknown = { indexing: null, search: null, memory: null, errors: null, verification: null };

test('nothing measured is unknown, not zero', () => {
  expect(values(NOTHING)).toEqual(unknown);
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
  expect(values(measured)).toEqual({ indexing: 37.5, search: 30, memory: 400, errors: 1, verification: 4 });
  expect(values(measured, 3)).toMatchObject({ indexing: null, search: 500, memory: 500 });
});

const figure = (metric: Metric, value: number): Figure => ({ metric, ...METRIC_FACTS[metric], value, samples: 1 });

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
