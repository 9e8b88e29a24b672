// Records which Selfware processes work on which repository. `stop` ends processes by these records, and other
// processes find a supervisor by them. A process is identified by its id and its start time, because ids are reused.

import { mkdir, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { resolveStateFolder } from '../files/stateFolder.ts';
import { findDescendants, killStillRunning } from './processTree.ts';
import { isSameStart, readStartTime } from './startTime.ts';
import type { Environment } from '../../util/values/environment.ts';

/** The identity of a process, which differs from the identity of a later process with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as an opaque text, for `isSameStart`. */
  readonly started: string;
}

/** The additional fields in the record of a supervisor. */
export interface SupervisorFacts {
  /** A random text that identifies this supervisor among all that ever ran. */
  readonly token: string;
  /** The worker, which leads a process group; null while none runs. */
  readonly worker: ProcessIdentity | null;
  /** The version of Selfware that the worker runs; undefined if it cannot be replaced by another version. */
  readonly version?: string;
  /** The hash of that version. */
  readonly hash?: string;
}

interface ProcessRecord extends ProcessIdentity {
  readonly rootDir: string;
  /** Set if the process serves an agent. */
  readonly agent?: true;
  /** Set if the process supervises an unattended run. */
  readonly supervisor?: SupervisorFacts;
}

/** The record of this process. */
export interface Registration {
  /** Replaces the fields about the supervisor. */
  update(supervisor: SupervisorFacts): Promise<void>;
  /** Removes the record. */
  release(): Promise<void>;
}

/**
 * Milliseconds that a process may take to end before it is killed (`GRACE_MS`), and then until it has ended
 * (`KILLED_MS`). A supervisor kills its worker after `stopAfterMs` (core/run/supervision.ts), and has the remaining
 * time to record the end.
 */
const [GRACE_MS, KILLED_MS] = [4_000, 1_000];
/** Milliseconds between two checks whether a process has ended. */
const POLL_MS = 50;

/** Records this process until `release`. */
export async function registerProcess(
  rootDir: string,
  env: Environment,
  { agent = false, supervisor }: { readonly agent?: boolean; readonly supervisor?: SupervisorFacts } = {},
): Promise<Registration> {
  const folder = resolveRecordsFolder(rootDir, env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}.json`);
  const running: ProcessRecord = {
    pid: process.pid,
    started: (await readStartTime(process.pid)) ?? '',
    rootDir: await realpath(rootDir),
    ...(agent ? { agent } : {}),
  };
  const write = async (facts: SupervisorFacts | undefined) => {
    // Another process that reads the file meanwhile gets the old record or the new one, never a part of one.
    await writeFile(`${file}.new`, JSON.stringify(facts ? { ...running, supervisor: facts } : running));
    await rename(`${file}.new`, file);
  };
  await write(supervisor);
  return { update: write, release: () => rm(file, { force: true }) };
}

/**
 * Ends every other Selfware process on the repository (`rootDir` null: on any) at the same time, first by a signal,
 * then by force, with the processes below it. Resolves with these processes, workers of supervisors included, when none
 * is left. Never touches a process that reuses an id. Supervisors get the signal first, because they would replace a
 * worker that has ended. The record of a process that could not be ended remains for the next call.
 */
export async function stopProcesses(
  rootDir: string | null,
  env: Environment,
): Promise<readonly { readonly pid: number; readonly rootDir: string }[]> {
  const realRoot = rootDir === null ? null : await realpath(rootDir);
  const records = (await readRecords(resolveRecordsFolder(rootDir ?? '.', env)))
    .filter(({ running }) => running.pid !== process.pid && (realRoot === null || running.rootDir === realRoot))
    .toSorted((a, b) => Number(b.running.supervisor !== undefined) - Number(a.running.supervisor !== undefined));
  const foundByPid = new Map<number, RunningProcess>();
  const add = async (identity: ProcessIdentity, rootDirOfProcess: string, leadsGroup: boolean) => {
    const leads = leadsGroup || foundByPid.get(identity.pid)?.leadsGroup === true;
    if (await isAlive(identity))
      foundByPid.set(identity.pid, { ...identity, rootDir: rootDirOfProcess, leadsGroup: leads });
  };
  for (const { running } of records) await add(running, running.rootDir, false);
  for (const { running } of records)
    if (running.supervisor?.worker) await add(running.supervisor.worker, running.rootDir, true);
  const endings = await Promise.allSettled([...foundByPid.values()].map(end));
  for (const { file, running } of records) {
    const worker = running.supervisor?.worker ?? null;
    const remains = (await isAlive(running)) || (worker !== null && (await isAlive(worker)));
    if (!remains) await rm(file, { force: true });
  }
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
  return [...foundByPid.values()].map((running) => ({ pid: running.pid, rootDir: running.rootDir }));
}

/** Running supervisors of the repository (`rootDir` null: of any), other than this process. */
export async function findRunningSupervisors(
  rootDir: string | null,
  env: Environment,
): Promise<readonly (ProcessIdentity & SupervisorFacts & { readonly rootDir: string })[]> {
  const realRoot = rootDir === null ? null : await realpath(rootDir);
  const supervisors: (ProcessIdentity & SupervisorFacts & { readonly rootDir: string })[] = [];
  for (const { running } of await readRecords(resolveRecordsFolder(rootDir ?? '.', env))) {
    const { pid, started, supervisor } = running;
    if (!supervisor || pid === process.pid || (realRoot !== null && running.rootDir !== realRoot)) continue;
    if (await isAlive(running)) supervisors.push({ pid, started, rootDir: running.rootDir, ...supervisor });
  }
  return supervisors;
}

/** Ends the workers of supervisors of this repository that were killed, and removes their records. */
export async function endOrphanedWorkers(rootDir: string, env: Environment): Promise<void> {
  const realRoot = await realpath(rootDir);
  for (const { file, running } of await readRecords(resolveRecordsFolder(rootDir, env))) {
    if (!running.supervisor || running.rootDir !== realRoot || (await isAlive(running))) continue;
    if (running.supervisor.worker) await killOrphanedWorker(running.supervisor.worker);
    await rm(file, { force: true });
  }
}

/** Ids of the running Selfware processes that serve agents, on any repository. */
export async function findRunningAgentServers(env: Environment): Promise<readonly number[]> {
  const pids: number[] = [];
  for (const { running } of await readRecords(resolveRecordsFolder('.', env)))
    if (running.agent === true && (await isAlive(running))) pids.push(running.pid);
  return pids;
}

/** Identity of a running process; null if there is none, or if the system does not report its start. */
export async function readProcessIdentity(pid: number): Promise<ProcessIdentity | null> {
  const startTime = await readStartTime(pid);
  return startTime === null ? null : { pid, started: startTime };
}

/** True if the same process still runs, and not a different process with its id. */
async function isAlive({ pid, started }: ProcessIdentity): Promise<boolean> {
  const startsAt = await readStartTime(pid);
  return startsAt !== null && isSameStart(startsAt, started);
}

/**
 * False only if it is certain that the process has ended: no process has its id, or the process with its id started at
 * another time. `started`: null if it is unknown.
 */
export async function mayBeAlive({ pid, started }: { readonly pid: number; readonly started: string | null }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process of another user cannot be signalled.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const startsAt = await readStartTime(pid);
  return startsAt === null || started === null || isSameStart(startsAt, started);
}

function resolveRecordsFolder(rootDir: string, env: Environment): string {
  return join(dirname(resolveStateFolder(rootDir, env)), 'running');
}

/** The readable records in a folder, each with its file. */
async function readRecords(folder: string): Promise<{ readonly file: string; readonly running: ProcessRecord }[]> {
  const records: { readonly file: string; readonly running: ProcessRecord }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const file = join(folder, name);
    const running = parseJsonOrNull(await readFile(file, 'utf8').catch(() => '')) as ProcessRecord | null;
    if (running) records.push({ file, running });
  }
  return records;
}

/** Kills a worker whose supervisor has ended, with the processes of its group and below it. */
async function killOrphanedWorker(worker: ProcessIdentity): Promise<void> {
  if (!(await isAlive(worker))) return;
  killWithDescendants(worker.pid, true);
  while (await isAlive(worker)) await sleep(POLL_MS);
}

/** A process to end. `leadsGroup`: the processes of its group end with it. */
interface RunningProcess extends ProcessIdentity {
  readonly rootDir: string;
  readonly leadsGroup: boolean;
}

/** Ends a process by a signal; kills it and its descendants if it still runs after `GRACE_MS`. */
async function end(running: RunningProcess): Promise<void> {
  sendSignal(running.pid, 'SIGTERM');
  if (await endsWithin(running, GRACE_MS)) return;
  killWithDescendants(running.pid, running.leadsGroup);
  await endsWithin(running, KILLED_MS);
}

/** Waits until the process has ended, but at most `ms` milliseconds. Returns false if it still runs. */
async function endsWithin(running: ProcessIdentity, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (!(await isAlive(running))) return true;
    await sleep(POLL_MS);
  }
  return !(await isAlive(running));
}

/** Kills a process and its descendants, which could no longer be found after it has ended. */
function killWithDescendants(pid: number, leadsGroup: boolean): void {
  const descendants = findDescendants(pid);
  sendSignal(leadsGroup && process.platform !== 'win32' ? -pid : pid, 'SIGKILL');
  killStillRunning(descendants);
}

/** Sends a signal. Does nothing if the process has ended meanwhile. */
export function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
