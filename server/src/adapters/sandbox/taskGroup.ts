// A control group of the kernel for one command (cgroups(7)): no more processes and threads can be started in it than
// it allows, whoever runs them. Only root is held by no other limit, and mostly only root may make such a group.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isInside } from './inside.ts';
import { mountsOfMachine } from './isolation/mountTable.ts';
import type { CommandLine } from './isolation/mechanism.ts';

const NAME = 'selfware';
const TRIAL_MS = 5_000;
/** Those who were ended leave the group a moment later. */
const CLOSING_TRIES = 20;
const CLOSING_MS = 10;
/** Between two readings somebody may have been started who was allowed to before. */
const ENDING_ROUNDS = 10;

export interface TaskGroup {
  /** The command line that runs `command` in the group. If the group cannot be entered, the command runs without. */
  around(command: CommandLine): CommandLine;
  /** Processes and threads in it, whichever namespace or session they are in. Null if the kernel does not say. */
  tasks(): number | null;
  /** Whether the kernel has refused to start somebody in it. A bomb may be smaller again by the time it is counted. */
  refused(): boolean;
  /** The processes in it. Null if the kernel does not say. */
  members(): readonly number[] | null;
  /** Ends everybody in it. Nobody can be started in it from then on. */
  end(): void;
  close(): Promise<void>;
}

/** Undefined = not looked for yet. */
let place: string | null | undefined;
let made = 0;

/** Whether groups can be made here; tried once per process. */
export function canGroupTasks(): boolean {
  place = place === undefined ? findPlace() : place;
  return place !== null;
}

/** Null where no group can be made. */
export function makeTaskGroup(most: number): TaskGroup | null {
  if (!canGroupTasks() || typeof place !== 'string') return null;
  made += 1;
  const folder = join(place, `${NAME}-${process.pid}-${made}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pids.max'), String(most));
  } catch {
    // The machine has changed its mind; what counts the processes is left.
    removed(folder);
    return null;
  }
  const members = () => {
    const text = orNull(() => readFileSync(join(folder, 'cgroup.procs'), 'utf8'));
    // A process of another namespace has the number 0.
    return (
      text
        ?.split('\n')
        .map(Number)
        .filter((pid) => pid > 1) ?? null
    );
  };
  return {
    members,
    around: (command) => [
      '/bin/sh',
      '-c',
      '{ echo $$ > "$0"; } 2> /dev/null || :; exec "$@"',
      join(folder, 'cgroup.procs'),
      ...command,
    ],
    tasks() {
      const count = orNull(() => Number(readFileSync(join(folder, 'pids.current'), 'utf8')));
      return count === null || Number.isNaN(count) ? null : count;
    },
    refused: () => /^max [1-9]/m.test(textOf(join(folder, 'pids.events'))),
    end() {
      orNull(() => writeFileSync(join(folder, 'pids.max'), '0'));
      for (let round = 0; round < ENDING_ROUNDS; round += 1) {
        const pids = members() ?? [];
        if (pids.length === 0) return;
        for (const pid of pids) orNull(() => process.kill(pid, 'SIGKILL'));
      }
    },
    async close() {
      for (let attempt = 0; attempt < CLOSING_TRIES; attempt += 1) {
        if (removed(folder)) return;
        await sleep(CLOSING_MS);
      }
    },
  };
}

/** The folder in which groups can be made, and limited. */
function findPlace(): string | null {
  if (process.platform !== 'linux') return null;
  const folder = ownGroup();
  if (folder === null || !works(folder)) return null;
  removeLeft(folder);
  return folder;
}

/** Never one above it: there a command would leave the limits that somebody has set for us. */
function ownGroup(): string | null {
  for (const line of textOf('/proc/self/cgroup').split('\n')) {
    const [number = '', controllers = '', ...path] = line.split(':');
    const isFirstVersion = controllers.split(',').includes('pids');
    if (!isFirstVersion && (number !== '0' || controllers !== '')) continue;
    const mount = mountsOfMachine().find(({ type, options }) =>
      isFirstVersion ? type === 'cgroup' && options.split(',').includes('pids') : type === 'cgroup2',
    );
    const own = path.join(':');
    if (mount !== undefined && isInside(mount.root, own)) return join(mount.point, relative(mount.root, own));
  }
  return null;
}

/** A process enters a group of its own, which counts it. */
function works(folder: string): boolean {
  const trial = join(folder, `${NAME}-${process.pid}-0`);
  const enter = 'echo $$ > "$0/cgroup.procs" && read -r count < "$0/pids.current" && [ "$count" -gt 0 ]';
  const answer = orNull(() => {
    mkdirSync(trial);
    writeFileSync(join(trial, 'pids.max'), '1');
    return spawnSync('/bin/sh', ['-c', enter, trial], { stdio: 'ignore', timeout: TRIAL_MS }).status;
  });
  removed(trial);
  return answer === 0;
}

/** Groups of processes of ours that have ended without closing them. The kernel removes none that is in use. */
function removeLeft(folder: string): void {
  for (const name of orNull(() => readdirSync(folder)) ?? []) {
    const pid = new RegExp(`^${NAME}-(\\d+)-\\d+$`).exec(name)?.[1];
    if (pid !== undefined && orNull(() => process.kill(Number(pid), 0)) === null) removed(join(folder, name));
  }
}

/** False while somebody is in it. */
function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  return orNull(() => readFileSync(file, 'utf8')) ?? '';
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    // Not there, not ours, or gone: all of these are answers here.
    return null;
  }
}
