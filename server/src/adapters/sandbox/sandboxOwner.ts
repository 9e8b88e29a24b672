// Identifies the process that made a sandbox by its id and its start time, because ids are reused.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PS_PATH } from '../system/systemPrograms.ts';

/** The process that made a sandbox, as it is stored in the owner file. */
interface Owner {
  readonly pid: number;
  /** The start time of the process, in a form that is only compared; null if the system does not report it. */
  readonly started: string | null;
}

const OWNER_FILE = 'owner.json';

/** Writes this process into the sandbox's folder as its owner. */
export async function writeOwner(folder: string): Promise<void> {
  const owner: Owner = { pid: process.pid, started: await readStartTime(process.pid) };
  await writeFile(join(folder, OWNER_FILE), JSON.stringify(owner));
}

/**
 * The state of the process that made the sandbox. `unknown`: there is no complete owner file, because it has not been
 * written yet or was cut off.
 */
export async function readOwnerState(folder: string): Promise<'alive' | 'gone' | 'unknown'> {
  const owner = await readOwner(folder);
  if (!owner) return 'unknown';
  if (!isRunning(owner.pid)) return 'gone';
  return owner.started === null || owner.started === (await readStartTime(owner.pid)) ? 'alive' : 'gone';
}

async function readOwner(folder: string): Promise<Owner | null> {
  let text: string;
  try {
    text = await readFile(join(folder, OWNER_FILE), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  try {
    const owner = JSON.parse(text) as Partial<Owner>;
    return typeof owner.pid === 'number' && owner.pid > 0 ? { pid: owner.pid, started: owner.started ?? null } : null;
  } catch (error) {
    // The file was cut off while it was written.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function readStartTime(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return readLinuxStartTime(pid);
  if (process.platform === 'win32') return null;
  const { stdout } = await promisify(execFile)(PS_PATH, ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() || null;
}

/** Clock ticks since boot (field 22 of proc(5) stat), with the id of that boot. */
async function readLinuxStartTime(pid: number): Promise<string | null> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The second field, the program's name, may contain spaces and parentheses.
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot.trim()} ${afterName[19]}`;
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
