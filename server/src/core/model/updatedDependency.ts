// Recognises edits that only update a dependency: one entry of one package.json, and npm's lock file. The charter lets
// such edits of protected files be proposed if a person has asked for them by name.

import { posix } from 'node:path';
import { isRecord } from '../../util/values/isRecord.ts';
import type { FileEdit } from '../model.ts';
import { DEPENDENCY_TABLES, type DependencyTable } from './dependencies.ts';
import { findAlteredEntries } from './lockEntries.ts';
import { replaceEntry } from './manifestEntry.ts';
import { parseManifestTable } from './removedDependency.ts';

/** The name of the recipe for such edits, which only a person's request makes. */
export const UPDATE_DEPENDENCY = 'update-dependency';

/** The lock files of npm, the one that counts first. */
export const NPM_LOCKS: readonly string[] = ['npm-shrinkwrap.json', 'package-lock.json'];

/** A version, range or tag in a registry, also of a package under another name; no address and no folder. */
const FROM_REGISTRY = /^(?:npm:(?:@[\w.~-]+\/)?[\w.~-]+@)?[^:/]*$/;

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The update that edits make. */
export interface UpdatedDependency {
  /** Path of npm's lock file. */
  readonly lock: string;
  /** The edited entry; null if only the lock file changes, because the range allows the new version. */
  readonly entry: {
    readonly manifest: string;
    readonly table: DependencyTable;
    readonly name: string;
    readonly before: string;
    readonly after: string;
  } | null;
}

/**
 * The update that the edits make. Null unless they change npm's lock file and, at most, one package.json at or below
 * its folder, in which only the range of one dependency differs, and the lock file repeats that range. No byte of the
 * package.json differs otherwise, and no package changes at an unchanged version, except that its entry may gain fields.
 */
export function findUpdatedDependency(edits: readonly Partial<FileEdit>[]): UpdatedDependency | null {
  const isLock = ({ path = '' }: Partial<FileEdit>) => NPM_LOCKS.includes(posix.basename(path));
  const [lock, ...otherLocks] = edits.filter(isLock);
  const [manifest, ...otherEdits] = edits.filter((edit) => !isLock(edit));
  if (lock === undefined || otherLocks.length + otherEdits.length > 0) return null;
  const { path = '', before, after } = lock;
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const [old, locked] = [parseManifestTable(before), parseManifestTable(after)];
  if (old === null || locked === null || !isRecord(locked['packages'])) return null;
  if (findAlteredEntries(before, after).some(({ isGain }) => !isGain)) return null;
  if (manifest === undefined) return { lock: path, entry: null };
  const entry = findChangedEntry(manifest);
  if (entry === null) return null;
  const folder = posix.relative(posix.dirname(path), posix.dirname(entry.manifest));
  const lockedEntry = locked['packages'][folder];
  const table = isRecord(lockedEntry) ? lockedEntry[entry.table] : null;
  return isRecord(table) && table[entry.name] === entry.after ? { lock: path, entry } : null;
}

/** The text of a package.json with another range of one dependency; null if it has not exactly one such entry. */
export function replaceRange(text: string, table: DependencyTable, name: string, range: string): string | null {
  const mark = BYTE_ORDER_MARK.exec(text)?.[0] ?? '';
  const replaced = replaceEntry(text.slice(mark.length), table, name, range);
  return replaced === null ? null : mark + replaced;
}

/** The only range that differs in a package.json; null if any other byte differs, too. */
function findChangedEntry({ path = '', before, after }: Partial<FileEdit>): UpdatedDependency['entry'] {
  if (posix.basename(path) !== 'package.json' || typeof before !== 'string' || typeof after !== 'string') return null;
  const [old, changed] = [parseManifestTable(before), parseManifestTable(after)];
  if (old === null || changed === null) return null;
  for (const table of DEPENDENCY_TABLES) {
    const [oldTable, newTable] = [old[table], changed[table]];
    if (!isRecord(oldTable) || !isRecord(newTable)) continue;
    const name = Object.keys(newTable).find((key) => newTable[key] !== oldTable[key]);
    if (name === undefined) continue;
    const [range, newRange] = [oldTable[name], newTable[name]];
    return typeof range === 'string' &&
      typeof newRange === 'string' &&
      FROM_REGISTRY.test(newRange) &&
      after === replaceRange(before, table, name, newRange)
      ? { manifest: path, table, name, before: range, after: newRange }
      : null;
  }
  return null;
}
