// A worker that is started again after its run has ended does not begin another run, whose limits would be in full.

import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { readEndOfRun, readNights } from '../../../server/src/app/nights/readNights.ts';
import { runNight } from '../../../server/src/app/nights/runNight.ts';
import { supervisedSince } from '../../../server/src/app/nights/supervised.ts';
import { newRun, type Run } from './processes.ts';

const log = { write: () => undefined };
const plan = { until: Date.now() + 3_600_000, maxChanges: 10, proposer: null, places: null };

let run: Run;
beforeEach(() => (run = newRun()));
afterEach(() => run.dispose());

test('a run that has ended under this supervisor is over; one that ended before it does not count', async () => {
  const { rootDir, env } = run;
  const { state } = resolveNightFolders(rootDir, env);
  mkdirSync(state, { recursive: true });
  const { ledger, close } = await openLedger(state, log);
  const ids = { night: 'selfware/night-1', run: 'run-1' };
  await ledger.record({ type: 'nightStarted', data: { ...ids, base: 'base', plan } });
  await ledger.record({ type: 'nightEnded', data: { ...ids, reason: 'It made 10 of 10.', passedOver: {} } });
  const { sequence } = (await ledger.query({ types: ['nightEnded'] })).at(-1)!;
  await close();
  const worker = (since: number) =>
    runNight({
      rootDir,
      personSettings: {},
      env,
      log,
      plan,
      waits: false,
      signal: new AbortController().signal,
      supervisedSince: since,
      onEvent: () => undefined,
    });
  expect(await worker(sequence - 1)).toMatchObject({
    branch: 'selfware/night-1',
    state: 'stopped',
    runs: [{ id: 'run-1' }],
  });
  // It goes on to the repository, which this folder is not.
  await expect(worker(sequence)).rejects.toThrow();
});

test('on probation, an end is believed if a person has stopped the run; another version continues a doubted one', async () => {
  const { rootDir, env } = run;
  const { state } = resolveNightFolders(rootDir, env);
  mkdirSync(state, { recursive: true });
  const { ledger, close } = await openLedger(state, log);
  const ids = { night: 'selfware/night-1', run: 'run-1' };
  const end = () => readEndOfRun(rootDir, { env, log }, { since: 0, maxChanges: 10 });
  await ledger.record({ type: 'nightStarted', data: { ...ids, base: 'base', plan } });
  expect(await end()).toBe('notOver');
  await ledger.record({ type: 'nightEnded', data: { ...ids, reason: 'Nothing is left to try.', passedOver: {} } });
  expect(await end()).toBe('doubtful');
  await ledger.record({ type: 'stopped', data: {} });
  expect(await end()).toBe('over');
  const step = { step: 'doubted', version: '2.0.0', hash: 'h', reason: null } as const;
  await ledger.record({ type: 'nightUpgrade', data: { ...ids, ...step } });
  await close();
  const [night] = await readNights(rootDir, env, log);
  expect(night).toMatchObject({ state: 'running', runs: [{ endedAt: null, reason: null }] });
});

test('a worker reads when its supervisor began', () => {
  expect(supervisedSince({ SELFWARE_SUPERVISED_SINCE: '12' })).toBe(12);
  expect(supervisedSince({})).toBeUndefined();
  expect(supervisedSince({ SELFWARE_SUPERVISED_SINCE: 'x' })).toBeUndefined();
});
