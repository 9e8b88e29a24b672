// Measures the free room on the disks of this machine.

import { statfs } from 'node:fs/promises';

/** Below this many bytes of free room on its disk, a command of the repository is ended. */
export const MIN_FREE_DISK_BYTES = 256 * 1024 ** 2;

/**
 * The bytes of free room on the disk of the folder; null if the folder does not exist. Throws other errors of the
 * system.
 */
export async function measureFreeRoom(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    // The folder was removed while a command was being cancelled.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
