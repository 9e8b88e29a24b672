// Creates a control group of the kernel for one command (cgroups(7)), which limits the number of processes and threads
// for every user. No other limit applies to root, and usually only root can create such a group.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isInside } from './isInside.ts';
import { readMounts } from './isolation/mountTable.ts';
import type { CommandLine } from './isolation/mechanism.ts';

/** The start of the names of Selfware's groups. */
const NAME_PREFIX = 'selfware';
/** Maximum number of milliseconds for a trial process. */
const TRIAL_MS = 5_000;
/** Number of tries to remove a group. Processes leave it a moment after they have ended. */
const CLOSING_TRIES = 20;
/** Milliseconds between two tries to remove a group. */
const CLOSING_MS = 10;
/**
 * Maximum number of times that the processes of a group are listed and ended. One that the kernel had already permitted
 * may start between two readings.
 */
const ENDING_ROUNDS = 10;

/** The control group of one command. */
export interface TaskGroup {
  /** The command line that runs `command` in the group. If the group cannot be entered, the command runs without it. */
  wrap(command: CommandLine): CommandLine;
  /**
   * Number of processes and threads in the group, in any namespace or session. Null if the kernel does not report it.
   */
  countTasks(): number | null;
  /**
   * True if the kernel has ever refused to start a process in the group. This shows a fork bomb even if it has shrunk
   * by the time its processes are counted.
   */
  hasRefused(): boolean;
  /**
   * The ids of the processes in the group that are visible to this process. Null if the kernel does not report them.
   */
  members(): readonly number[] | null;
  /** Ends all processes in the group. No process can be started in it afterwards. */
  end(): void;
  /** Removes the group once its processes have ended. Gives up after `CLOSING_TRIES` tries. */
  close(): Promise<void>;
}

/** The folder in which groups can be created; null if there is none, undefined if not determined yet. */
let groupsFolder: string | null | undefined;
let groupCount = 0;

/** True if groups can be created here; tested once per process. */
export function canGroupTasks(): boolean {
  groupsFolder = groupsFolder === undefined ? findGroupsFolder() : groupsFolder;
  return groupsFolder !== null;
}

/** Creates a group for at most this many processes and threads. Null if no group can be created. */
export function makeTaskGroup(limit: number): TaskGroup | null {
  if (!canGroupTasks() || typeof groupsFolder !== 'string') return null;
  groupCount += 1;
  const folder = join(groupsFolder, `${NAME_PREFIX}-${process.pid}-${groupCount}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pids.max'), String(limit));
  } catch {
    // The group can no longer be limited, so only counting the processes is left.
    removeGroup(folder);
    return null;
  }
  const listMembers = () => {
    const text = nullIfUnreadable(() => readFileSync(join(folder, 'cgroup.procs'), 'utf8'));
    // A process of another namespace has the number 0.
    return (
      text
        ?.split('\n')
        .map(Number)
        .filter((pid) => pid > 1) ?? null
    );
  };
  return {
    members: listMembers,
    wrap: (command) => [
      '/bin/sh',
      '-c',
      '{ echo $$ > "$0"; } 2> /dev/null || :; exec "$@"',
      join(folder, 'cgroup.procs'),
      ...command,
    ],
    countTasks() {
      const count = nullIfUnreadable(() => Number(readFileSync(join(folder, 'pids.current'), 'utf8')));
      return count === null || Number.isNaN(count) ? null : count;
    },
    hasRefused: () => /^max [1-9]/m.test(readText(join(folder, 'pids.events'))),
    end() {
      nullIfUnreadable(() => writeFileSync(join(folder, 'pids.max'), '0'));
      for (let round = 0; round < ENDING_ROUNDS; round += 1) {
        const pids = listMembers() ?? [];
        if (pids.length === 0) return;
        for (const pid of pids) nullIfUnreadable(() => process.kill(pid, 'SIGKILL'));
      }
    },
    async close() {
      for (let attempt = 0; attempt < CLOSING_TRIES; attempt += 1) {
        if (removeGroup(folder)) return;
        await sleep(CLOSING_MS);
      }
    },
  };
}

/** The folder in which groups can be created and limited; null if there is none. */
function findGroupsFolder(): string | null {
  if (process.platform !== 'linux') return null;
  const folder = findGroupOfProcess();
  if (folder === null || !canLimitIn(folder)) return null;
  removeAbandoned(folder);
  return folder;
}

/**
 * The folder of this process's own group, in the first or second version of control groups; null if it is unknown.
 * Groups are created in it and not above it, because a command there would escape the limits of this process.
 */
function findGroupOfProcess(): string | null {
  for (const line of readText('/proc/self/cgroup').split('\n')) {
    const [number = '', controllers = '', ...path] = line.split(':');
    const isCgroupV1 = controllers.split(',').includes('pids');
    if (!isCgroupV1 && (number !== '0' || controllers !== '')) continue;
    const mount = readMounts().find(({ type, options }) =>
      isCgroupV1 ? type === 'cgroup' && options.split(',').includes('pids') : type === 'cgroup2',
    );
    const groupPath = path.join(':');
    if (mount !== undefined && isInside(mount.root, groupPath))
      return join(mount.mountPoint, relative(mount.root, groupPath));
  }
  return null;
}

/** True if groups can be limited in the folder: a process enters a new group, which must count it. */
function canLimitIn(folder: string): boolean {
  const trial = join(folder, `${NAME_PREFIX}-${process.pid}-0`);
  const enterScript = 'echo $$ > "$0/cgroup.procs" && read -r count < "$0/pids.current" && [ "$count" -gt 0 ]';
  const answer = nullIfUnreadable(() => {
    mkdirSync(trial);
    writeFileSync(join(trial, 'pids.max'), '1');
    return spawnSync('/bin/sh', ['-c', enterScript, trial], { stdio: 'ignore', timeout: TRIAL_MS }).status;
  });
  removeGroup(trial);
  return answer === 0;
}

/**
 * Removes groups of Selfware processes that have ended without closing them. The kernel does not remove a group in use.
 */
function removeAbandoned(folder: string): void {
  for (const name of nullIfUnreadable(() => readdirSync(folder)) ?? []) {
    const pid = new RegExp(`^${NAME_PREFIX}-(\\d+)-\\d+$`).exec(name)?.[1];
    if (pid !== undefined && nullIfUnreadable(() => process.kill(Number(pid), 0)) === null)
      removeGroup(join(folder, name));
  }
}

/** Removes a group. Returns false if it cannot be removed, for example while it has processes. */
function removeGroup(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function readText(file: string): string {
  return nullIfUnreadable(() => readFileSync(file, 'utf8')) ?? '';
}

function nullIfUnreadable<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    // The file is missing, not permitted, or already removed. Callers handle all of these.
    return null;
  }
}
