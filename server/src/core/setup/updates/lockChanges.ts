// Lists the packages that differ between two texts of npm's lock file.

import type { LockChanges } from '../../model/dependencies.ts';
import { findAlteredEntries, readLockEntries, type LockEntry as Entry } from '../../model/lockEntries.ts';

/**
 * The packages that an update adds, removes and changes, and the entries that it alters at an unchanged version, sorted
 * by place. `registries`: hosts that are asked in any case, even if a lock file does not name them.
 */
export function compareLocks(before: string, after: string, registries: readonly string[]): LockChanges {
  const [old, current] = [readPackages(before), readPackages(after)];
  const places = [...new Set([...old.keys(), ...current.keys()])].sort();
  const oldHosts = new Set([...registries, ...[...old.values()].flatMap(hostsOf)]);
  const pick = (choose: (place: string, from: Entry | undefined, to: Entry | undefined) => boolean) =>
    places.filter((place) => choose(place, old.get(place), current.get(place)));
  const isNew = (from: Entry | undefined, to: Entry | undefined) =>
    to !== undefined && (from === undefined || versionOf(from) !== versionOf(to));
  const newPlaces = pick((_, from, to) => isNew(from, to));
  const locked = (packages: ReadonlyMap<string, Entry>) => (place: string) => ({
    place,
    version: versionOf(packages.get(place)),
  });
  const altered = findAlteredEntries(before, after);
  const gainScript = altered.filter(({ fields }) => fields.includes('hasInstallScript')).map(({ place }) => place);
  return {
    added: pick((_, from) => from === undefined).map(locked(current)),
    removed: pick((_, __, to) => to === undefined).map(locked(old)),
    changed: newPlaces
      .filter((place) => old.has(place))
      .map((place) => ({ ...locked(current)(place), before: versionOf(old.get(place)) })),
    newHosts: [...new Set([...current.values()].flatMap(hostsOf))].filter((host) => !oldHosts.has(host)).sort(),
    altered,
    withScripts: [...new Set([...newPlaces, ...gainScript])].filter(
      (place) => current.get(place)?.['hasInstallScript'] === true,
    ),
  };
}

function readPackages(text: string): ReadonlyMap<string, Entry> {
  return new Map(
    [...readLockEntries(text)].filter(([place, { link }]) => /(?:^|\/)node_modules\//.test(place) && link !== true),
  );
}

function versionOf(entry: Entry | undefined): string {
  const version = entry?.['version'];
  return typeof version === 'string' ? version : '';
}

/**
 * The host from which the package of an entry is downloaded, with its protocol if that is not https; empty if unknown.
 */
export function hostsOf({ resolved }: Entry): readonly string[] {
  if (typeof resolved !== 'string') return [];
  const address = resolved.replace(/^git\+/, '');
  if (!URL.canParse(address)) return ['a folder'];
  const { protocol, hostname } = new URL(address);
  if (hostname === '') return ['a file'];
  return [protocol === 'https:' ? hostname : `${protocol}//${hostname}`];
}
