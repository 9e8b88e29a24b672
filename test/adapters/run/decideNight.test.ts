// A person's decisions on a night as the ledger records them: when it counts as taken, and what a whole drop rejects.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveStateFolder } from '../../../server/src/adapters/files/stateFolder.ts';
import { findNightToPush } from '../../../server/src/app/nights/decideNight.ts';
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
async function recordNight(tips?: readonly [string, string]): Promise<void> {
  const base = (await repository.git('rev-parse', 'HEAD')).trim();
  const commits = new Map([
    ['c1', tips?.[0] ?? base],
    ['c2', tips?.[1] ?? base],
  ]);
  const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
  const committed = (id: string): NightEvent => ({
    type: 'nightCommitted',
    data: {
      night: branch,
      run,
      commit: commits.get(id)!,
      change: { proposal: id, title: id, paths: [], claim: null } as never,
    },
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

/** Two commits on the branch; a tree with the files of the second one. */
async function commitTwice() {
  const commit = async (parent: string, name: string) => {
    const blob = (await repository.git('hash-object', '-w', 'src/a.js')).trim();
    await repository.git('read-tree', parent);
    await repository.git('update-index', '--add', '--cacheinfo', `100644,${blob},${name}.js`);
    const tree = (await repository.git('write-tree')).trim();
    await repository.git('read-tree', 'HEAD');
    return [(await repository.git('commit-tree', tree, '-p', parent, '-m', name)).trim(), tree] as const;
  };
  const base = (await repository.git('rev-parse', 'HEAD')).trim();
  const [first] = await commit(base, 'one');
  const [second, tree] = await commit(first, 'two');
  await repository.git('update-ref', `refs/heads/${branch}`, second);
  return { base, first, second, tree };
}

test('a squash whose process died before it was recorded is recognised, so that the branch can be dropped', async () => {
  const { base, first, second, tree } = await commitTwice();
  await recordNight([first, second]);
  const squashed = (
    await repository.git('commit-tree', tree, '-p', base, '-m', 'Night\n\n- c1 (c1)\n- c2 (c2)')
  ).trim();
  await repository.git('update-ref', `refs/heads/${branch}`, squashed);
  const nights = createNights({ env: environment(), log });
  const operation = { signal: new AbortController().signal, settings: defaultSettings };
  const amended = (await repository.git('commit-tree', tree, '-p', base, '-m', 'Mine')).trim();
  await repository.git('update-ref', `refs/heads/${branch}`, amended);
  await expect(nights.squash(repository.dir, branch, operation)).rejects.toThrow('was changed since');
  await repository.git('update-ref', `refs/heads/${branch}`, squashed);
  await expect(nights.squash(repository.dir, branch, operation)).rejects.toThrow('is one commit');
  expect(await nights.last(repository.dir)).toMatchObject({ decided: 'squashed', squashedTo: squashed });
  await nights.drop(repository.dir, branch, operation, [], null);
  expect(await repository.git('branch', '--list', branch)).toBe('');
});

test('a squashed branch names all its proposals in the message', async () => {
  const { first, second } = await commitTwice();
  await recordNight([first, second]);
  const nights = createNights({ env: environment(), log });
  const { commit } = await nights.squash(repository.dir, branch, { signal: new AbortController().signal });
  const message = await repository.git('log', '-1', '--format=%(trailers:key=Selfware-Proposal,valueonly)', commit);
  expect(message.trim().split('\n')).toEqual(['c1', 'c2']);
});

test('no pull request is opened for a night that was dropped, or whose branch somebody has moved', async () => {
  const { base, first, second } = await commitTwice();
  await recordNight([first, second]);
  const find = () => findNightToPush(repository.dir, null, environment(), log);
  expect((await find()).branch).toBe(branch);
  await repository.git('update-ref', `refs/heads/${branch}`, base);
  await expect(find()).rejects.toMatchObject({ reason: 'stale' });
  await repository.git('update-ref', '-d', `refs/heads/${branch}`);
  await expect(find()).rejects.toMatchObject({ reason: 'notFound' });
  await repository.git('update-ref', `refs/heads/${branch}`, second);
  await record({ type: 'nightDecided', data: { night: branch, verdict: 'dropped', changes: null } });
  await expect(find()).rejects.toMatchObject({ reason: 'notFound' });
});
