// How many candidates a run verifies at once, which of them nothing may run beside, and what becomes of the others.

import { expect, test } from 'vitest';
import type { BegunRun } from '../../../server/src/app/nights/beginRun.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import {
  findBadVersions,
  countInterruptions,
  setAsideCrashingProposals,
  findVerifiedAlone,
} from '../../../server/src/app/nights/crashingProposals.ts';
import {
  computeCandidatesAtOnce,
  createCandidatesOfRun,
  finishInParallel,
} from '../../../server/src/app/nights/sideBySide.ts';
import { computeRoomOfTurn } from '../../../server/src/app/nights/open/improveOnce.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createPart } from '../../helpers/createPart.ts';

test('as many as the person allows and the machine can run; one with a benchmark, or if nothing is checked later', () => {
  const at = (
    sideBySide: number,
    most: number,
    probation: 'checks' | 'points' = 'checks',
    benchCommand = '',
    cores = 4,
  ) =>
    computeCandidatesAtOnce(
      { 'night.sideBySide': sideBySide, 'apply.probation': probation, 'verify.benchCommand': benchCommand },
      most,
      cores,
    );
  expect([at(2, 8), at(16, 8), at(2, 1), at(1, 8), at(4, 8, 'points')]).toEqual([2, 8, 1, 1, 1]);
  expect(at(4, 8, 'checks', 'npm run bench')).toBe(1);
  // By default, two from four cores on, if the memory allows it.
  expect([at(0, 8), at(0, 1), at(0, 2, 'checks', '', 3), at(0, 8, 'checks', '', 64)]).toEqual([2, 1, 1, 2]);
});

test('a run that was continued after its process ended checks no tests together', () => {
  const room = (atOnce: number, resumed: number) =>
    computeRoomOfTurn({ atOnce, remaining: 3, resumed }, { 'verify.together': 4 });
  expect(room(1, 0)).toEqual({ maxParallel: 1, maxCheckedTogether: 3 });
  expect(room(1, 1)).toEqual({ maxParallel: 1, maxCheckedTogether: 1 });
  expect(room(2, 0)).toEqual({ maxParallel: 2, maxCheckedTogether: 1 });
});

test('each death counts for all that were verified then; a cancel is no death', async () => {
  const died = (proposal: string, alive = {}) => ({ type: 'interrupted', at: 1, data: { proposal, ...alive } });
  const ledger = { query: async () => [died('p'), died('q'), died('p'), died('q', { alive: true })] as never };
  expect([...(await countInterruptions(ledger, []))]).toEqual([
    ['p', 2],
    ['q', 1],
  ]);
});

test('one that had passed is set aside after three deaths since then, and not for what happened before', async () => {
  const event = (type: string, proposal: string) => ({ type, data: { proposal } });
  const died = (id: string) => Array<object>(3).fill(event('interrupted', id));
  const events = [...died('p'), event('verified', 'p'), event('verified', 'q'), ...died('q')] as { type: string }[];
  const rejected: string[] = [];
  const proposals = ['p', 'q'].map((id) => ({
    id,
    status: 'verified',
    title: '',
    opportunity: { rule: '', path: '' },
  }));
  const session = createPart<Session>({
    ledger: { query: async ({ types }: { types: readonly string[] }) => events.filter((e) => types.includes(e.type)) },
    proposals: {
      all: async () => proposals,
      decide: async ({ proposal }: { readonly proposal: string }) => void rejected.push(proposal),
    },
  });
  await setAsideCrashingProposals(session, { query: async () => [] }, async () => undefined);
  expect(rejected).toEqual(['q']);
});

test('a death under a version that was rolled back says nothing of the proposal', async () => {
  const upgrade = (at: number, step: string, hash: string) => ({ type: 'nightUpgrade', at, data: { step, hash } });
  const runs = [
    upgrade(10, 'switched', 'good'),
    upgrade(20, 'kept', 'good'),
    upgrade(30, 'switched', 'bad'),
    upgrade(40, 'rolledBack', 'bad'),
  ];
  const bad = await findBadVersions({ query: async () => runs as never });
  const death = (begunAt: number, at: number) => [
    { type: 'verifying', at: begunAt, data: { proposal: 'p' } },
    { type: 'interrupted', at, data: { proposal: 'p' } },
  ];
  const deathsOf = async (...events: object[][]) =>
    [...(await countInterruptions({ query: async () => events.flat() as never }, bad)).values()][0] ?? 0;
  // The last process of the bad version died before it was rolled back, and the next one noticed it later.
  expect(await deathsOf(death(31, 35), death(36, 45))).toBe(0);
  expect(await deathsOf(death(15, 18), death(31, 35), death(46, 50))).toBe(2);
  // It may have brought that version down, so it is still verified alone.
  const ledger = {
    query: async ({ types }: { types: readonly string[] }) =>
      (types.includes('nightUpgrade') ? runs : death(31, 35)) as never,
  };
  expect([...(await findVerifiedAlone(ledger))]).toEqual(['p']);
});

const SETTINGS = { 'night.sideBySide': 2, 'apply.probation': 'checks', 'verify.benchCommand': '' } as const;

/** A run whose session has these proposals, all of which can be applied. */
function runWith(statuses: readonly string[]) {
  const proposals = statuses.map((status, at) => ({
    id: `p${at}`,
    status,
    author: 'recipe',
    recipe: 'remove-else',
    title: '',
    edits: [{ path: `src/${at}.ts`, before: '', after: '' }],
    verdicts: [],
    pointsAfter: null,
    opportunity: { id: `o${at}`, rule: 'r', path: `src/${at}.ts` },
  }));
  const applied: string[] = [];
  const session = createPart<Session>({
    ledger: { query: async () => [] },
    opportunities: { dismissals: async () => [] },
    proposals: { all: async () => proposals, explainNeedToAsk: async () => null },
    verification: { verify: async (id: string) => proposals.find((one) => one.id === id) },
    changes: {
      async apply({ proposal: id }: { readonly proposal: string }) {
        const proposal = proposals.find((one) => one.id === id)!;
        proposal.status = 'kept';
        applied.push(id);
        return { proposal };
      },
    },
  });
  const plan = { until: 9, maxChanges: 9, proposer: null, places: null };
  const started = { type: 'nightStarted', at: 1, data: { night: 'one', run: 'r', base: 'a', plan } };
  const ledger = {
    query: async ({ types }: { types: readonly string[] }) => [started].filter((e) => types.includes(e.type)),
  };
  const context = createPart<NightContext>({ repository: { ledger } });
  const begun: BegunRun = { branch: 'one', run: 'r', since: 1, ...plan };
  const { signal } = new AbortController();
  const next = (sideBySide: number) =>
    finishInParallel(
      context,
      begun,
      session,
      { signal },
      createCandidatesOfRun(SETTINGS, sideBySide),
      async () => undefined,
    );
  return { applied, next };
}

test('of those that passed beside the last change, one at a time follows', async () => {
  const { applied, next } = runWith(['verified', 'deferred', 'verified', 'refused']);
  expect([await next(2), applied.length]).toEqual([true, 1]);
  expect([await next(2), applied, await next(2)]).toEqual([true, ['p0', 'p2'], false]);
});

test('where candidates are verified one after the other, what has passed is left to the next start', async () => {
  const { applied, next } = runWith(['verified']);
  expect([await next(1), applied]).toEqual([false, []]);
});
