// Detects unchanged files without reading them, by the file system's record of every change.

import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * Stamps by path relative to a folder. A process that can write a file can set all of its times except the time of the
 * last change (ctime, inode(7)).
 */
export type Stamps = ReadonlyMap<string, string>;

/** Number of entries that are read before other work gets a turn. It is small, so that the thread stays responsive. */
const ENTRIES_PER_TURN = 256;

/** Stamps of everything in a folder; links are not followed. */
export async function collectStamps(folder: string): Promise<Stamps> {
  const stamps = new Map<string, string>();
  const queue = [''];
  let count = 0;
  for (let relativeFolder = queue.pop(); relativeFolder !== undefined; relativeFolder = queue.pop()) {
    for (const name of readdirSync(join(folder, relativeFolder))) {
      count += 1;
      if (count % ENTRIES_PER_TURN === 0) await turn();
      const path = relativeFolder === '' ? name : `${relativeFolder}/${name}`;
      const stat = lstatSync(join(folder, path), { bigint: true });
      stamps.set(path, formatStamp(stat));
      if (stat.isDirectory()) queue.push(path);
    }
  }
  return stamps;
}

/** Stamps of these files below a folder; missing files are skipped. */
export async function readStamps(folder: string, paths: readonly string[]): Promise<Stamps> {
  const stamps = new Map<string, string>();
  for (const [index, path] of paths.entries()) {
    if (index % ENTRIES_PER_TURN === 0) await turn();
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    if (stat) stamps.set(path, formatStamp(stat));
  }
  return stamps;
}

/**
 * The stamp of an entry: it changes whenever the entry does. The times of a folder are not used, because they change
 * with its entries, which have stamps of their own.
 */
function formatStamp(stat: BigIntStats): string {
  if (stat.isDirectory()) return `folder ${stat.mode}`;
  return `${stat.dev} ${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.nlink}`;
}
