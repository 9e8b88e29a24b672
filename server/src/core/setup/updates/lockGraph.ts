// Follows the packages of npm's lock file from one package to those that it brings along.

import { DEPENDENCY_TABLES } from '../../model/dependencies.ts';
import { findPlace, type LockEntry } from '../../model/lockEntries.ts';
import { asObject } from '../manifest.ts';

/** Fields of an entry that name the packages which it needs. */
const NEEDED_TABLES = [
  ...DEPENDENCY_TABLES.filter((table) => table !== 'devDependencies'),
  'peerDependencies',
] as const;

/**
 * The places of a package and of all packages that it brings along. Empty if the lock file lacks the package. `start`:
 * the place of the package.
 */
export function findReached(entries: ReadonlyMap<string, LockEntry>, start: string): ReadonlySet<string> {
  const reachedPlaces = new Set<string>();
  const openPlaces = [start];
  for (let place = openPlaces.pop(); place !== undefined; place = openPlaces.pop()) {
    const entry = entries.get(place);
    if (entry === undefined || reachedPlaces.has(place)) continue;
    reachedPlaces.add(place);
    const { link, resolved } = entry;
    if (link === true && typeof resolved === 'string') openPlaces.push(resolved);
    const names = NEEDED_TABLES.flatMap((table) => Object.keys(asObject(entry[table])));
    openPlaces.push(...names.flatMap((name) => findPlace(entries, place, name) ?? []));
  }
  return reachedPlaces;
}
