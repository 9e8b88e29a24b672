// Recognises edits that only remove dependencies: entries of a package.json, and what a lock file holds because of them.
// The charter lets such edits of these protected files be proposed, and the gates ask what is gone with them.

import { posix } from 'node:path';
import { canonicalJson } from '../../util/canonicalJson.ts';
import type { FileEdit } from '../model.ts';

/** The recipe that makes such edits. */
export const REMOVE_DEPENDENCY = 'remove-dependency';

/** Tables of a package.json from which an entry may be removed. */
export const REMOVABLE_FROM = ['dependencies', 'devDependencies'] as const;

/** An entry of a package.json that an edit removes. */
export interface RemovedDependency {
  /** The folder of the package.json, relative to the root; '' is the root. */
  readonly dir: string;
  readonly name: string;
  readonly table: (typeof REMOVABLE_FROM)[number];
}

const LOCK_FILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
]);
/** Matches a mark that a lock file gains on a package that only development, or only an optional package, still needs. */
const MARK = /"(?:dev|optional|devOptional|peer)": true/g;

type Table = Readonly<Record<string, unknown>>;

/** True for a file that such an edit may touch, by its name. */
export function isManifestOrLock(path: string): boolean {
  return isManifest(path) || isLockFile(path);
}

function isManifest(path: string): boolean {
  return posix.basename(path) === 'package.json';
}

function isLockFile(path: string): boolean {
  return LOCK_FILES.has(posix.basename(path));
}

/**
 * The dependencies that the edits remove. Null unless at least one edit is of a package.json, each of these only removes
 * entries of `REMOVABLE_FROM`, and all other edits only remove text of lock files.
 */
export function removedDependencies(edits: readonly Partial<FileEdit>[]): readonly RemovedDependency[] | null {
  const removed: RemovedDependency[] = [];
  for (const { path = '', before, after } of edits) {
    if (typeof before !== 'string' || typeof after !== 'string') return null;
    if (isManifest(path)) {
      const entries = removedFrom(before, after);
      if (entries === null) return null;
      const dir = posix.dirname(path) === '.' ? '' : posix.dirname(path);
      removed.push(...entries.map((entry) => ({ dir, ...entry })));
    } else if (!isLockFile(path) || !onlyRemoves(before, after)) return null;
  }
  return removed.length > 0 ? removed : null;
}

/** The entries that one text of a package.json has and the other lacks; null if they differ in anything else. */
function removedFrom(before: string, after: string): Omit<RemovedDependency, 'dir'>[] | null {
  const [old, changed] = [tableIn(before), tableIn(after)];
  if (!old || !changed) return null;
  const removed: Omit<RemovedDependency, 'dir'>[] = [];
  const restored: Record<string, unknown> = { ...changed };
  for (const table of REMOVABLE_FROM) {
    const [oldEntries, entries] = [entriesIn(old, table), entriesIn(changed, table)];
    const gone = Object.keys(oldEntries).filter((name) => !Object.hasOwn(entries, name));
    removed.push(...gone.map((name) => ({ name, table })));
    if (gone.length > 0)
      restored[table] = { ...entries, ...Object.fromEntries(gone.map((name) => [name, oldEntries[name]])) };
  }
  return removed.length > 0 && canonicalJson(restored) === canonicalJson(old) ? removed : null;
}

/** True if the second text of a lock file is the first one without some words, and with no new ones but marks. */
function onlyRemoves(before: string, after: string): boolean {
  const wordsOf = (text: string): readonly string[] => text.replace(MARK, '').match(/[^\s,:"{}]+/g) ?? [];
  const old = wordsOf(before);
  let at = 0;
  for (const word of wordsOf(after)) {
    at = old.indexOf(word, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function entriesIn(manifest: Table, table: string): Table {
  const entries = Object.hasOwn(manifest, table) ? manifest[table] : null;
  return isTable(entries) ? entries : {};
}

/** The table in the text of a manifest; null if it is not JSON, or no table. */
export function tableIn(text: string): Table | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isTable(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
