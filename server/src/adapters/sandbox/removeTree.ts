// Removes a folder that commands have written into, in whatever state it is.

import { execFile } from 'node:child_process';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Follows no links. Does nothing if the folder is already gone. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await forceRemove(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // The tree is deeper than a path can be long: rm(1) descends step by step.
    if (code === 'ENAMETOOLONG' && process.platform !== 'win32')
      return void (await promisify(execFile)('/bin/rm', ['-rf', '--', folder]));
    if (!['EACCES', 'EPERM'].includes(code)) throw error;
    await openUp(folder);
    await forceRemove(folder);
  }
}

function forceRemove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/**
 * Tests leave folders behind that nobody may write to, and so does an overlay. The removal that failed may still be
 * removing what lies beside them, so an entry may vanish at any moment.
 */
async function openUp(folder: string): Promise<void> {
  try {
    if (!(await lstat(folder)).isDirectory()) return;
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isDirectory()) await openUp(join(folder, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
