// Decides whether compacting a table in a folder is worthwhile, because compaction rewrites every row.

import type { Table } from '@lancedb/lancedb';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** This many files are read as quickly as one. */
const FEW = 16;

/** True if there are few files of rows, all in use: nothing was replaced or removed, and no writer was killed. */
export async function isCompact(table: Table, place: string, name: string): Promise<boolean> {
  const { numFragments } = (await table.stats()).fragmentStats;
  if (numFragments > FEW) return false;
  const folder = join(place, `${name}.lance`);
  return (await filesIn(join(folder, 'data'))) === numFragments && (await filesIn(join(folder, '_deletions'))) === 0;
}

async function filesIn(folder: string): Promise<number> {
  try {
    return (await readdir(folder)).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
