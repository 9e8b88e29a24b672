// How an unattended run opens its parts and closes them, also if one fails; and that the end of a run holds before its
// first step.

import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { acquireLock } from '../../../server/src/adapters/files/lock.ts';
import type { NightBranch } from '../../../server/src/adapters/git/nightBranch.ts';
import { createGitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { readLive } from '../../../server/src/adapters/run/liveFile.ts';
import { openLedger, type OpenLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import type { NightProgress, NightRequest } from '../../../server/src/app/nights/night.ts';
import { needsPerson } from '../../../server/src/app/nights/needsPerson.ts';
import { RUN_PARTS, type RunParts } from '../../../server/src/app/nights/open/openRun.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { readNights } from '../../../server/src/app/nights/readNights.ts';
import { runNight } from '../../../server/src/app/nights/runNight.ts';
import { createNights } from '../../../server/src/app/nights/windowNights.ts';
import type { Night } from '../../../server/src/core/run/nightTypes.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const log = { write: () => undefined };
let repository: TemporaryRepository;
let env: Record<string, string | undefined>;
let events: NightProgress[];
beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  env = { PATH: process.env['PATH'], SELFWARE_HOME: await mkdtemp(join(tmpdir(), 'selfware-night-')) };
  events = [];
});
afterEach(async () => {
  await repository.dispose();
  await rm(env['SELFWARE_HOME']!, { recursive: true, force: true, maxRetries: 5 });
});

/** A run whose time ends at `until`; by default it is over, so that the run ends at once. */
const request = (until = Date.now(), signal = new AbortController().signal): NightRequest => ({
  rootDir: repository.dir,
  personSettings: {},
  env,
  log,
  plan: { until, maxChanges: 1, proposer: null, places: null },
  waits: false,
  signal,
  onEvent: (event) => events.push(event),
});

const PARTS = ['takeLock', 'registerProcess', 'openLedger', 'writeLive', 'openMetrics', 'openNightBranch'] as const;
const CLOSED = ['takeLock', 'registerProcess', 'openLedger', 'writeLive', 'openMetrics'] as const;

/** The real parts. Each notes when it is opened and closed, and the step that `fails` names throws its name. */
function noting(steps: string[], fails: string | null = null): RunParts {
  const step = (name: string) => {
    steps.push(name);
    if (name === fails) throw new Error(name);
  };
  const closing = (name: string, close: () => Promise<void>) => async () => {
    await close();
    step(`-${name}`);
  };
  return {
    async takeLock(path) {
      step('takeLock');
      const held = await RUN_PARTS.takeLock(path);
      return held && { ...held, release: closing('takeLock', () => held.release()) };
    },
    async registerProcess(...args) {
      step('registerProcess');
      const registered = await RUN_PARTS.registerProcess(...args);
      return { ...registered, release: closing('registerProcess', () => registered.release()) };
    },
    async openLedger(...args) {
      step('openLedger');
      const open = await RUN_PARTS.openLedger(...args);
      return { ...open, close: closing('openLedger', () => open.close()) };
    },
    writeLive(...args) {
      step('writeLive');
      const live = RUN_PARTS.writeLive(...args);
      return { ...live, end: closing('writeLive', () => live.end()) };
    },
    async openMetrics(open) {
      step('openMetrics');
      return closing('openMetrics', await RUN_PARTS.openMetrics(open));
    },
    async openNightBranch(...args) {
      step('openNightBranch');
      return RUN_PARTS.openNightBranch(...args);
    },
  };
}

/** True if nothing of a run is left: another one could begin, and nobody is told that one works here. */
async function isClosed(): Promise<boolean> {
  const { lock, folder, state } = resolveNightFolders(repository.dir, env);
  const held = await acquireLock(lock);
  await held?.release();
  const running = await readdir(join(dirname(state), 'running')).catch(() => []);
  return held !== null && running.length === 0 && (await readLive(folder)) === null;
}

test('a run opens its parts in order, and closes them in reverse order', async () => {
  const steps: string[] = [];
  const night = await runNight(request(), noting(steps));
  expect(steps).toEqual([...PARTS, ...CLOSED.toReversed().map((name) => `-${name}`)]);
  expect(night).toMatchObject({ state: 'stopped', runs: [{ reason: 'Its time is up.', committed: 0 }] });
  expect(await isClosed()).toBe(true);
});

test.each(PARTS)(
  'if %s fails, what was opened before it is closed, and the error is that of the part',
  async (part) => {
    const steps: string[] = [];
    await expect(runNight(request(), noting(steps, part))).rejects.toThrow(part);
    const before = CLOSED.slice(0, PARTS.indexOf(part));
    expect(steps).toEqual([...before, part, ...before.toReversed().map((name) => `-${name}`)]);
    expect(await isClosed()).toBe(true);
    expect(await readNights(repository.dir, env, log)).toEqual([]);
  },
);

test.each(CLOSED)('if %s cannot be closed, the others are', async (part) => {
  const steps: string[] = [];
  await expect(runNight(request(), noting(steps, `-${part}`))).rejects.toThrow(part);
  expect(steps.slice(PARTS.length)).toEqual(CLOSED.toReversed().map((name) => `-${name}`));
  expect(await isClosed()).toBe(true);
});

test('a second run is refused, and changes nothing of the first one', async () => {
  const held = await acquireLock(resolveNightFolders(repository.dir, env).lock);
  const steps: string[] = [];
  await expect(runNight(request(), noting(steps))).rejects.toMatchObject({ reason: 'locked' });
  expect(new Set(steps)).toEqual(new Set(['takeLock']));
  await held!.release();
});

test('a lock that another command holds for a moment is no run in progress', async () => {
  const held = await acquireLock(resolveNightFolders(repository.dir, env).lock);
  let tries = 0;
  const parts: RunParts = {
    ...RUN_PARTS,
    async takeLock(path) {
      tries += 1;
      if (tries === 2) await held!.release();
      return RUN_PARTS.takeLock(path);
    },
  };
  expect(await runNight(request(), parts)).toMatchObject({ state: 'stopped' });
});

test('a run is in progress before its start is recorded', async () => {
  const nights = createNights({ env, log });
  const parts: RunParts = {
    ...RUN_PARTS,
    async openNightBranch(...args) {
      await expect.poll(() => nights.isRunning(repository.dir)).toBe(true);
      return RUN_PARTS.openNightBranch(...args);
    },
  };
  expect(await nights.isRunning(repository.dir)).toBe(false);
  await runNight(request(), parts);
  expect(await nights.isRunning(repository.dir)).toBe(false);
});

thoroughTest('a worker that its supervisor has started again waits for its lock, and says so', async () => {
  const held = await acquireLock(resolveNightFolders(repository.dir, env).lock);
  const onEvent: NightRequest['onEvent'] = (event) => {
    events.push(event);
    if (event.type === 'waiting') void held!.release();
  };
  expect(await runNight({ ...request(Date.now() + 3_600_000), supervisedSince: 0, onEvent })).toMatchObject({
    state: 'stopped',
    runs: [{}],
  });
  expect(events[0]).toMatchObject({ type: 'waiting', reason: 'Another command works on the branch.' });
});

test('a run that continues keeps its limit of money, unless a person names one', async () => {
  const data = {
    night: 'selfware/night-2026-11-25',
    run: 'run-lost',
    base: 'b',
    plan: { ...request().plan, until: Date.now() + 3_600_000 },
  };
  await before((ledger) => ledger.record({ type: 'nightStarted', data: { ...data, maxCost: 2 } }));
  const { maxCost } = (await runNight({ ...request(), keepsMaxCost: true })).runs.at(-1)!;
  expect(maxCost).toBe(2);
  await before((ledger) => ledger.record({ type: 'nightStarted', data: { ...data, run: 'run-again', maxCost: 2 } }));
  const named = await runNight({ ...request(), personSettings: { 'models.costPerRun': 5 } });
  expect(named.runs.at(-1)).toMatchObject({ id: 'run-again', maxCost: 5 });
});

test('a run that lacks an identity needs a person while its time lasts, and ends once it is up', async () => {
  for (const key of ['user.name', 'user.email']) await repository.git('config', '--unset', key);
  await repository.git('config', 'user.useConfigOnly', 'true');
  const error = await runNight(request(Date.now() + 3_600_000)).catch((one: unknown) => one);
  expect([(error as Error).message, needsPerson(error)]).toEqual([expect.stringContaining('who commits'), true]);
  const failed = { reason: expect.stringMatching(/^It met an error\. .*who commits/) };
  expect(await readNights(repository.dir, env, log)).toMatchObject([{ state: 'stopped', runs: [failed] }]);
  expect(await runNight(request())).toMatchObject({ state: 'stopped', runs: [failed, { reason: 'Its time is up.' }] });
});

/** The real parts, with a branch whose check-out calls `reached` and lasts until it is cancelled. */
const stuck = (reached: () => void): RunParts => ({
  ...RUN_PARTS,
  async openNightBranch(...args) {
    const checkOut: NightBranch['checkOut'] = async (...[, , , signal]) => {
      reached();
      if (!signal.aborted) await once(signal, 'abort');
      throw new SelfwareError('cancelled', 'It was cancelled.');
    };
    return { ...(await RUN_PARTS.openNightBranch(...args)), checkOut };
  },
});

/** A run whose time is up once the check-out of its branch has begun, however long it takes to get there. */
async function stuckUntilItsEnd(): Promise<Night> {
  const until = Date.now() + 20;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(until - 20);
  try {
    return await runNight(
      request(until),
      stuck(() => void clock.mockReturnValue(until)),
    );
  } finally {
    clock.mockRestore();
  }
}

const reserved = async () => (await repository.git('for-each-ref', 'refs/selfware/nights')).trim();

/** Works with the ledger of the repository, as a process that ran before. */
async function before<T>(work: (ledger: OpenLedger['ledger']) => Promise<T>): Promise<T> {
  const { ledger, close } = await openLedger(resolveNightFolders(repository.dir, env).state, log);
  try {
    return await work(ledger);
  } finally {
    await close();
  }
}

test('the time of a run ends its beginning, too, and the report names the run', async () => {
  const night = await stuckUntilItsEnd();
  expect(night).toMatchObject({ state: 'stopped', changes: [], runs: [{ reason: 'Its time is up.' }] });
  expect(night.branch).toMatch(/^selfware\/night-\d{4}-\d\d-\d\d$/);
  expect(events.map(({ type }) => type)).toEqual(['began', 'ended']);
  expect(await reserved()).toBe('');
  // The next run is one more of the same night.
  const again = await stuckUntilItsEnd();
  expect(again).toMatchObject({ branch: night.branch, runs: [{}, { reason: 'Its time is up.' }] });
  expect(await reserved()).toBe('');
  // A run whose process died is ended, and no other one begins.
  const data = { night: night.branch, run: 'run-lost', base: night.base, plan: request(1).plan };
  await before((ledger) => ledger.record({ type: 'nightStarted', data }));
  const { runs } = await runNight(request());
  expect(runs.slice(2)).toMatchObject([{ id: 'run-lost', reason: 'Its time is up.' }]);
});

test('a run that begins after its end hands over what a process that died has committed', async () => {
  const { tree, scratch } = resolveNightFolders(repository.dir, env);
  const branch = await RUN_PARTS.openNightBranch(repository.dir, scratch, log);
  const name = 'selfware/night-2026-11-25';
  const base = await branch.head();
  await branch.reserve(name);
  await branch.checkOut(tree, name, base, new AbortController().signal);
  const data = { night: name, run: 'run-lost', base, plan: request(1).plan };
  await before((ledger) => ledger.record({ type: 'nightStarted', data }));
  const git = createGitRunner(tree);
  await git.text(['commit', '-q', '--allow-empty', '-m', 'Change\n\nSelfware-Proposal: p1']);
  const commit = (await git.text(['rev-parse', 'HEAD'])).trim();
  const night = await runNight(request());
  expect(night).toMatchObject({
    branch: name,
    state: 'stopped',
    changes: [{ proposal: 'p1', commit, run: 'run-lost' }],
    runs: [{ id: 'run-lost', reason: 'Its time is up.', committed: 1 }],
  });
  expect((await repository.git('rev-parse', name)).trim()).toBe(commit);
  expect(await reserved()).toBe('');
});

test('a run that begins after its end leaves the name of another run alone', async () => {
  const night = await runNight(request());
  const branch = await RUN_PARTS.openNightBranch(repository.dir, resolveNightFolders(repository.dir, env).scratch, log);
  expect(await branch.reserve(night.branch)).toBe(true);
  expect((await runNight(request())).branch).not.toBe(night.branch);
  expect(await reserved()).toContain(night.branch);
});

test('an error in the beginning is not taken for its end', async () => {
  const until = Date.now() + 20;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(until - 20);
  const parts: RunParts = {
    ...RUN_PARTS,
    async openNightBranch(...args) {
      const checkOut: NightBranch['checkOut'] = async (...[, , , signal]) => {
        clock.mockReturnValue(until);
        if (!signal.aborted) await once(signal, 'abort');
        throw new Error('The disk is broken.');
      };
      return { ...(await RUN_PARTS.openNightBranch(...args)), checkOut };
    },
  };
  await expect(runNight(request(until), parts).finally(() => clock.mockRestore())).rejects.toThrow('disk is broken');
  expect(await reserved()).toBe('');
});

test('a person who cancels the beginning gets no run', async () => {
  const person = new AbortController();
  const parts = stuck(() => person.abort());
  await expect(runNight(request(Date.now() + 3_600_000, person.signal), parts)).rejects.toThrow('cancelled');
  expect(await readNights(repository.dir, env, log)).toEqual([]);
  expect(await reserved()).toBe('');
  expect(await isClosed()).toBe(true);
});
