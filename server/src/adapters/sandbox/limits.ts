// Defines the resources of the machine that a command may use, and the part of these limits that the system enforces.

import { availableParallelism, release, totalmem } from 'node:os';
import { MIN_FREE_DISK_BYTES } from '../system/freeRoom.ts';

/** The limits of one command. */
export interface CommandLimits {
  /** Bytes of memory of all processes of a command together. */
  readonly memoryBytes: number;
  /** Bytes of free memory that a command must leave to the machine. */
  readonly freeMemoryBytes: number;
  /**
   * Maximum number of processes and threads together. The system enforces twice as many, so that Selfware ends the
   * command first and reports the reason.
   */
  readonly maxTasks: number;
  /** Maximum size of one file in bytes. */
  readonly fileBytes: number;
  /** Maximum number of bytes that a command may add to the disk. */
  readonly diskBytes: number;
  /** Bytes of free space that a command must leave on the disk. */
  readonly freeDiskBytes: number;
  /**
   * Maximum number of bytes that a command may write to standard output and standard error together. Selfware keeps
   * fewer of them.
   */
  readonly outputBytes: number;
  /**
   * A command that has written its last file (`RunRequest.lastFile`) is stopped after this many milliseconds without
   * output and work.
   */
  readonly silenceMs: number;
}

/**
 * The mechanism that limits the number of processes: a control group for the command, another limit of the kernel, or a
 * separate process that counts them.
 */
export type TaskLimit = 'group' | 'kernel' | 'counted';

/**
 * The file descriptor on which a command line reports that the set-up is complete, right before the command itself. An
 * earlier failure is not a verdict.
 */
export const STARTED_DESCRIPTOR = 3;

const BYTES_PER_MIB = 1024 ** 2;
const BYTES_PER_GIB = 1024 ** 3;

/**
 * The limits on this machine. They suffice for a type check of a large repository and for a test runner with a worker
 * per core, and leave the machine usable.
 */
export function computeMachineLimits(): CommandLimits {
  return {
    memoryBytes: Math.max(2 * BYTES_PER_GIB, Math.floor(totalmem() * 0.6)),
    freeMemoryBytes: Math.min(256 * BYTES_PER_MIB, Math.floor(totalmem() * 0.05)),
    maxTasks: 1024 + 64 * availableParallelism(),
    fileBytes: 4 * BYTES_PER_GIB,
    diskBytes: 8 * BYTES_PER_GIB,
    freeDiskBytes: MIN_FREE_DISK_BYTES,
    outputBytes: 256 * BYTES_PER_MIB,
    // A coverage tool may still read files after the tests.
    silenceMs: 30_000,
  };
}

/** The number of tasks that the system allows, if it enforces a limit. */
export function computeSystemTaskLimit({ maxTasks }: CommandLimits): number {
  return 2 * maxTasks;
}

/**
 * Lines for a POSIX shell that set the limits enforced by the system, for the shell and its children, and then report
 * that the set-up is complete. `hasOwnNamespace`: true if the shell is in its own user namespace. Only then, and from
 * Linux 5.14 on, is the number of tasks limited, because otherwise the limit would count all tasks of the user.
 */
export function createLimitLines(limits: CommandLimits, hasOwnNamespace: boolean): readonly string[] {
  const lines = ['ulimit -c 0', `ulimit -f ${Math.floor(limits.fileBytes / 512)}`];
  // If memory runs out, the kernel ends this process first.
  if (process.platform === 'linux') lines.push('{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null');
  // The letter of the option differs between shells.
  const taskLimit = computeSystemTaskLimit(limits);
  if (hasOwnNamespace && isLinuxSince(5, 14))
    lines.push(`{ ulimit -p ${taskLimit} || ulimit -u ${taskLimit}; } 2>/dev/null`);
  return [...lines.map((line) => `${line} || :`), `echo >&${STARTED_DESCRIPTOR}`, `exec ${STARTED_DESCRIPTOR}>&-`];
}

/** The command with these limits and no isolation; unchanged on Windows. */
export function limitCommand(
  command: readonly [string, ...string[]],
  limits: CommandLimits,
): readonly [string, ...string[]] {
  if (process.platform === 'win32') return command;
  return ['/bin/sh', '-c', [...createLimitLines(limits, false), 'exec "$@"'].join('\n'), 'sh', ...command];
}

/** True on Linux of this version or a later one. */
export function isLinuxSince(major: number, minor: number): boolean {
  const [kernelMajor = 0, kernelMinor = 0] = release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return process.platform === 'linux' && (kernelMajor > major || (kernelMajor === major && kernelMinor >= minor));
}
