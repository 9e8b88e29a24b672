// Records which Selfware processes work on which repository, so that `stop` can end them. A process is identified by
// its id and its start time, because ids are reused.

import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parsedJson } from '../../util/parsedJson.ts';
import { stateFolderFor } from '../files/stateFolder.ts';
import { PS } from './systemPrograms.ts';

interface Running {
  readonly pid: number;
  readonly started: string;
  readonly rootDir: string;
  /** Set if it serves an agent. */
  readonly agent?: true;
}

/** How long a process may take to end before it is killed. */
const graceMs = 10_000;
const pollMs = 50;

/** Records this process until `release`. */
export async function registerProcess(
  rootDir: string,
  env: Readonly<Record<string, string | undefined>>,
  agent = false,
): Promise<{ release(): Promise<void> }> {
  const folder = join(dirname(stateFolderFor(rootDir, env)), 'running');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}.json`);
  const running: Running = {
    pid: process.pid,
    started: (await startTimeOf(process.pid)) ?? '',
    rootDir: await realpath(rootDir),
    ...(agent ? { agent } : {}),
  };
  await writeFile(file, JSON.stringify(running));
  return { release: () => rm(file, { force: true }) };
}

/**
 * Ends every other Selfware process on the repository (`rootDir` null: on any), first by a signal, then by force.
 * Resolves with them when none is left. Never touches a process that reuses an id.
 */
export async function stopProcesses(
  rootDir: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Pick<Running, 'pid' | 'rootDir'>[]> {
  const folder = join(dirname(stateFolderFor(rootDir ?? '.', env)), 'running');
  const ended: Running[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const running = parsedJson(await readFile(join(folder, name), 'utf8').catch(() => '')) as Running | null;
    if (!running || running.pid === process.pid || (rootDir !== null && running.rootDir !== rootDir)) continue;
    if ((await startTimeOf(running.pid)) === running.started) {
      await endProcess(running);
      ended.push(running);
    }
    await rm(join(folder, name), { force: true });
  }
  return ended;
}

/** Ids of the running Selfware processes that serve agents, on any repository. */
export async function runningAgentServers(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly number[]> {
  const folder = join(dirname(stateFolderFor('.', env)), 'running');
  const found: number[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const running = parsedJson(await readFile(join(folder, name), 'utf8').catch(() => '')) as Running | null;
    if (running?.agent === true && (await startTimeOf(running.pid)) === running.started) found.push(running.pid);
  }
  return found;
}

async function endProcess({ pid, started }: Running): Promise<void> {
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < graceMs; waited += pollMs) {
    if ((await startTimeOf(pid)) !== started) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  process.kill(pid, 'SIGKILL');
}

/** The start time of the process, as the system reports it; null if there is none. */
async function startTimeOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (!stat) return null;
    // Field 22, counted after the name in parentheses, which may contain blanks itself (proc(5)); a zombie has ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  }
  if (process.platform === 'win32') return null;
  const answer = await promisify(execFile)(PS, ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  return answer?.stdout.trim() || null;
}
