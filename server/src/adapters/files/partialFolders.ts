// Handles folders that are being filled, or that a killed process has left half full.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Age in milliseconds after which no process still fills a folder. */
const ABANDONED_MS = 24 * 3_600_000;

/** True if the folder is so old that no process still fills it. False for a folder that does not exist. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > ABANDONED_MS;
}

/** Removes the folders in `parent` that are no longer in use and whose names contain `mark`. */
export async function removeAbandonedFolders(parent: string, mark: string): Promise<void> {
  for (const name of await readdir(parent))
    if (name.includes(mark) && (await isAbandoned(join(parent, name))))
      await rm(join(parent, name), { recursive: true, force: true });
}
