// The line about the newest night in the sidebar: what it does, what it brought, and when there is nothing left to say.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../server/src/core/model/nights.ts';
import type { ProposalStatus } from '../../server/src/core/model.ts';
import type { RunHealth } from '../../server/src/core/run/health.ts';
import { foldNights } from '../../server/src/core/run/nights.ts';
import { createNightSummary } from '../../server/src/lsp/sidebar/nightSummary.ts';

const [branch, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
const committed = (proposal: string): NightEvent => ({
  type: 'nightCommitted',
  data: {
    night: branch,
    run,
    commit: proposal,
    change: { proposal, title: proposal, paths: [], points: null, claim: null } as never,
  },
});
const nightAfter = (...events: readonly NightEvent[]) =>
  foldNights(
    [{ type: 'nightStarted' as const, data: { night: branch, run, base: 'a', plan } }, ...events].map((event) => ({
      ...event,
      at: 0,
    })),
  )[0]!;
const ended: NightEvent = { type: 'nightEnded', data: { night: branch, run, reason: '', passedOver: {} } };
const none = new Map<string, ProposalStatus>();

test('while it runs, the line says until when and how much, and the step what it does', () => {
  const live = {
    ...{ pid: 1, startedAt: 0, at: 0, stageSince: Date.now(), trying: null, tries: 1, rssMb: 1, cpuSeconds: 1 },
    progress: { stage: 'verifying', done: 3, total: 10, message: 'Tests' } as const,
  };
  const summary = createNightSummary(nightAfter(committed('p')), true, live, none);
  expect(summary).toMatchObject({ state: 'running', changes: 1, untaken: 1 });
  expect(summary.line).toMatch(/^Unattended run: running until \d\d:\d\d, 1 change$/);
  expect(summary.step).toBe('verifying 3/10: Tests, for 0 s');
});

test('while it runs, its figures are shown with their names; afterwards not', () => {
  const night = nightAfter(committed('p'));
  const live = {
    ...{ pid: 1, startedAt: 0, at: 60_000, progress: null, stageSince: 0, trying: null },
    ...{ tries: 2, rssMb: 210, cpuSeconds: 30 },
  };
  const health: RunHealth = {
    failures: [{ kind: 'refused by “Types”', count: 1 }],
    answers: { count: 1, outputTokens: 20, tokensPerSecond: 5 },
    day: { committed: 1, judged: 2 },
  };
  const watched = { health, wishes: ['One', 'Two'], bottleneck: 'Time of a search: 140 ms, target at most 100' };
  const { figures } = createNightSummary(night, true, live, none, watched);
  expect(figures).toEqual([
    'Changes: 1 of at most 3, 0.0 an hour',
    'Failed: 1 refused by “Types”',
    'Answers: 20 tokens in 1 answer, 5.0 tokens/s',
    '24 hours: 1 of 2 judged proposals and wishes committed',
    'Wishes: 2 in the queue',
    'Process: 2 tries, 210 MB, 0.5 cores',
    'Bottleneck: Time of a search: 140 ms, target at most 100',
  ]);
  expect(createNightSummary(night, true, null, none).figures).toEqual([
    'Changes: 1 of at most 3, 0.0 an hour',
    'Wishes: none in the queue',
  ]);
  expect(createNightSummary(nightAfter(committed('p'), ended), false, null, none, watched)).not.toHaveProperty(
    'figures',
  );
});

test('a run that ends after its step says so, and one that lacks something has the reason among its figures', () => {
  const asked: NightEvent = { type: 'nightAskedToEnd', data: { night: branch, run, by: 'person' } };
  expect(createNightSummary(nightAfter(committed('p'), asked), true, null, none)).toMatchObject({
    state: 'draining',
    line: 'Unattended run: ends after its current step, 1 change',
  });
  const live = {
    ...{ pid: 1, startedAt: 0, at: 0, stageSince: 0, trying: null, tries: 1, rssMb: 1, cpuSeconds: 1 },
    ...{ progress: { stage: 'verifying', done: 3, total: 10, message: 'Tests' } as const, degraded: ['Why.'] },
  };
  const summary = createNightSummary(nightAfter(), true, live, none);
  expect(summary.line).toMatch(/^Unattended run: degraded until \d\d:\d\d, no change yet$/);
  expect([summary.state, summary.figures?.[0]]).toEqual(['degraded', 'Degraded: Why.']);
});

test('a run that waits for the person says so, with the reason; its process may be gone', () => {
  const paused: NightEvent = { type: 'nightPaused', data: { night: branch, run, kind: 'oscillation', reason: 'Why.' } };
  expect(createNightSummary(nightAfter(committed('p'), paused), true, null, none)).toMatchObject({
    state: 'needsPerson',
    line: 'Unattended run: needs you, 1 change',
    step: 'Why.',
  });
  expect(createNightSummary(nightAfter(paused), false, null, none).state).toBe('lost');
});

test('a proposer that is not trusted is named while the run goes on; its changes are counted afterwards', () => {
  const canary: NightEvent = {
    type: 'nightCanary',
    data: { night: branch, run, proposer: 'ollama:x', test: 't', path: 'p', solved: true, reason: null },
  };
  const under = createNightSummary(nightAfter(committed('p'), canary), true, null, none);
  expect(under.step).toBe(
    'ollama:x has “solved” a task that cannot be solved, and is not asked any more. 1 change of its waits for you. Starting',
  );
  expect(createNightSummary(nightAfter(committed('p'), canary, ended), false, null, none).line).toBe(
    'Last night: 1 change, 1 held',
  );
});

test('a run whose process is gone was interrupted, and does nothing', () => {
  expect(createNightSummary(nightAfter(), false, null, none)).toMatchObject({
    state: 'lost',
    line: 'Last night: no change, it was interrupted',
    step: null,
  });
});

test('once each change has been decided in the review, there is nothing left to say', () => {
  const night = nightAfter(committed('p'), committed('q'), ended);
  const lineWith = (...statuses: readonly [string, ProposalStatus][]) =>
    createNightSummary(night, false, null, new Map(statuses)).line;
  expect(lineWith()).toBe('Last night: 2 changes');
  expect(lineWith(['p', 'kept'], ['q', 'verified'])).toBe('Last night: 2 changes');
  expect(lineWith(['p', 'kept'], ['q', 'rejected'])).toBeNull();
});

test('afterwards, the changes on which nobody has decided are listed with their numbers in the report', () => {
  const change = (proposal: string): NightEvent => ({
    type: 'nightCommitted',
    data: {
      ...{ night: branch, run, commit: proposal },
      change: {
        ...{ proposal, title: `Change ${proposal}`, strength: 'proven', author: 'recipe', claim: null },
        ...{ points: { before: 10, after: 10.5 }, paths: ['src/a.ts', 'src/b.ts'] },
      } as never,
    },
  });
  const asks: NightEvent = {
    type: 'nightMissed',
    data: {
      ...{ night: branch, run },
      miss: { what: 'asks', proposal: 'p4', title: 'Settings', rule: 'r', path: 'tsconfig.json', reason: 'Protected.' },
    },
  };
  const night = nightAfter(change('p1'), change('p2'), change('p3'), asks, ended);
  const statuses = new Map<string, ProposalStatus>([
    ['p1', 'kept'],
    ['p2', 'verified'],
  ]);
  expect(createNightSummary(night, false, null, statuses).open).toEqual([
    {
      ...{ id: 'p2', number: 2, title: 'Change p2', place: 'onBranch', isTaken: true },
      detail: 'proven · +0.5 points · src/a.ts and 1 other file',
    },
    expect.objectContaining({ id: 'p3', number: 3, isTaken: false }),
    { id: 'p4', number: 4, title: 'Settings', detail: 'tsconfig.json: Protected.', place: 'asks', isTaken: false },
  ]);
  expect(createNightSummary(nightAfter(change('p1')), true, null, none).open).toBeUndefined();
});

test('what only a person may take keeps the line, although every change of the branch is decided', () => {
  const asks: NightEvent = {
    type: 'nightMissed',
    data: {
      ...{ night: branch, run },
      miss: { what: 'asks', proposal: 'q', title: 'Settings', rule: 'r', path: 'tsconfig.json', reason: 'Protected.' },
    },
  };
  const accepted: NightEvent = { type: 'nightDecided', data: { night: branch, verdict: 'accepted', changes: null } };
  const statuses = new Map<string, ProposalStatus>([['p', 'kept']]);
  for (const events of [[], [accepted]]) {
    const night = nightAfter(committed('p'), asks, ended, ...events);
    const { line, open } = createNightSummary(night, false, null, statuses);
    expect(line).toBe('Last night: 1 change, 1 that only you may take');
    expect(open).toMatchObject([{ id: 'q', place: 'asks' }]);
    expect(createNightSummary(night, false, null, new Map([...statuses, ['q', 'rejected']])).line).toBeNull();
  }
});

test('of many changes, those that were not taken are shown first, and how many more there are', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `p${index + 1}`);
  const night = nightAfter(...ids.map(committed), ended);
  const taken = new Map<string, ProposalStatus>(ids.slice(0, 20).map((id) => [id, 'verified']));
  const { open = [], furtherOpen } = createNightSummary(night, false, null, taken);
  expect([open.length, furtherOpen]).toEqual([50, 10]);
  expect(open.filter(({ isTaken }) => !isTaken).map(({ id }) => id)).toEqual(ids.slice(20));
  expect(open.map(({ number }) => number)).toEqual(open.map(({ number }) => number).toSorted((a, b) => a - b));
  expect(createNightSummary(nightAfter(committed('p')), false, null, none).furtherOpen).toBeUndefined();
});

test('a held change that was taken off the branch is told from one that is still on it', () => {
  const canary: NightEvent = {
    type: 'nightCanary',
    data: { night: branch, run, proposer: 'ollama:x', test: 't', path: 'p', solved: true, reason: null },
  };
  const night = nightAfter(committed('p'), canary, ended);
  const placesOf = (one: typeof night) => createNightSummary(one, false, null, none).open?.map(({ place }) => place);
  expect(placesOf(night)).toEqual(['held']);
  expect(placesOf({ ...night, changes: [], parked: night.changes })).toEqual(['parked']);
});
