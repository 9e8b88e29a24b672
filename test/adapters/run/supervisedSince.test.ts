// A worker that is started again after its run has ended does not begin another run, whose limits would be in full.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NightRequest } from '../../../server/src/app/nights/night.ts';
import { RUN_PARTS, withOpenRun } from '../../../server/src/app/nights/open/openRun.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { readEndOfRun, readNights } from '../../../server/src/app/nights/readNights.ts';
import { runNight } from '../../../server/src/app/nights/runNight.ts';
import { readSupervision, superviseRun } from '../../../server/src/app/nights/supervised.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
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
  const end = () => readEndOfRun(rootDir, { env, log }, { sinceSequence: 0, maxChanges: 10 });
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

test('a worker of a supervisor that tells only its time knows which end and which request were before', async () => {
  const { rootDir, env } = run;
  const { state } = resolveNightFolders(rootDir, env);
  mkdirSync(state, { recursive: true });
  const { ledger, close } = await openLedger(state, log);
  const ids = { night: 'selfware/night-1', run: 'run-1' };
  await ledger.record({ type: 'nightStarted', data: { ...ids, base: 'base', plan } });
  await ledger.record({ type: 'nightEnded', data: { ...ids, reason: 'It made 10 of 10.', passedOver: {} } });
  const { at, sequence } = (await ledger.query({ types: ['nightEnded'] })).at(-1)!;
  const { at: startedAt } = (await ledger.query({ types: ['nightStarted'] })).at(-1)!;
  await close();
  const request = (supervisedFrom: number): NightRequest => ({
    rootDir,
    personSettings: {},
    env,
    log,
    plan,
    waits: false,
    signal: new AbortController().signal,
    supervisedFrom,
    onEvent: () => undefined,
  });
  const worker = (supervisedFrom: number) => runNight(request(supervisedFrom));
  const begunAfter = (supervisedFrom: number) =>
    withOpenRun(request(supervisedFrom), RUN_PARTS, async (open) => open.request.begunAfter);
  // A request to end the run counts if it follows this event.
  expect([await begunAfter(startedAt - 1), await begunAfter(at)]).toEqual([0, sequence]);
  expect(await worker(startedAt - 1)).toMatchObject({ state: 'stopped', runs: [{ id: 'run-1' }] });
  // It goes on to the repository, which this folder is not.
  await expect(worker(at)).rejects.toThrow();
});

test('a supervisor whose ledger cannot be opened supervises all the same', async () => {
  const { rootDir, env } = run;
  mkdirSync(join(resolveNightFolders(rootDir, env).state, 'ledger.db'), { recursive: true });
  const lines: string[] = [];
  const supervised = { rootDir, args: ['night', 'run'], env, log, settings: defaultSettings };
  // It is stopped before its first worker.
  const end = await superviseRun(supervised, AbortSignal.abort(), (line) => lines.push(line));
  expect(end).toBe('stopped');
  expect(lines[0]).toContain('The ledger could not be read.');
});

test('a worker reads when its supervisor began', () => {
  const both = { SELFWARE_SUPERVISED_AFTER: '12', SELFWARE_SUPERVISED_SINCE: '1800000000000' };
  expect(readSupervision(both)).toEqual({ supervisedSince: 12 });
  expect(readSupervision({ SELFWARE_SUPERVISED_SINCE: '1800000000000' })).toEqual({
    supervisedFrom: 1_800_000_000_000,
  });
  expect(readSupervision({})).toEqual({});
  expect(readSupervision({ SELFWARE_SUPERVISED_AFTER: '', SELFWARE_SUPERVISED_SINCE: 'x' })).toEqual({});
});
