// Follows the packages of npm's lock file from one package to those that it brings along.

import { DEPENDENCY_TABLES } from '../../model/dependencies.ts';
import { findPlace, type LockEntry } from '../../model/lockEntries.ts';
import { asObject } from '../manifest.ts';

const TABLES = [...DEPENDENCY_TABLES.filter((table) => table !== 'devDependencies'), 'peerDependencies'] as const;

/** The places that a package brings along, including its own. `start`: its place; empty if the lock file lacks it. */
export function findReached(entries: ReadonlyMap<string, LockEntry>, start: string): ReadonlySet<string> {
  const reachedPlaces = new Set<string>();
  const openPlaces = [start];
  for (let place = openPlaces.pop(); place !== undefined; place = openPlaces.pop()) {
    const entry = entries.get(place);
    if (entry === undefined || reachedPlaces.has(place)) continue;
    reachedPlaces.add(place);
    const { link, resolved } = entry;
    if (link === true && typeof resolved === 'string') openPlaces.push(resolved);
    const names = TABLES.flatMap((table) => Object.keys(asObject(entry[table])));
    openPlaces.push(...names.flatMap((name) => findPlace(entries, place, name) ?? []));
  }
  return reachedPlaces;
}
