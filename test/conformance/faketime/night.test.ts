// A night of more than 24 simulated hours with real processes: the command line, its supervisor and its workers live by
// a clock that runs at the usual speed while they work, and up to 120 times as fast while they wait.
//
// This shows what happens to timers, pauses, ends and records over hours, in the processes that a person starts. It does
// not show how memory and files behave over hours of work: in a wait of an hour, the run looks for work as often as in
// reality, but the machine has had only 30 seconds for everything else. Nor does a simulated hour say anything about
// other programs, disks and networks. Only a run of real hours shows that (docs/benchmarks.md).

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../../helpers/commandLine.ts';
import { gradesProject } from '../../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { startFakeClock, type FakeClock } from './fakeClock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** While it waits, nothing of the repository runs: a command would get a hundredth of its time. */
const CHEAP = ['--set', 'night.searchFurther=false', '--set', 'night.redTeamTries=0'];
/** Speeds while a worker starts, in the first hour, and at most while it waits. */
const [STARTING, FIRST_HOUR, FAST] = [10, 60, 120];
/** The speed does not fall below this one, however busy the machine is. */
const SLOWEST = 30;
const FILES = gradesProject(['double', 'half']);

let clock: FakeClock;
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  clock = await startFakeClock();
  repository = await createTemporaryRepository(FILES);
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterAll(async () => {
  await clock.setSpeed(1);
  await selfware.run(['stop'], { env: clock.env });
  await selfware.dispose();
  await repository.dispose();
  await clock.dispose();
});

async function run(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await selfware.run(args, { env: clock.env });
  expect(code, `${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}
const query = async (...args: readonly string[]) => JSON.parse(await run(...args, '--json'));
const newestNight = async () => (await query('report', '--all')).at(-1);
const poll = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 1_000, timeout: 240_000 });

interface Wait {
  readonly at: number;
  readonly data: { readonly run: string; readonly until: number };
}
const waits = async (): Promise<readonly Wait[]> => query('ledger', 'query', '--type', 'nightWaiting');
/** Hours that each wait was planned for, in tenths. */
const hoursOf = (some: readonly Wait[]) =>
  some.map(({ at, data }) => Math.round(((data.until - at) / HOUR_MS) * 10) / 10);

/** Starts a night in the background; returns the process that supervises it. */
async function startNight(...end: readonly string[]): Promise<number> {
  const said = await run('night', ...end, '--detach', ...CHEAP);
  return Number(/\(process (\d+)\)/.exec(said)?.[1]);
}

/** What supervisors have recorded, oldest first. */
async function records(): Promise<readonly any[]> {
  const paths = await readdir(selfware.home, { recursive: true });
  const path = paths.find((one) => one.endsWith('/night/log'));
  const lines = path === undefined ? [] : (await readFile(join(selfware.home, path), 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
const workerPid = async () => (await records()).findLast(({ type }) => type === 'workerStarted').pid as number;
const ended = async () => (await records()).filter(({ type }) => type === 'workerEnded');
const count = async (wanted: string) => (await records()).filter(({ type }) => type === wanted).length;

/** Processes that work with the state folder of this test. */
async function processes(): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    if (text.join('\0').includes(selfware.home)) found.push(Number(name));
  }
  return found;
}

/** All that a run must leave alone: HEAD, other branches, the index, and every byte of the working tree. */
async function untouched(): Promise<unknown> {
  const paths = (await readdir(repository.dir, { recursive: true })).filter((path) => !path.startsWith('.git')).sort();
  return {
    head: await readFile(join(repository.dir, '.git/HEAD'), 'utf8'),
    index: (await readFile(join(repository.dir, '.git/index'))).toString('hex'),
    refs: (await repository.git('for-each-ref', '--format=%(refname) %(objectname)'))
      .split('\n')
      .filter((line) => !/^refs\/(?:heads\/selfware|selfware\/nights)\//.test(line)),
    tree: await Promise.all(paths.map(async (path) => [path, await repository.read(path).catch(() => 'folder')])),
  };
}

/** The stored state of the run; null while no worker has one. */
async function liveState(): Promise<{ pid: number; at: number; rssMb: number; progress: unknown } | null> {
  const path = (await readdir(selfware.home, { recursive: true })).find((one) => one.endsWith('/night/now.json'));
  const text = path && (await readFile(join(selfware.home, path), 'utf8').catch(() => null));
  return text ? JSON.parse(text) : null;
}

/** A sample of a run while it waits. */
interface Sample {
  readonly at: number;
  /** Age of the stored state of the run. */
  readonly age: number;
  readonly rssMb: number;
  readonly files: number;
}

async function sample(pids: readonly number[]): Promise<Sample | null> {
  const live = await liveState();
  const at = clock.now();
  const counted = await Promise.all(pids.map((pid) => readdir(`/proc/${pid}/fd`).catch(() => [])));
  return live && { at, age: at - live.at, rssMb: live.rssMb, files: counted.flat().length };
}

/**
 * Lets the time pass until the run has ended: slowly while a worker starts, fast while it waits. If a worker finds no
 * processor for so long that its supervisor takes it for silent, the machine is too busy for this speed.
 */
async function passTime(supervisor: number): Promise<{ readonly samples: readonly Sample[]; readonly fast: number }> {
  const samples: Sample[] = [];
  let [fast, speed, silent] = [FAST, 1, (await ended()).filter(({ cause }) => cause === 'silent').length];
  while ((await processes()).length > 0) {
    const [live, worker] = [await liveState(), await workerPid()];
    const isWaiting = live?.pid === worker && live.progress === null;
    const foundSilent = (await ended()).filter(({ cause }) => cause === 'silent').length;
    if (foundSilent > silent) fast = Math.max(SLOWEST, fast / 2);
    silent = foundSilent;
    const wanted = isWaiting ? fast : STARTING;
    if (speed !== wanted) await clock.setSpeed((speed = wanted));
    const one = isWaiting && speed === fast ? await sample([supervisor, worker]) : null;
    if (one) samples.push(one);
    await sleep(1_000);
  }
  return { samples, fast };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('a night of 25 simulated hours survives what happens to its processes, waits longer and longer, and ends in time', async () => {
  const beganAt = clock.now();
  // Uncommitted work, staged and not: a run starts from HEAD and never sees it.
  await repository.write('src/half.js', `${FILES['src/half.js']}export const unfinished = ;\n`);
  await repository.write('src/staged.js', 'export const staged = 1;\n');
  await repository.git('add', 'src/staged.js');
  const before = await untouched();
  const first = await startNight('--for', '30h');
  await poll(async () => (await newestNight())?.state).toBe('waiting');
  expect((await newestNight()).changes).toHaveLength(2);

  // Its worker is killed, then stopped: another one continues the run, after 90 seconds of silence at the latest.
  await clock.setSpeed(10);
  process.kill(await workerPid(), 'SIGKILL');
  await poll(waits).toHaveLength(2);
  process.kill(await workerPid(), 'SIGSTOP');
  await poll(waits).toHaveLength(3);
  expect(await ended()).toMatchObject([
    { worker: 1, signal: 'SIGKILL', cause: null },
    { worker: 2, signal: 'SIGKILL', cause: 'silent' },
  ]);

  // The supervisor is stopped for some minutes: it takes that for a sleep of the machine, and its worker lives on.
  const [worker, slept] = [await workerPid(), await count('slept')];
  process.kill(first, 'SIGSTOP');
  const wakesAt = clock.now() + 4 * MINUTE_MS;
  while (clock.now() < wakesAt) await sleep(100);
  process.kill(first, 'SIGCONT');
  await poll(() => count('slept')).toBeGreaterThan(slept);
  await clock.setSpeed(FIRST_HOUR);
  await poll(waits).toHaveLength(4);
  expect(await workerPid()).toBe(worker);
  expect(hoursOf(await waits())).toEqual([1, 1, 1, 4]);

  // The user commits: the branch follows, and the waits begin again.
  await clock.setSpeed(1);
  expect(await untouched()).toEqual(before);
  for (const [path, text] of Object.entries(gradesProject(['square'])))
    if (path.includes('square')) await repository.write(path, text);
  await repository.git('add', 'src/square.js', 'test/square.test.js');
  await repository.git(
    'commit',
    '--quiet',
    '--message',
    'Work of the user',
    '--',
    'src/square.js',
    'test/square.test.js',
  );
  const afterCommit = await untouched();
  await poll(async () => hoursOf(await waits())).toEqual([1, 1, 1, 4, 1]);
  expect((await newestNight()).changes).toHaveLength(3);

  // The supervisor is killed: everything ends.
  process.kill(first, 'SIGKILL');
  await poll(processes).toEqual([]);
  expect((await newestNight()).state).toBe('stopped');

  // The next run lasts until a time of day.
  const until = new Date(clock.now() + 23.5 * HOUR_MS);
  const [hours, minutes] = [until.getHours(), until.getMinutes()].map((part) => String(part).padStart(2, '0'));
  const second = await startNight('--until', `${hours}:${minutes}`);
  await poll(async () => (await waits()).length).toBe(6);
  const { samples, fast } = await passTime(second);
  const took = clock.now() - beganAt;
  await clock.setSpeed(1);

  const night = await newestNight();
  const plannedEnd = new Date(until).setSeconds(0, 0);
  const last = night.runs.at(-1);
  expect(last.plan.until).toBe(plannedEnd);
  expect(last.reason).toMatch(/^Its time is up/);
  expect(last.endedAt).toBeGreaterThanOrEqual(plannedEnd);
  // Ten minutes are five seconds of this machine.
  expect(last.endedAt).toBeLessThan(plannedEnd + 10 * MINUTE_MS);
  // After a worker that counted as silent, the next one looks for work at once, and waits for an hour then.
  const planned = (await waits()).filter(({ data }) => data.run === last.id);
  const hoursLeft = (plannedEnd - planned[0]!.at) / HOUR_MS;
  expect(hoursLeft).toBeGreaterThan(1 + 4 + 12);
  expect(`${hoursOf(planned)},`).toContain('1,4,12,');
  expect(planned.at(-1)!.data.until).toBe(plannedEnd);
  expect(await untouched()).toEqual(afterCommit);

  const commits = (await repository.git('log', '--reverse', '--format=%H', `main..${night.branch}`)).trim().split('\n');
  expect(commits).toEqual(night.changes.map(({ commit }: { commit: string }) => commit));
  expect(night.changes.flatMap(({ paths }: { paths: readonly string[] }) => paths).sort()).toEqual([
    'src/double.js',
    'src/half.js',
    'src/square.js',
  ]);
  expect((await query('ledger', 'verify')).intact).toBe(true);

  const size = Math.floor(samples.length / 3);
  const [early, late] = [samples.slice(0, size), samples.slice(-size)];
  const rssOf = (some: readonly Sample[]) => median(some.map(({ rssMb }) => rssMb));
  const filesOf = (some: readonly Sample[]) => median(some.map(({ files }) => files));
  const oldest = Math.max(...samples.map(({ age }) => age));
  console.log(
    `${(took / HOUR_MS).toFixed(1)} simulated hours, at last ${fast} times as fast, ${samples.length} samples. ` +
      `Memory of the worker: ${rssOf(early)} MB in the first third of the last run, ${rssOf(late)} MB in the last. ` +
      `Open files: ${filesOf(early)}, ${filesOf(late)}. ` +
      `Stored state at most ${Math.round(oldest / 1_000)} s old.`,
  );
  expect(took).toBeGreaterThan(24 * HOUR_MS);
  expect(samples.length).toBeGreaterThan(100);
  expect(oldest).toBeLessThan(30 * MINUTE_MS);
  // Over some 16 hours.
  expect(rssOf(late)).toBeLessThan(rssOf(early) + 50);
  expect(filesOf(late)).toBeLessThanOrEqual(filesOf(early) + 2);
}, 5_400_000);
