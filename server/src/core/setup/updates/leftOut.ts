// Finds the packages about which no registry is asked, because the lock file has them from another host: their names may
// be private, and the registry of the repository may stand in settings that are not read.

import type { LeftOutPackage } from '../../model/dependencies.ts';
import { readLockEntries } from '../../model/lockEntries.ts';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { asObject } from '../manifest.ts';
import { hostsOf } from './lockChanges.ts';
import { registryOf, type NpmSettings } from './npmSettings.ts';

/** npm takes this host in a lock file for the registry that is configured. */
const STANDS_FOR_ANY = 'registry.npmjs.org';

/** The packages of a lock file that come from another host than the one that would be asked, sorted by name. */
export function findLeftOut(lock: string, settings: NpmSettings): readonly LeftOutPackage[] {
  const found = new Map<string, string>();
  for (const [place, entry] of readLockEntries(lock)) {
    const name = nameAt(place, entry['name']);
    const [host = STANDS_FOR_ANY] = entry['link'] === true ? [] : hostsOf(entry);
    if (name === null || host === STANDS_FOR_ANY) continue;
    const registry = registryOf(name, settings);
    // A registry that cannot be asked is refused as a whole.
    if (registry.problem === null && registry.host !== host) found.set(name, host);
  }
  return [...found].map(([name, host]) => ({ name, host })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lock file without these packages, for a question that sends all of it. */
export function leaveOutOfLock(lock: string, leftOut: readonly LeftOutPackage[]): string {
  const names = new Set(leftOut.map(({ name }) => name));
  const parsed = asObject(parseJsonOrNull(lock));
  const packages = Object.entries(asObject(parsed['packages'])).filter(([place, entry]) => {
    const name = nameAt(place, asObject(entry)['name']);
    return name === null || !names.has(name);
  });
  const { dependencies, ...rest } = parsed;
  // Format 2 repeats all packages as `dependencies`; format 1 has nothing else.
  return JSON.stringify(
    'packages' in rest
      ? { ...rest, packages: Object.fromEntries(packages) }
      : { ...rest, dependencies: leaveOutOfTree(dependencies, names) },
  );
}

function leaveOutOfTree(tree: unknown, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const kept = Object.entries(asObject(tree)).filter(([name]) => !names.has(name));
  return Object.fromEntries(
    kept.map(([name, entry]) => {
      const { dependencies, ...rest } = asObject(entry);
      return [name, dependencies === undefined ? rest : { ...rest, dependencies: leaveOutOfTree(dependencies, names) }];
    }),
  );
}

/** The name in the registry of the package at a place; null for a folder of the repository. */
function nameAt(place: string, alias: unknown): string | null {
  const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1] ?? null;
  return name !== null && typeof alias === 'string' ? alias : name;
}
