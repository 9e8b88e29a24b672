// Ends the processes that a command has started: its process group, and on Linux also processes that left the group but
// carry the sandbox's mark.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { resolveWindowsProgram } from '../system/systemPrograms.ts';

/** Environment variable that all processes of a sandbox inherit. */
export const MARK_VARIABLE = 'SELFWARE_SANDBOX';

/** Maximum number of scans for marked processes. */
const MAX_ROUNDS = 5;
/** Number of processes whose environments are read before other work gets a turn. */
const PROCESSES_PER_TURN = 256;

/**
 * Sends a signal to a whole process group. Returns false if the group has no processes left; on Windows always true.
 */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    // Windows has no process groups, so the tree below the leader is stopped by force.
    spawn(resolveWindowsProgram('taskkill.exe'), ['/pid', String(leader), '/t', '/f'], {
      stdio: 'ignore',
      windowsHide: true,
    }).on('error', () => undefined);
    return true;
  }
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // macOS returns EPERM for a group with only unreaped processes.
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

/**
 * Kills every process with the mark `mark` or a mark below it (`a/1` is below `a`), because a daemon that has left its
 * process group is found only by its mark. Returns the number of killed processes; 0 on systems other than Linux, on
 * which only a process group can be stopped.
 */
export async function killMarkedProcesses(mark: string): Promise<number> {
  let killedCount = 0;
  // A process may fork between the scan and the kill; further rounds find its children.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const pids = await findMarkedProcesses(mark);
    if (pids.length === 0) break;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
        killedCount += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
  return killedCount;
}

/**
 * The ids of the processes with the mark `mark` or a mark below it, without this process; none on systems other than
 * Linux.
 */
export async function findMarkedProcesses(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const entry = `${MARK_VARIABLE}=${mark}`;
  const pids: number[] = [];
  for (const [index, name] of readdirSync('/proc').filter(isNumber).entries()) {
    // On a machine with thousands of processes, other work gets a turn in between.
    if (index % PROCESSES_PER_TURN === PROCESSES_PER_TURN - 1) await setImmediate();
    if (Number(name) !== process.pid && hasMark(readEnvironment(name), entry)) pids.push(Number(name));
  }
  return pids;
}

/**
 * True if the environment has the mark in `entry`, or a mark below it: `a` matches the marks `a` and `a/1`, and `a/1`
 * does not match `a/12`.
 */
function hasMark(environment: string, entry: string): boolean {
  return environment.split('\0').some((variable) => variable === entry || variable.startsWith(`${entry}/`));
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/**
 * The variables of a process as one text. It is read synchronously, because awaiting hundreds of them takes ten times
 * as much processor time, and as text, because a buffer for each makes the garbage collector run all the time. Empty if
 * the process has ended in the meantime, or belongs to another user.
 */
function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
