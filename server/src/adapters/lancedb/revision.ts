// Detects whether a table in a folder is unchanged, by the names and sizes of its files: LanceDB never modifies a file
// that it has written.

import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The revision of a table; null if there is no such table, or if it changes while it is read. Detects lost, truncated
 * or added files, but not bytes that were changed in place.
 */
export async function readRevision(location: string, table: string): Promise<string | null> {
  const folder = join(location, `${table}.lance`);
  try {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    if (files.length === 0) return null;
    const lines = await Promise.all(
      files.map(
        async ({ parentPath, name }) =>
          `${join(parentPath, name).slice(folder.length)} ${(await stat(join(parentPath, name))).size}`,
      ),
    );
    return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
  } catch (error) {
    // There is no table yet, or another process is compacting it: either way the revision is unknown.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}
