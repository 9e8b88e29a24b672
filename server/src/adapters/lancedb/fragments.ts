// Decides whether compacting a table in a folder is worthwhile, because compaction rewrites every row.

import type { Table } from '@lancedb/lancedb';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Maximum number of files of a compact table. Up to this number, they are read as quickly as one file. */
const MAX_FRAGMENTS = 16;

/**
 * True if the table has at most `MAX_FRAGMENTS` files of rows and all of them are in use: no row was replaced or
 * removed, and no writer was killed.
 */
export async function isCompact(table: Table, location: string, name: string): Promise<boolean> {
  const { numFragments } = (await table.stats()).fragmentStats;
  if (numFragments > MAX_FRAGMENTS) return false;
  const folder = join(location, `${name}.lance`);
  return (
    (await countFiles(join(folder, 'data'))) === numFragments && (await countFiles(join(folder, '_deletions'))) === 0
  );
}

async function countFiles(folder: string): Promise<number> {
  try {
    return (await readdir(folder)).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
