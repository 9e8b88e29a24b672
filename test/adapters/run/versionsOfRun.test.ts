// What a supervisor stores about versions of Selfware, and what it takes from the ledger: a real ledger and real
// checks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCheckAnswer, writeCheck, writeOffer } from '../../../server/src/adapters/run/versionOffers.ts';
import { superviseWorker } from '../../../server/src/adapters/run/supervisor.ts';
import type { Versions } from '../../../server/src/adapters/run/versions.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { readNights } from '../../../server/src/app/nights/readNights.ts';
import { readProgramVersion } from '../../../server/src/app/programPaths.ts';
import {
  recordCheck,
  createRunVersions,
  type RunVersions,
} from '../../../server/src/app/nights/takeOver/versionsOfRun.ts';
import { SUPERVISION_RULES, type SupervisionRules } from '../../../server/src/core/run/supervision.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { newRun, type Run } from './processes.ts';

const log = { write: () => undefined };
const ids = { night: 'selfware/night-1', run: 'run-1' };
const plan = { until: Date.now() + 3_600_000, maxChanges: 10, proposer: null, places: null };
const started: NightEvent = { type: 'nightStarted', data: { ...ids, base: 'base', plan } };
const NEXT = { version: '2.0.0', hash: '2222222222222222', folder: '' };

let run: Run;
let folder: string;
beforeEach(async () => {
  run = newRun();
  folder = resolveNightFolders(run.rootDir, run.env).folder;
  mkdirSync(folder, { recursive: true });
  await recordAll(started);
});
afterEach(() => run.dispose());

async function recordAll(...events: readonly NightEvent[]): Promise<void> {
  const { ledger, close } = await openLedger(resolveNightFolders(run.rootDir, run.env).state, log);
  for (const event of events) await ledger.record(event);
  await close();
}

/** The versions of a run whose next version checks itself by this script. */
async function versionsWith(script: string, write = (_: string): void => undefined): Promise<RunVersions> {
  const store = join(run.env.SELFWARE_HOME!, 'versions');
  const own = { version: '1.0.0', hash: '1111111111111111', folder: join(store, '1.0.0-1111111111111111') };
  const { rootDir, env } = run;
  const versions = await createRunVersions({ own, store }, { rootDir, env, args: [], log, write });
  const [program = ''] = versions.argsOf(NEXT).slice(-1);
  mkdirSync(join(program, '..'), { recursive: true });
  writeFileSync(program, script);
  versions.begin();
  return versions;
}

const night = async () => (await readNights(run.rootDir, run.env, log)).at(-1)!;
const steps = async () => (await night()).upgrades.map(({ step, reason }) => [step, reason]);
const tick = (versions: Versions) => versions.tick(() => undefined);
const HEALTHY = 'process.exit(0)';

test('the answer of a check is the reason of a refusal, and the refused version is not taken by the next run', async () => {
  const answer = JSON.stringify({ reason: 'It judges differently.', found: null });
  const file = JSON.stringify(join(folder, 'checked.json'));
  const versions = await versionsWith(
    `require('node:fs').writeFileSync(${file}, ${JSON.stringify(answer)}); process.exit(1);`,
  );
  await writeOffer(folder, NEXT, false);
  tick(versions);
  await expect.poll(async () => (await steps()).at(-1)).toEqual(['refused', 'It judges differently.']);
  await versions.waitForRecords();

  const later = await versionsWith(HEALTHY);
  await writeOffer(folder, NEXT, false);
  tick(later);
  await later.waitForRecords();
  expect(await steps()).toHaveLength(2);
  // A person may ask for it again.
  await writeOffer(folder, NEXT, true);
  tick(later);
  await later.waitForRecords();
  expect((await steps()).at(-1)).toEqual(['offered', null]);
  later.end();
});

test('the answer of a check says which version gave it; that of another version is not believed', async () => {
  await recordCheck(run.rootDir, run.env, { reason: 'It judges differently.', found: null });
  const stored = JSON.parse(readFileSync(join(folder, 'checked.json'), 'utf8'));
  expect(stored).toEqual({ version: readProgramVersion(), hash: null, reason: 'It judges differently.', found: null });
  await writeCheck(folder, { reason: 'No.', found: 'Two were compared.' }, { version: '2.0.0', hash: NEXT.hash });
  expect(readCheckAnswer(folder, NEXT.hash)).toEqual({ reason: 'No.', found: 'Two were compared.' });
  expect(readCheckAnswer(folder, 'another')).toEqual({ reason: null, found: null });
});

test('a doubted end is in the ledger before the next worker is started, so that it continues the run', async () => {
  const versions = await versionsWith(HEALTHY);
  await writeOffer(folder, NEXT, false);
  tick(versions);
  await expect.poll(() => versions.forNextWorker().hash).toBe(NEXT.hash);
  await recordAll({ type: 'nightEnded', data: { ...ids, reason: 'Nothing is left to try.', passedOver: {} } });
  expect((await night()).state).toBe('stopped');
  versions.workerEnded(true, true);
  expect(versions.forNextWorker().hash).toBe(versions.ownVersion.hash);
  await versions.whenRecorded?.();
  expect(await night()).toMatchObject({ state: 'running', runs: [{ endedAt: null }] });
  await versions.waitForRecords();
});

/** Puts a folder in the place of the ledger; the returned function undoes that. */
function breakLedger(): () => void {
  const file = join(resolveNightFolders(run.rootDir, run.env).state, 'ledger.db');
  renameSync(file, `${file}.away`);
  mkdirSync(file);
  return () => {
    rmdirSync(file);
    renameSync(`${file}.away`, file);
  };
}

test('a step that cannot be stored is stored once the ledger can be written again, before the next worker', async () => {
  let repair = (): void => undefined;
  const said: string[] = [];
  const versions = await versionsWith(HEALTHY, (line) => {
    said.push(line);
    if (line.startsWith('A step')) repair();
  });
  repair = breakLedger();
  await writeOffer(folder, NEXT, false);
  tick(versions);
  await versions.whenRecorded?.();
  expect((await steps())[0]).toEqual(['offered', null]);
  expect(said).toContainEqual(expect.stringContaining('A step of a version could not be stored.'));
  versions.end();
  await versions.waitForRecords();
});

test('a step that still cannot be stored does not hold up a stop', async () => {
  let failures = 0;
  const versions = await versionsWith(HEALTHY, (line) => {
    if (!line.startsWith('A step')) return;
    failures += 1;
    if (failures === 1) versions.end();
  });
  const repair = breakLedger();
  await writeOffer(folder, NEXT, false);
  tick(versions);
  await versions.waitForRecords();
  repair();
  expect(await steps()).toEqual([]);
});

/** Supervises a worker that finishes at once. `gate`: is asked for before each start, and holds it back. */
function supervised(gate: () => Promise<void>, signal: AbortSignal, rules: SupervisionRules = SUPERVISION_RULES) {
  const happened: string[] = [];
  let ticks = 0;
  const versions: Versions = {
    begin: () => undefined,
    forNextWorker: () => NEXT,
    isOnProbation: () => false,
    workerEnded: () => undefined,
    tick: () => void (ticks += 1),
    end: () => undefined,
    whenRecorded: () => gate().then(() => void happened.push('recorded')),
  };
  const end = superviseWorker({
    ...{ rootDir: run.rootDir, env: run.env, cwd: run.rootDir, signal, versions, rules },
    ...{ command: process.execPath, args: ['-e', ''], argsOf: () => ['-e', ''] },
    onEvent: ({ type }) => void happened.push(type),
    tellPerson: () => undefined,
  });
  return { end, happened, ticks: () => ticks };
}

test('no worker is started before the ledger has what its version needs to know', async () => {
  // Another process has started and ended meanwhile.
  const gate = async () => void (await once(spawn(process.execPath, ['--version'], { stdio: 'ignore' }), 'exit'));
  const { end, happened } = supervised(gate, new AbortController().signal);
  expect(await end).toBe('finished');
  expect(happened.slice(0, 2)).toEqual(['recorded', 'workerStarted']);
});

test('a run that is stopped while the ledger is written starts no worker', async () => {
  const stopping = new AbortController();
  const { end, happened } = supervised(async () => stopping.abort(), stopping.signal);
  expect(await end).toBe('stopped');
  expect(happened).not.toContain('workerStarted');
});

test('a stop does not wait for a ledger that cannot be written', async () => {
  const stopping = new AbortController();
  const gate = () => {
    stopping.abort();
    return new Promise<void>(() => undefined);
  };
  const { end, happened } = supervised(gate, stopping.signal);
  expect(await end).toBe('stopped');
  expect(happened).not.toContain('workerStarted');
});

test('a worker that has not begun, because the ledger cannot be written, does not count as silent', async () => {
  const stopping = new AbortController();
  const rules = { ...SUPERVISION_RULES, tickMs: 5, silenceMs: 20, noProgressMs: 20, sleepTicks: 1_000 };
  const { end, happened, ticks } = supervised(() => new Promise<void>(() => undefined), stopping.signal, rules);
  await expect.poll(ticks).toBeGreaterThan(20);
  expect(happened).toEqual([]);
  stopping.abort();
  expect(await end).toBe('stopped');
});
