// Lists the packages that differ between two texts of npm's lock file.

import type { LockChanges } from '../../model/dependencies.ts';
import { findAlteredEntries, readLockEntries, type LockEntry as Entry } from '../../model/lockEntries.ts';

/**
 * The packages that an update adds, removes and changes, and the entries that it alters at an unchanged version, sorted
 * by place. `registries`: hosts that are asked in any case, so they do not count as new.
 */
export function compareLocks(before: string, after: string, registries: readonly string[]): LockChanges {
  const [packagesBefore, packagesAfter] = [readPackages(before), readPackages(after)];
  const places = [...new Set([...packagesBefore.keys(), ...packagesAfter.keys()])].sort();
  const oldHosts = new Set([...registries, ...[...packagesBefore.values()].flatMap(listEntryHosts)]);
  const selectPlaces = (isSelected: (place: string, from: Entry | undefined, to: Entry | undefined) => boolean) =>
    places.filter((place) => isSelected(place, packagesBefore.get(place), packagesAfter.get(place)));
  const isNew = (from: Entry | undefined, to: Entry | undefined) =>
    to !== undefined && (from === undefined || readEntryVersion(from) !== readEntryVersion(to));
  const newPlaces = selectPlaces((_, from, to) => isNew(from, to));
  const createLockedEntry = (packages: ReadonlyMap<string, Entry>) => (place: string) => ({
    place,
    version: readEntryVersion(packages.get(place)),
  });
  const altered = findAlteredEntries(before, after);
  const placesGainingScripts = altered
    .filter(({ fields }) => fields.includes('hasInstallScript'))
    .map(({ place }) => place);
  return {
    added: selectPlaces((_, from) => from === undefined).map(createLockedEntry(packagesAfter)),
    removed: selectPlaces((_, __, to) => to === undefined).map(createLockedEntry(packagesBefore)),
    changed: newPlaces
      .filter((place) => packagesBefore.has(place))
      .map((place) => ({
        ...createLockedEntry(packagesAfter)(place),
        before: readEntryVersion(packagesBefore.get(place)),
      })),
    newHosts: [...new Set([...packagesAfter.values()].flatMap(listEntryHosts))]
      .filter((host) => !oldHosts.has(host))
      .sort(),
    altered,
    withScripts: [...new Set([...newPlaces, ...placesGainingScripts])].filter(
      (place) => packagesAfter.get(place)?.['hasInstallScript'] === true,
    ),
  };
}

function readPackages(text: string): ReadonlyMap<string, Entry> {
  return new Map(
    [...readLockEntries(text)].filter(([place, { link }]) => /(?:^|\/)node_modules\//.test(place) && link !== true),
  );
}

function readEntryVersion(entry: Entry | undefined): string {
  const version = entry?.['version'];
  return typeof version === 'string' ? version : '';
}

/**
 * The host from which the package of an entry is downloaded, with its protocol if that is not https. `a folder` or `a
 * file` for a local package; empty if it is unknown.
 */
export function listEntryHosts({ resolved }: Entry): readonly string[] {
  if (typeof resolved !== 'string') return [];
  const address = resolved.replace(/^git\+/, '');
  if (!URL.canParse(address)) return ['a folder'];
  const { protocol, hostname } = new URL(address);
  if (hostname === '') return ['a file'];
  return [protocol === 'https:' ? hostname : `${protocol}//${hostname}`];
}
