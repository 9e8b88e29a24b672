// How much of the machine a command may use, and the part of these limits that the system enforces.

import { availableParallelism, release, totalmem } from 'node:os';

export interface Limits {
  /** Of all processes of a command together. */
  readonly memoryBytes: number;
  /** The system's free memory never falls below this because of a command. */
  readonly freeMemoryBytes: number;
  /** Processes and threads together. The system enforces twice as many, so that we end the command and say why. */
  readonly tasks: number;
  /** Of one file. */
  readonly fileBytes: number;
  /** What a command may add to the disk. */
  readonly diskBytes: number;
  /** The disk's free room never falls below this because of a command. */
  readonly freeDiskBytes: number;
  /** Written to standard output and standard error, kept or not. */
  readonly outputBytes: number;
}

/**
 * What limits the number of processes: a control group of the command, another limit of the kernel, or a process of
 * ours that counts them.
 */
export type TaskLimit = 'group' | 'kernel' | 'counted';

/**
 * The file on which a command line says that everything is set up, right before the command itself: what fails earlier
 * is no verdict.
 */
export const STARTED = 3;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/**
 * Wide enough for a type check of a large repository and a test runner with a worker a core; the machine stays usable.
 */
export function limitsOfMachine(): Limits {
  return {
    memoryBytes: Math.max(2 * GIB, Math.floor(totalmem() * 0.6)),
    freeMemoryBytes: Math.min(256 * MIB, Math.floor(totalmem() * 0.05)),
    tasks: 1024 + 64 * availableParallelism(),
    fileBytes: 4 * GIB,
    diskBytes: 8 * GIB,
    freeDiskBytes: 256 * MIB,
    outputBytes: 256 * MIB,
  };
}

/** What the system enforces, where it enforces a limit. */
export function mostTasks({ tasks }: Limits): number {
  return 2 * tasks;
}

/**
 * Lines for a POSIX shell that set the limits which the system enforces, for itself and what it starts. `own` = the
 * shell is in a user namespace of its own: elsewhere the number of tasks counts everything that the user runs (and
 * before Linux 5.14 it does there, too).
 */
export function limitLines(limits: Limits, own: boolean): readonly string[] {
  const lines = ['ulimit -c 0', `ulimit -f ${Math.floor(limits.fileBytes / 512)}`];
  // Who runs out of memory first is ended first.
  if (process.platform === 'linux') lines.push('{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null');
  // The letter differs between shells.
  const most = mostTasks(limits);
  if (own && isLinuxSince(5, 14)) lines.push(`{ ulimit -p ${most} || ulimit -u ${most}; } 2>/dev/null`);
  return [...lines.map((line) => `${line} || :`), `echo >&${STARTED}`, `exec ${STARTED}>&-`];
}

/** The command under these limits and nothing else. */
export function limited(command: readonly [string, ...string[]], limits: Limits): readonly [string, ...string[]] {
  if (process.platform === 'win32') return command;
  return ['/bin/sh', '-c', [...limitLines(limits, false), 'exec "$@"'].join('\n'), 'sh', ...command];
}

export function isLinuxSince(major: number, minor: number): boolean {
  const [ours = 0, minorOfOurs = 0] = release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return process.platform === 'linux' && (ours > major || (ours === major && minorOfOurs >= minor));
}
