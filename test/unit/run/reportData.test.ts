// The report of a night as data: numbers of proposals, key figures with their goals, and success by proposer.

import { expect, test } from 'vitest';
import type { AnsweredData, AskedData } from '../../../server/src/core/model/asks.ts';
import type { NightEvent, NightMiss } from '../../../server/src/core/model/nights.ts';
import { mapProposers } from '../../../server/src/core/proposers/nightSpending.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { createReportData } from '../../../server/src/core/run/report/reportData.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import { createPart } from '../../helpers/createPart.ts';

const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const HOUR = 3_600_000;
const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
const committed = (proposal: string, author: string): NightEvent => ({
  type: 'nightCommitted',
  data: {
    ...{ night, run, commit: `commit-${proposal}` },
    change: {
      ...{ proposal, title: proposal, rationale: '', rule: 'r', recipe: 'r', author, strength: 'proven' },
      ...{ claim: null, points: null, paths: ['a.ts'], checks: [], cost: null },
    } as never,
  },
});
const missed = (proposal: string, what: NightMiss['what'], author: string): NightEvent => ({
  type: 'nightMissed',
  data: {
    night,
    run,
    miss: { what, proposal, title: proposal, rule: 's', path: 'a.ts', reason: 'So.', author, claim: 'fix' } as never,
  },
});
const paused: NightEvent = { type: 'nightPaused', data: { night, run, kind: 'failing', reason: 'Why.' } };
const nightOf = (hours: number, ...events: readonly NightEvent[]) =>
  foldNights([
    { type: 'nightStarted', at: 0, data: { night, run, base: 'a', plan } },
    ...events.map((event) => ({ ...event, at: 1 })),
    { type: 'nightEnded', at: hours * HOUR, data: { night, run, reason: 'Done.', passedOver: {} } },
  ])[0]!;

const proposers = mapProposers([
  { at: 1, asked: createPart<AskedData>({ ask: 'a-1', proposer: 'ollama:x' }) },
  { at: 2, answered: createPart<AnsweredData>({ ask: 'a-1', proposal: 'p2' }) },
  { at: 3, asked: createPart<AskedData>({ ask: 'a-2', proposer: 'mailbox:m' }) },
  { at: 4, answered: createPart<AnsweredData>({ ask: 'a-2', proposal: 'p3' }) },
  { at: 5, answered: createPart<AnsweredData>({ ask: 'a-2', proposal: null }) },
]);
const found = nightOf(
  12,
  ...[committed('p1', 'recipe'), committed('p2', 'model'), missed('p3', 'refused', 'model')],
  ...[missed('p4', 'rolledBack', 'recipe'), missed('p5', 'asks', 'recipe'), missed('p6', 'deferred', 'recipe')],
  ...[missed('p7', 'brokeDown', 'recipe'), paused],
);
const dataOf = (of: typeof found) =>
  createReportData(of, { earlier: [], proposers, spent: null, commitsOnNoBranch: [] });

test('the numbers of proposals add up', () => {
  const data = dataOf(found);
  expect(data).toMatchObject({
    ...{ run, tried: 7, kept: 2, refused: 1, rolledBack: 1, brokeDown: 1, asks: 1, deferred: 1 },
    changes: [{ proposal: 'p1' }, { proposal: 'p2' }],
  });
});

test('key figures have their goals; what was not measured is null, and less than a day counts as one', () => {
  expect(dataOf(found).kpis).toMatchObject({
    success: { value: 0.4, goal: 0.7, isMet: false },
    rollbacks: { value: 1 / 3, goal: 0.2, isMet: false },
    interventionsPerDay: { value: 1, goal: 5, isMet: true },
    runtimeDays: { value: 0.5, goal: null, isMet: null },
    level: { goal: 8, isMet: false },
  });
  expect(dataOf(nightOf(48)).kpis).toMatchObject({
    success: { value: null, isMet: null },
    rollbacks: { value: null, isMet: null },
    runtimeDays: { value: 2 },
  });
  expect(dataOf(nightOf(48, paused)).kpis.interventionsPerDay.value).toBe(0.5);
});

test('success is counted by the name of the proposer, in the report too', () => {
  expect(dataOf(found).success).toMatchObject({
    byAuthor: [
      { key: 'recipe', committed: 1, tried: 5 },
      { key: 'model', committed: 1, tried: 2 },
    ],
    byProposer: [
      { key: 'a recipe', committed: 1, tried: 5 },
      { key: 'mailbox:m', committed: 0, tried: 1 },
      { key: 'ollama:x', committed: 1, tried: 1 },
    ],
  });
  const report = renderNightReport(found, new Map(), { proposers });
  expect(report).toContain('- Committed by proposer: a recipe 1 of 5, mailbox:m 0 of 1, ollama:x 1 of 1\n');
  expect(report).toContain('| Times that it needed you | 1 (1.0 a day) | fewer than 5 a day |');
  expect(report).toContain('| Runtime in days | 0.50 |  |');
  expect(report).toMatch(/Level of self-improvement after 1 night: \d of 10, goal 8\./);
});
