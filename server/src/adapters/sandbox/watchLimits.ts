// Checks regularly how much of the machine a command uses, for the limits that no system call enforces for a whole
// group.

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { freemem } from 'node:os';
import { promisify } from 'node:util';
import type { CommandLimits } from './limits.ts';
import { findMarkedProcesses } from './processes.ts';
import { readProcFile } from './procFile.ts';
import type { TaskGroup } from './taskGroup.ts';
import { measureFreeRoom } from '../system/freeRoom.ts';
import { PS_PATH } from '../system/systemPrograms.ts';

/** Milliseconds between two checks. */
const CHECK_EVERY_MS = 250;
/** Number of checks for one check of the disk, which takes longer. */
const CHECKS_PER_DISK_CHECK = 4;
/**
 * Number of checks for one reading of all processes of the machine, which costs most. They are also read if many new
 * processes exist or much free memory is gone.
 */
const CHECKS_PER_PROCESS_LIST = 8;
/**
 * A command that uses less than its limit of memory divided by this number is not the reason why the machine has no
 * memory left.
 */
const MIN_SHARE_OF_OWN = 8;
/** Number of new processes on the machine from which on all processes are read immediately. */
const MANY_NEW_PROCESSES = 32;

/** A process of the machine, with the ids of its parent and its process group, and its number of threads. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly taskCount: number;
}

/** The command that is watched. */
export interface WatchedCommand {
  /** Id of the process that leads the command's process group. */
  readonly leader: number;
  /** The mark in the environment of the command's processes. */
  readonly mark: string;
  /** The control group in which the kernel counts the command's processes and threads; null if there is none. */
  readonly group: TaskGroup | null;
  /** A folder on the disk that the command may fill. */
  readonly folder: string;
}

/**
 * A limit that was exceeded. `text`: what the command took, as the end of a sentence. `machineShortage`: set if the machine
 * has too little left for everything that runs on it, which may say nothing about the command. `wasShort`: true if the
 * machine had little when the command began. `isOwn`: true if the command itself has used most of what is gone, which
 * is known only for memory.
 */
export interface ExceededLimit {
  readonly text: string;
  readonly machineShortage?: {
    readonly resource: 'disk' | 'memory';
    readonly wasShort: boolean;
    readonly isOwn: boolean;
  };
}

/**
 * Calls `onExceeded` once, with the limit, when the processes of the command together use too much of the machine, its
 * disk included. These are the processes of its control group or, without one, those below `leader` and those with its
 * mark. Returns a function that ends the watch.
 */
export function watchLimits(
  { leader, mark, group, folder }: WatchedCommand,
  limits: CommandLimits,
  onExceeded: (limit: ExceededLimit) => void,
): () => void {
  let checkCount = 0;
  let isChecking = false;
  let isStopped = false;
  let freeDiskAtStart: number | null = null;
  const freeAtStart = freemem();
  let previous = { count: 0, free: 0 };
  const timer = setInterval(() => {
    // A fork bomb can keep a check that waits for a thread from ending, so this one waits for nothing.
    if (hasTooManyTasks()) {
      stop();
      onExceeded({ text: formatTaskLimitText(limits) });
      return;
    }
    if (isChecking) return;
    isChecking = true;
    void check().then(
      (limit) => {
        isChecking = false;
        if (limit === null || isStopped) return;
        stop();
        onExceeded(limit);
      },
      // For instance, file handles may have run out; the next check makes up for it.
      () => (isChecking = false),
    );
  }, CHECK_EVERY_MS);
  timer.unref();
  return stop;

  function stop(): void {
    isStopped = true;
    clearInterval(timer);
  }

  async function check(): Promise<ExceededLimit | null> {
    checkCount += 1;
    return (await checkProcesses()) ?? (checkCount % CHECKS_PER_DISK_CHECK === 1 ? checkDisk() : null);
  }

  function hasTooManyTasks(): boolean {
    return group !== null && (group.hasRefused() || (group.countTasks() ?? 0) > limits.maxTasks);
  }

  async function checkProcesses(): Promise<ExceededLimit | null> {
    const current = { count: countProcesses(), free: freemem() };
    if (
      checkCount % CHECKS_PER_PROCESS_LIST !== 1 &&
      current.count - previous.count < MANY_NEW_PROCESSES &&
      previous.free - current.free < limits.memoryBytes / 8
    )
      return null;
    previous = current;
    // Reading all processes of the machine costs more than all other checks, so it is the last resort.
    const groupMembers = group?.members() ?? [];
    // A group that could not be entered is empty.
    const members =
      groupMembers.length === 0
        ? findProcessesBelow([leader, ...(await findMarkedProcesses(mark))], await findProcesses())
        : [];
    const tasks = members.reduce((sum, { taskCount: memberTasks }) => sum + memberTasks, 0);
    if (tasks > limits.maxTasks) return { text: formatTaskLimitText(limits) };
    const pids = [...groupMembers, ...members.map(({ pid }) => pid)];
    const bytes = (await Promise.all(pids.map(readMemory))).reduce((sum, processBytes) => sum + processBytes, 0);
    return findMemoryLimit({ bytes, freeAtStart, free: freemem() }, limits);
  }

  async function checkDisk(): Promise<ExceededLimit | null> {
    const freeBytes = await measureFreeRoom(folder);
    if (freeBytes === null) return null;
    freeDiskAtStart ??= freeBytes;
    if (freeDiskAtStart - freeBytes > limits.diskBytes)
      return { text: `more than ${formatGigabytes(limits.diskBytes)} on the disk` };
    const wasShort = freeDiskAtStart < 2 * limits.freeDiskBytes;
    return freeBytes < limits.freeDiskBytes && freeDiskAtStart > freeBytes
      ? { text: 'the last free room on the disk', machineShortage: { resource: 'disk', wasShort, isOwn: false } }
      : null;
  }
}

/**
 * The limit of memory that was exceeded; null if none was. All numbers are bytes. `usedBytes`: the memory of the command's
 * processes. `freeAtStart`: the machine's free memory when the command began; `free`: now.
 */
export function findMemoryLimit(
  {
    bytes: usedBytes,
    freeAtStart,
    free,
  }: { readonly bytes: number; readonly freeAtStart: number; readonly free: number },
  { memoryBytes, freeMemoryBytes }: Pick<CommandLimits, 'memoryBytes' | 'freeMemoryBytes'>,
): ExceededLimit | null {
  if (usedBytes > memoryBytes) return { text: `more than ${formatGigabytes(memoryBytes)} of memory` };
  // Memory of unnamed files and shared memory belongs to no process.
  if (free >= freeMemoryBytes) return null;
  const wasShort = freeAtStart < 2 * freeMemoryBytes;
  const isOwn = usedBytes >= memoryBytes / MIN_SHARE_OF_OWN && usedBytes >= (freeAtStart - free) / 2;
  return { text: 'the last free memory of the machine', machineShortage: { resource: 'memory', wasShort, isOwn } };
}

/**
 * All descendants of the leaders and members of their groups; children of ended processes are still in the group. A
 * container's processes are children of its daemon.
 */
function findProcessesBelow(leaders: readonly number[], processes: readonly Process[]): readonly Process[] {
  const children = new Map<number, Process[]>();
  for (const entry of processes) children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry]);
  const descendants = new Map<number, Process>();
  const queue = processes.filter(({ pid, group }) => leaders.includes(pid) || leaders.includes(group));
  for (let currentProcess = queue.pop(); currentProcess; currentProcess = queue.pop()) {
    if (descendants.has(currentProcess.pid)) continue;
    descendants.set(currentProcess.pid, currentProcess);
    queue.push(...(children.get(currentProcess.pid) ?? []));
  }
  return [...descendants.values()];
}

/** The approximate number of processes; 0 on systems where counting costs as much as reading all processes. */
function countProcesses(): number {
  return process.platform === 'linux' ? readdirSync('/proc').length : 0;
}

async function findProcesses(): Promise<readonly Process[]> {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(readProcess)
      .filter((candidate) => candidate !== null);
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)(PS_PATH, ['-axo', 'pid=,ppid=,pgid='], { maxBuffer: 16 * 1024 * 1024 });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((fields) => fields.length === 3)
    .map(([pid = 0, parent = 0, group = 0]) => ({ pid, parent, group, taskCount: 1 }));
}

/**
 * Reads a process from proc(5) stat; null if it has ended. The second field, the program's name, may contain spaces and
 * parentheses.
 */
function readProcess(pid: string): Process | null {
  const stat = readProcFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === ''
    ? null
    : { pid: Number(pid), parent: Number(fields[1]), group: Number(fields[2]), taskCount: Number(fields[17]) };
}

/**
 * Bytes of memory of a process; 0 if it has ended. On Linux, only its anonymous memory counts, because pages of files
 * and shared pages would be counted once for each process.
 */
async function readMemory(pid: number): Promise<number> {
  if (process.platform === 'linux')
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readProcFile(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
  const { stdout } = await promisify(execFile)(PS_PATH, ['-o', 'rss=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return (Number(stdout.trim()) || 0) * 1024;
}

/** The end of a sentence that reports too many processes. */
export function formatTaskLimitText({ maxTasks }: CommandLimits): string {
  return `more than ${maxTasks} processes`;
}

function formatGigabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 ** 3) * 10) / 10} GB`;
}
