// Says which packages differ between two texts of npm's lock file.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import type { LockChanges } from '../../model/dependencies.ts';
import { asObject } from '../manifest.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * The packages that an update adds, removes and changes, sorted by place. `registries`: hosts that are asked anyway, of
 * which a lock file may say nothing.
 */
export function compareLocks(before: string, after: string, registries: readonly string[]): LockChanges {
  const [old, current] = [readPackages(before), readPackages(after)];
  const places = [...new Set([...old.keys(), ...current.keys()])].sort();
  const oldHosts = new Set(['', ...registries, ...[...old.values()].map(hostOf)]);
  const pick = (choose: (place: string, from: Entry | undefined, to: Entry | undefined) => boolean) =>
    places.filter((place) => choose(place, old.get(place), current.get(place)));
  const isNew = (from: Entry | undefined, to: Entry | undefined) =>
    to !== undefined && (from === undefined || versionOf(from) !== versionOf(to));
  const newPlaces = pick((_, from, to) => isNew(from, to));
  const locked = (packages: ReadonlyMap<string, Entry>) => (place: string) => ({
    place,
    version: versionOf(packages.get(place)),
  });
  return {
    added: pick((_, from) => from === undefined).map(locked(current)),
    removed: pick((_, __, to) => to === undefined).map(locked(old)),
    changed: newPlaces
      .filter((place) => old.has(place))
      .map((place) => ({ ...locked(current)(place), before: versionOf(old.get(place)) })),
    newHosts: [...new Set([...current.values()].map(hostOf))].filter((host) => !oldHosts.has(host)).sort(),
    withScripts: newPlaces.filter((place) => current.get(place)?.['hasInstallScript'] === true),
  };
}

function readPackages(text: string): ReadonlyMap<string, Entry> {
  const packages = asObject(asObject(parseJsonOrNull(text))['packages']);
  return new Map(
    Object.entries(packages).flatMap(([place, entry]) =>
      /(?:^|\/)node_modules\//.test(place) && asObject(entry)['link'] !== true
        ? [[place, asObject(entry)] as const]
        : [],
    ),
  );
}

function versionOf(entry: Entry | undefined): string {
  const version = entry?.['version'];
  return typeof version === 'string' ? version : '';
}

function hostOf({ resolved }: Entry): string {
  return typeof resolved === 'string' ? (/^(?:git\+)?\w+:\/\/(?:[^@/]*@)?([^/:]+)/.exec(resolved)?.[1] ?? '') : '';
}
