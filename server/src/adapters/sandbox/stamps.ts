// Tells whether files are unchanged without reading them, by what the file system records of every change.

import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * By path relative to a folder. Whoever may write a file can set its times but one: the time of its last change (ctime,
 * inode(7)).
 */
export type Stamps = ReadonlyMap<string, string>;

/** Entries at one go, so that the thread stays responsive. */
const AT_ONCE = 256;

/** Of everything in a folder, links not followed. */
export async function stampsBelow(folder: string): Promise<Stamps> {
  const stamps = new Map<string, string>();
  const queue = [''];
  let seen = 0;
  for (let below = queue.pop(); below !== undefined; below = queue.pop()) {
    for (const name of readdirSync(join(folder, below))) {
      seen += 1;
      if (seen % AT_ONCE === 0) await turn();
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(folder, path), { bigint: true });
      stamps.set(path, stampOf(stat));
      if (stat.isDirectory()) queue.push(path);
    }
  }
  return stamps;
}

/** Of these files below a folder; those that are not there are left out. */
export async function stampsOf(folder: string, paths: readonly string[]): Promise<Stamps> {
  const stamps = new Map<string, string>();
  for (const [at, path] of paths.entries()) {
    if (at % AT_ONCE === 0) await turn();
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    if (stat) stamps.set(path, stampOf(stat));
  }
  return stamps;
}

/** A folder changes with every entry that comes and goes; these are told one by one, so its own times do not count. */
function stampOf(stat: BigIntStats): string {
  if (stat.isDirectory()) return `folder ${stat.mode}`;
  return `${stat.dev} ${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.nlink}`;
}
