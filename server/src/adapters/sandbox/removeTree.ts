// Removes a folder into which commands have written, whatever its permissions.

import { execFile } from 'node:child_process';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Removes a folder without following links. Does nothing if the folder does not exist. Throws the errors of the system.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await forceRemove(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // The tree is deeper than the longest path, so rm(1) is used, which descends step by step.
    if (code === 'ENAMETOOLONG' && process.platform !== 'win32')
      return void (await promisify(execFile)('/bin/rm', ['-rf', '--', folder]));
    if (!['EACCES', 'EPERM'].includes(code)) throw error;
    await makeWritable(folder);
    await forceRemove(folder);
  }
}

function forceRemove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/**
 * Makes a folder and those in it writable, because tests and overlays leave folders without write permission. The
 * failed removal may still be removing neighbouring entries, so an entry may vanish at any moment.
 */
async function makeWritable(folder: string): Promise<void> {
  try {
    if (!(await lstat(folder)).isDirectory()) return;
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
