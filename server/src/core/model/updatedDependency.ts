// Recognises edits that only update dependencies: ranges in files package.json, and npm's lock file. The charter allows
// them to be proposed although the files are protected, if a person has asked for them.

import { posix } from 'node:path';
import { isRecord } from '../../util/values/isRecord.ts';
import type { FileEdit } from '../model.ts';
import { DEPENDENCY_TABLES, type DependencyTable, type DependencyUpdate } from './dependencies.ts';
import { findAlteredEntries, findPlace, readLockEntries, type LockEntry } from './lockEntries.ts';
import { replaceEntry } from './manifestEntry.ts';
import { parseManifestTable } from './removedDependency.ts';

/** The name of the recipe that updates dependencies, only at a person's request. */
export const UPDATE_DEPENDENCY = 'update-dependency';

/** The names of npm's lock files; if both exist, the first one counts. */
export const NPM_LOCKS: readonly string[] = ['npm-shrinkwrap.json', 'package-lock.json'];

/**
 * Matches a version, range or tag in a registry, also of a package under another name, but neither an address nor a
 * folder.
 */
const REGISTRY_SPEC_PATTERN = /^(?:npm:(?:@[\w.~-]+\/)?[\w.~-]+@)?[^:/]*$/;

const MANIFEST_NAME = 'package.json';
const BYTE_ORDER_MARK = /^\uFEFF/;

/** The update that edits make. */
export interface UpdatedDependencies {
  /** Path of npm's lock file. */
  readonly lock: string;
  /** The direct dependencies whose range or version changes. */
  readonly updates: readonly DependencyUpdate[];
}

/** A range that differs in a package.json. */
type ChangedRange = Pick<DependencyUpdate, 'manifest' | 'table' | 'name' | 'range'>;

/**
 * The update that the edits make. Null unless all of this is true:
 * - The edits change npm's lock file and, besides, only files package.json in its folder or below.
 * - In each package.json, only ranges of dependencies differ, and no other byte.
 * - The lock file repeats these ranges.
 * - No entry of the lock file changes at an unchanged version, except that it may gain fields.
 */
export function findUpdatedDependencies(edits: readonly Partial<FileEdit>[]): UpdatedDependencies | null {
  const isLock = ({ path = '' }: Partial<FileEdit>) => NPM_LOCKS.includes(posix.basename(path));
  const [lock, ...otherLocks] = edits.filter(isLock);
  if (lock === undefined || otherLocks.length > 0) return null;
  const { path = '', before, after } = lock;
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const [oldLock, newLock] = [parseManifestTable(before), parseManifestTable(after)];
  if (oldLock === null || newLock === null || !isRecord(newLock['packages'])) return null;
  if (findAlteredEntries(before, after).some(({ isGain }) => !isGain)) return null;
  const ranges: ChangedRange[] = [];
  for (const edit of edits.filter((candidate) => !isLock(candidate))) {
    const changedRanges = findChangedRanges(edit);
    if (changedRanges === null) return null;
    ranges.push(...changedRanges);
  }
  const entries = readLockEntries(after);
  const isRepeated = ({ manifest, table, name, range }: ChangedRange) =>
    readRanges(entries.get(posix.relative(posix.dirname(path), posix.dirname(manifest))), table)[name] === range.after;
  return ranges.every(isRepeated) ? { lock: path, updates: listUpdates(path, readLockEntries(before), entries) } : null;
}

/**
 * The direct dependencies whose range or version differs between two lock files, in which all ranges are repeated.
 * `lock`: path of the lock file.
 */
function listUpdates(
  lock: string,
  oldEntries: ReadonlyMap<string, LockEntry>,
  newEntries: ReadonlyMap<string, LockEntry>,
): readonly DependencyUpdate[] {
  const versionOf = (entries: typeof oldEntries, folder: string, name: string) => {
    const version = entries.get(findPlace(entries, folder, name) ?? '')?.['version'];
    return typeof version === 'string' ? version : null;
  };
  const folders = [...newEntries.keys()].filter((place) => !/(?:^|\/)node_modules\//.test(place));
  return folders.flatMap((folder) =>
    DEPENDENCY_TABLES.flatMap((table) =>
      Object.entries(readRanges(newEntries.get(folder), table)).flatMap(([name, range]) => {
        const [before, after] = [versionOf(oldEntries, folder, name), versionOf(newEntries, folder, name)];
        const oldRange = readRanges(oldEntries.get(folder), table)[name] ?? range;
        if (after === null || (before === after && oldRange === range)) return [];
        const manifest = posix.join(posix.dirname(lock), folder, MANIFEST_NAME);
        return [{ name, manifest, table, range: { before: oldRange, after: range }, before, after }];
      }),
    ),
  );
}

/** The ranges in a table of a manifest, or of an entry of the lock file that repeats the table: by name. */
function readRanges(manifest: Readonly<Record<string, unknown>> | undefined, table: DependencyTable) {
  const ranges = manifest?.[table];
  const entries = Object.entries(isRecord(ranges) ? ranges : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The text of a package.json with another range of one dependency; null if it does not have exactly one such entry. */
export function replaceRange(text: string, table: DependencyTable, name: string, range: string): string | null {
  const byteOrderMark = BYTE_ORDER_MARK.exec(text)?.[0] ?? '';
  const replaced = replaceEntry(text.slice(byteOrderMark.length), table, name, range);
  return replaced === null ? null : byteOrderMark + replaced;
}

/**
 * The ranges that differ in a package.json. Null if none differs, if any other byte differs, or if a new range does not
 * come from a registry.
 */
function findChangedRanges({ path = '', before, after }: Partial<FileEdit>): readonly ChangedRange[] | null {
  if (posix.basename(path) !== MANIFEST_NAME || typeof before !== 'string' || typeof after !== 'string') return null;
  const [oldManifest, newManifest] = [parseManifestTable(before), parseManifestTable(after)];
  if (oldManifest === null || newManifest === null) return null;
  const ranges = DEPENDENCY_TABLES.flatMap((table) => {
    const oldRanges = readRanges(oldManifest, table);
    return Object.entries(readRanges(newManifest, table))
      .filter(([name, range]) => oldRanges[name] !== undefined && oldRanges[name] !== range)
      .map(([name, range]) => ({ manifest: path, table, name, range: { before: oldRanges[name]!, after: range } }));
  });
  if (ranges.length === 0 || !ranges.every(({ range }) => REGISTRY_SPEC_PATTERN.test(range.after))) return null;
  return replaceRanges(before, ranges) === after ? ranges : null;
}

/** The text of a package.json with other ranges; null if it does not have exactly one entry for each of them. */
export function replaceRanges(
  text: string,
  ranges: readonly Pick<DependencyUpdate, 'table' | 'name' | 'range'>[],
): string | null {
  return ranges.reduce<string | null>(
    (replaced, { table, name, range }) => replaced && replaceRange(replaced, table, name, range.after),
    text,
  );
}
