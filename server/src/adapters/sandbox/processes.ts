// Ends the processes that a command has started: its process group, and on Linux also processes that left the group but
// carry the sandbox's mark.

import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { windowsProgram } from '../system/systemPrograms.ts';

/** Environment variable that all processes of a sandbox inherit. */
export const MARK = 'SELFWARE_SANDBOX';

/** Sends a signal to a whole process group. False if the group has no processes left. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    // Windows has no process groups, so the tree below the leader is ended by force.
    spawn(windowsProgram('taskkill.exe'), ['/pid', String(leader), '/t', '/f'], {
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
 * Kills every process whose mark starts with `mark`, because a daemon in its own session is in no known group. Works if
 * /proc exists; elsewhere only the group can be ended. Returns the number of ended processes.
 */
export async function endMarked(mark: string): Promise<number> {
  let ended = 0;
  // A process may fork between the scan and the kill; further rounds find its children.
  for (let round = 0; round < 5; round += 1) {
    const found = await markedProcesses(mark);
    if (found.length === 0) break;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
        ended += 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
  return ended;
}

/** Processes whose mark starts with `mark`; none without /proc. */
export async function markedProcesses(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const markBytes = Buffer.from(`${MARK}=${mark}`);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await environmentOf(name);
    const at = environment?.indexOf(markBytes) ?? -1;
    if (
      environment &&
      at >= 0 &&
      (at === 0 || environment[at - 1] === 0) &&
      endsMark(environment, at + markBytes.byteLength)
    )
      found.push(Number(name));
  }
  return found;
}

/**
 * True if the mark, or one of its parts, ends here: `a/1` matches `a/1`, and `a` all of `a/…`; `a/1` never matches
 * `a/12`.
 */
function endsMark(environment: Buffer, at: number): boolean {
  return at >= environment.byteLength || environment[at] === 0 || environment[at] === '/'.charCodeAt(0);
}

async function environmentOf(pid: string): Promise<Buffer | null> {
  try {
    return await readFile(`/proc/${pid}/environ`);
  } catch (error) {
    // The process has ended in the meantime, or belongs to another user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
