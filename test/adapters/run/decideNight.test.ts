// A person's decisions on a night as the ledger records them: when it counts as taken, and what a whole drop rejects.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveStateFolder } from '../../../server/src/adapters/files/stateFolder.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { createNights } from '../../../server/src/app/nights/windowNights.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { recordDecided, type DecidedChange } from '../../helpers/learnedLedger.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const log = { write: () => undefined };
const branch = 'selfware/night-2026-11-25';
const run = 'run-1';
let repository: TemporaryRepository;
let home: string;
beforeEach(async () => {
  repository = await createTemporaryRepository({ 'src/a.js': 'export const a = 1;\n' });
  home = await mkdtemp(join(tmpdir(), 'selfware-decide-'));
});
afterEach(async () => {
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

const environment = () => ({ PATH: process.env['PATH'], SELFWARE_HOME: home });
const places = () => resolveNightFolders(repository.dir, environment());
const proposal = (id: string, outcome: DecidedChange['outcome']): DecidedChange => ({
  ...{ id, outcome },
  edits: [{ path: `src/${id}.js`, before: 'let a = 1;\n', after: 'const a = 1;\n' }],
});

/** Records a night with the changes `c1` and `c2`, and with `asks`, on which only a person may decide. */
async function recordNight(): Promise<void> {
  const base = (await repository.git('rev-parse', 'HEAD')).trim();
  const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
  const committed = (id: string): NightEvent => ({
    type: 'nightCommitted',
    data: { night: branch, run, commit: base, change: { proposal: id, title: id, paths: [], claim: null } as never },
  });
  const miss = { what: 'asks', proposal: 'asks', title: 'a', rule: 'r', path: 'p', reason: 'Protected.' } as const;
  await record(
    { type: 'nightStarted', data: { night: branch, run, base, plan } },
    committed('c1'),
    committed('c2'),
    { type: 'nightMissed', data: { night: branch, run, miss } },
    { type: 'nightEnded', data: { night: branch, run, reason: '', passedOver: {} } },
  );
}

async function record(...events: readonly NightEvent[]): Promise<void> {
  const { ledger, close } = await openLedger(places().state, log);
  for (const event of events) await ledger.record(event);
  await close();
}

/** What is recorded of proposals and decisions. */
async function recorded() {
  const { ledger, close } = await openLedger(places().state, log);
  const proposals = await ledger.proposals();
  const decisions = await ledger.query({ types: ['nightDecided'] });
  await close();
  return {
    statuses: Object.fromEntries(proposals.map(({ id, status }) => [id, status])),
    verdicts: decisions.map(({ data }) => (data as { readonly verdict: string }).verdict),
  };
}

test('a night counts as taken only once nothing of it waits for a person', async () => {
  await recordNight();
  const nights = createNights({ env: environment(), log });
  await recordDecided(places().state, [proposal('c1', 'kept')]);
  await nights.settle(repository.dir, branch);
  expect((await recorded()).verdicts).toEqual([]);
  expect(await nights.last(repository.dir)).toMatchObject({ decided: null });
  await recordDecided(places().state, [proposal('c2', 'kept'), proposal('asks', 'kept')]);
  await nights.settle(repository.dir, branch);
  expect((await recorded()).verdicts).toEqual(['accepted']);
});

test('a night that was dropped as a whole rejects what only a person may take, too', async () => {
  await recordNight();
  const run = [proposal('c1', 'waiting'), proposal('c2', 'waiting'), proposal('asks', 'waiting')];
  await recordDecided(resolveStateFolder(places().tree, places().env), run);
  const nights = createNights({ env: environment(), log });
  const operation = { signal: new AbortController().signal, settings: defaultSettings };
  await nights.drop(repository.dir, branch, operation, [], 'Not now.');
  expect(await recorded()).toEqual({
    statuses: { c1: 'rejected', c2: 'rejected', asks: 'rejected' },
    verdicts: ['dropped'],
  });
});
