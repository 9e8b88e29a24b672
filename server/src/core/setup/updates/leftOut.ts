// Finds the packages about which no registry is asked, because the lock file downloads them from another host. Their
// names may be private, and settings that Selfware does not read may name another registry for them.

import type { LeftOutPackage } from '../../model/dependencies.ts';
import { readLockEntries } from '../../model/lockEntries.ts';
import { listEntryHosts } from './lockChanges.ts';
import { findRegistry, type NpmSettings } from './npmSettings.ts';

/** In a lock file, npm treats this host as a placeholder for the configured registry. */
const PLACEHOLDER_HOST = 'registry.npmjs.org';

/** The packages of a lock file that come from a host other than the one that would be asked, sorted by name. */
export function findLeftOut(lock: string, settings: NpmSettings): readonly LeftOutPackage[] {
  const hostByName = new Map<string, string>();
  for (const [place, entry] of readLockEntries(lock)) {
    const name = findRegistryName(place, entry['name']);
    const [host = PLACEHOLDER_HOST] = entry['link'] === true ? [] : listEntryHosts(entry);
    if (name === null || host === PLACEHOLDER_HOST) continue;
    const registry = findRegistry(name, settings);
    // A registry that cannot be asked makes the complete look-up fail elsewhere.
    if (registry.problem === null && registry.host !== host) hostByName.set(name, host);
  }
  return [...hostByName].map(([name, host]) => ({ name, host })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The name under which a registry knows the package at a place; null for a folder of the repository. `alias`: the field
 * `name` of the entry.
 */
export function findRegistryName(place: string, alias: unknown): string | null {
  const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1] ?? null;
  return name !== null && typeof alias === 'string' ? alias : name;
}
