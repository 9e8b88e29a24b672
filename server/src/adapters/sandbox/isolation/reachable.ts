// Tests by permission bits whether paths can be reached and folders entered. Root's power over the files of other users
// does not count, because root of a user namespace does not have it.

import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * True if this process's owner may enter every folder above `path`, by its permission bits only. `path` must be
 * absolute and contain no symbolic links.
 */
export async function isReachable(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!(await isEnterable(folder))) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** True if this process's owner may enter the folder, by its permission bits only. False if it is not a folder. */
export async function isEnterable(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) return false;
  // Windows has no such permission bits, and no mechanism that needs them.
  if (!process.getuid || !process.getgroups) return true;
  const shift = stats.uid === process.getuid() ? 6 : process.getgroups().includes(stats.gid) ? 3 : 0;
  return ((stats.mode >> shift) & 1) === 1;
}
