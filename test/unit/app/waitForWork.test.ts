// A run that has nothing to do continues as soon as the machine is quiet enough for a proposal that was put off.

import { expect, test } from 'vitest';
import type { BegunRun } from '../../../server/src/app/nights/beginRun.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { isWorthRetry } from '../../../server/src/app/nights/open/deferredWork.ts';
import { waitForWork } from '../../../server/src/app/nights/open/waitForWork.ts';
import type { OpenLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { createPart } from '../../helpers/createPart.ts';

const plan = { until: Date.now() + 3_600_000, maxChanges: 3, proposer: null, places: null };
const begun = { branch: 'n', run: 'r', since: 10, ...plan } satisfies BegunRun;
type Session = Parameters<typeof waitForWork>[2]['redTeam']['session'];

const sessionWith = (deferred: readonly { id: string; deferredBusy: number }[], isPaused = false) =>
  createPart<Session>({
    ledger: { query: async () => [] },
    proposals: { deferredAsBusy: async () => deferred },
    changes: { applyPause: async () => (isPaused ? { until: null } : null) },
  });

/** Waits while the machine is quiet at these looks; the last one stays. Resolves with what was said and the looks. */
async function wait(quiet: readonly boolean[], session: Session, ms: number) {
  let looks = 0;
  const reasons: string[] = [];
  const started = { type: 'nightStarted', at: 10, data: { night: 'n', run: 'r', base: 'a', plan } };
  const context = createPart<NightContext>({
    request: { env: {}, onEvent: (event: { reason?: string }) => reasons.push(event.reason ?? '') },
    repository: {
      ledger: {
        record: async () => undefined,
        isStopped: async () => false,
        query: async () => [started],
        proposals: async () => [],
      },
    },
    branch: { head: async () => 'a' },
    isQuiet: () => quiet[Math.min(looks++, quiet.length - 1)]!,
  });
  const settings = { 'night.redTeamTries': 0, 'night.ruleTokens': 0, 'night.waitForPower': false } as never;
  const redTeam = { session, settings, ledgerOfRun: createPart<OpenLedger>({}) };
  const until = Date.now() + ms;
  const pause = { base: 'a', until, pause: null, fruitless: 1, retried: new Set<string>(), redTeam };
  const end = await waitForWork(context, begun, pause, new AbortController().signal, 1);
  return { end, looks, reason: reasons[0], isEarly: Date.now() < until };
}

test('it continues once the machine is quiet, and says before that it will', async () => {
  const waited = await wait([false, false, true], sessionWith([{ id: 'p', deferredBusy: 1 }]), 3_600_000);
  expect(waited).toEqual({
    end: 'again',
    looks: 3,
    isEarly: true,
    reason: 'Nothing is left to try. It continues after a commit, or once the machine is quieter.',
  });
});

test('a quiet machine alone ends no wait', async () => {
  const waited = await wait([true], sessionWith([]), 30);
  expect(waited).toMatchObject({
    isEarly: false,
    reason: 'Nothing is left to try. It continues after a commit.',
  });
});

test('each deferral ends one wait at most, and none while no change may be applied', async () => {
  const retried = new Set<string>();
  const isWorth = (deferredBusy: number, isPaused = false) =>
    isWorthRetry(begun, sessionWith([{ id: 'p', deferredBusy }], isPaused), retried);
  expect(await isWorth(1, true)).toBe(false);
  expect(await isWorth(1)).toBe(true);
  expect(await isWorth(1)).toBe(false);
  expect(await isWorth(2)).toBe(true);
});
