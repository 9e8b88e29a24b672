// Ends the processes that a command started: its process group, and on Linux also those that left the group but carry
// our mark.

import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { windowsProgram } from '../system/systemPrograms.ts';

/** Environment variable that everything started in a sandbox inherits. */
export const MARK = 'SELFWARE_SANDBOX';

/** Sends a signal to a whole process group. False when nobody is left in it. */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    // There are no groups; the tree below the leader is ended by force.
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
    // EPERM is macOS's answer for a group of which only unreaped processes are left.
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}

/**
 * Kills every process whose mark starts with `mark`, because a daemon with a session of its own is in none of our
 * groups. Works if /proc exists; elsewhere only the group can be ended. Returns the number of ended processes.
 */
export async function endMarked(mark: string): Promise<number> {
  let ended = 0;
  // A process may fork between the scan and the kill; a few rounds find its children.
  for (let round = 0; round < 5; round += 1) {
    const found = await marked(mark);
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
export async function marked(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const wanted = Buffer.from(`${MARK}=${mark}`);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await environmentOf(name);
    const at = environment?.indexOf(wanted) ?? -1;
    if (
      environment &&
      at >= 0 &&
      (at === 0 || environment[at - 1] === 0) &&
      endsThere(environment, at + wanted.byteLength)
    )
      found.push(Number(name));
  }
  return found;
}

/** `a/1` matches the marks `a/1` and, given as `a`, all of `a/…`; never `a/12`. */
function endsThere(environment: Buffer, at: number): boolean {
  return at >= environment.byteLength || environment[at] === 0 || environment[at] === '/'.charCodeAt(0);
}

async function environmentOf(pid: string): Promise<Buffer | null> {
  try {
    return await readFile(`/proc/${pid}/environ`);
  } catch (error) {
    // Gone meanwhile, or somebody else's: not ours to end.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
