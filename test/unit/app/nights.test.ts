// When a night counts as decided, although nobody decided about its branch; wishes that a person has dropped.

import { expect, test } from 'vitest';
import { loadNights } from '../../../server/src/app/nights/night.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import type { NightEvent, WishEvent } from '../../../server/src/core/model/nights.ts';
import type { ProposalStatus } from '../../../server/src/core/model.ts';

const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
const committed = (proposal: string): NightEvent => ({
  type: 'nightCommitted',
  data: { night, run, commit: `${proposal}-commit`, change: { proposal } as never },
});
const events: readonly NightEvent[] = [
  { type: 'nightStarted', data: { night, run, base: 'a', plan } },
  committed('p'),
  committed('q'),
];

const decidedWith = async (statuses: Readonly<Record<string, ProposalStatus>>, more: readonly NightEvent[] = []) => {
  const nights = await loadNights({
    query: async () => [...events, ...more].map((event, at) => ({ ...event, at })) as never,
    proposals: async () => Object.entries(statuses).map(([id, status]) => ({ id, status })) as never,
  });
  return nights[0]!.decided;
};

test('a night is open while one of its changes waits for a person, and accepted once each has been decided', async () => {
  expect(await decidedWith({})).toBeNull();
  expect(await decidedWith({ p: 'kept' })).toBeNull();
  expect(await decidedWith({ p: 'kept', q: 'verified' })).toBeNull();
  expect(await decidedWith({ p: 'kept', q: 'rejected' })).toBe('accepted');
});

test('a night is open while a change that was taken off the branch for a person is undecided', async () => {
  const data = { night, base: 'a', commits: [], left: [{ proposal: 'q', reason: 'Held.', held: true as const }] };
  const parked: readonly NightEvent[] = [
    { type: 'nightMoved', data: { ...data, commits: [{ proposal: 'p', commit: 'p-commit' }] } },
  ];
  expect(await decidedWith({ p: 'kept' }, parked)).toBeNull();
  expect(await decidedWith({ p: 'kept', q: 'kept' }, parked)).toBe('accepted');
});

test('a proposal that no commit holds is settled once a person has taken or rejected it, and keeps no night open', async () => {
  const asks = { type: 'nightMissed', data: { night, run, miss: { what: 'asks', proposal: 'x' } as never } } as const;
  const nights = (status: ProposalStatus) =>
    loadNights({
      query: async () => [...events, asks].map((event, at) => ({ ...event, at })) as never,
      proposals: async () => [{ id: 'x', status }] as never,
    });
  expect((await nights('deferred'))[0]!.settled).toEqual([]);
  expect((await nights('kept'))[0]!.settled).toEqual(['x']);
  expect(await decidedWith({ p: 'kept', q: 'kept' }, [asks])).toBe('accepted');
});

test('a deferred wish that a person drops is no longer said to be tried again', async () => {
  const tried = (wish: string, outcome: 'deferred' | 'committed'): NightEvent => ({
    type: 'nightWish',
    data: { night, run, wish, text: `Text of ${wish}`, outcome, proposal: 'x', reason: 'Machine busy.' },
  });
  const dropped: WishEvent = { type: 'wishDropped', data: { wish: 'w-1' } };
  const answered: WishEvent = { type: 'wishDropped', data: { wish: 'w-2', proposal: 'from-an-editor' } };
  const all = [
    events[0]!,
    answered,
    tried('w-1', 'deferred'),
    tried('w-2', 'deferred'),
    tried('w-3', 'committed'),
    dropped,
  ];
  const [found] = await loadNights({
    query: async ({ types } = {}) =>
      all.map((event, at) => ({ ...event, at })).filter(({ type }) => types!.includes(type)) as never,
    proposals: async () => [],
  });
  const report = renderNightReport(found!);
  expect(report).toContain('- **Text of w-1**: not done, and you have dropped it. Machine busy.');
  expect(report).toContain('- **Text of w-2**: waits for a quieter machine. It is tried again then');
  expect(report).toContain('- **Text of w-3**: done');
});
