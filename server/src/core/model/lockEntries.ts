// Reads the entries of npm's lock file, and finds the entries that change although their version stays the same.

import { posix } from 'node:path';
import { isRecord } from '../../util/values/isRecord.ts';
import { parseManifestTable } from './removedDependency.ts';

/** An entry of a lock file: its fields by name. */
export type LockEntry = Readonly<Record<string, unknown>>;

/** The fields that determine which package is installed at a place, and whether the package runs a script. */
const DECIDING_FIELDS = ['name', 'resolved', 'integrity', 'hasInstallScript', 'link'] as const;
/** Matches the place of a package in a `node_modules`. */
const PACKAGE_PLACE_PATTERN = /(?:^|\/)node_modules\//;
/** The fields that npm may add to an entry that lacks them. */
const GAINABLE_FIELDS: readonly string[] = ['resolved', 'integrity', 'hasInstallScript'];

/** An entry that changes although its version stays the same. */
export interface AlteredEntry {
  readonly place: string;
  /** The deciding fields that differ. */
  readonly fields: readonly string[];
  /** True if the entry only gains fields that were missing. */
  readonly isGain: boolean;
}

/** The entries of a lock file by place, such as `node_modules/a`, in the form of format 2 and 3. */
export function readLockEntries(text: string): ReadonlyMap<string, LockEntry> {
  const { packages, dependencies } = parseManifestTable(text) ?? {};
  if (!isRecord(packages)) return new Map(flattenEntries(dependencies, ''));
  return new Map(Object.entries(packages).filter((item): item is [string, LockEntry] => isRecord(item[1])));
}

/**
 * The entries of a lock file of format 1, in which packages contain packages; their field `requires` is renamed to
 * `dependencies`.
 */
function flattenEntries(tree: unknown, prefix: string): readonly (readonly [string, LockEntry])[] {
  return Object.entries(isRecord(tree) ? tree : {}).flatMap(([name, entry]) => {
    if (!isRecord(entry)) return [];
    const place = `${prefix}node_modules/${name}`;
    return [
      [place, { ...entry, dependencies: entry['requires'] }] as const,
      ...flattenEntries(entry['dependencies'], `${place}/`),
    ];
  });
}

/**
 * The packages whose deciding fields differ between two texts although the version is the same, sorted by place. The
 * root and the folders of workspaces are skipped, because their entries repeat their manifests.
 */
export function findAlteredEntries(before: string, after: string): readonly AlteredEntry[] {
  const [oldEntries, newEntries] = [readLockEntries(before), readLockEntries(after)];
  return [...newEntries]
    .flatMap(([place, entry]) => {
      const oldEntry = oldEntries.get(place);
      if (!PACKAGE_PLACE_PATTERN.test(place) || oldEntry === undefined || oldEntry['version'] !== entry['version'])
        return [];
      const fields = DECIDING_FIELDS.filter((field) => oldEntry[field] !== entry[field]);
      const isGain = fields.every((field) => oldEntry[field] === undefined && GAINABLE_FIELDS.includes(field));
      return fields.length === 0 ? [] : [{ place, fields, isGain }];
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1));
}

/**
 * The place of the package that an import of `name` in the package or folder `from` finds, as Node resolves it; null if
 * there is none.
 */
export function findPlace(entries: ReadonlyMap<string, LockEntry>, from: string, name: string): string | null {
  const parts = from === '' || from === '.' ? [] : from.split('/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    if (parts[depth - 1] === 'node_modules') continue;
    const place = posix.join(...parts.slice(0, depth), 'node_modules', name);
    if (entries.has(place)) return place;
  }
  return null;
}
