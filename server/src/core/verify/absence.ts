// Reads from lock files which installed packages are gone with an edit, and which are needed by others. The texts are
// untrusted data.

import { posix } from 'node:path';
import { parse } from 'yaml';
import type { RemovedDependency } from '../model/removedDependency.ts';
import type { FileEdit } from '../model.ts';

type Table = Readonly<Record<string, unknown>>;

/**
 * The entries of node_modules, as paths from the root, that an edit of a lock file removes; none for other files. npm's
 * lock file lists them. In those of Yarn and pnpm, a package is gone if no version of it is left.
 */
export function placesGone({ path, before, after }: FileEdit, removed: readonly RemovedDependency[]): string[] {
  if (before === null || after === null) return [];
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const name = posix.basename(path);
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json')
    return missing(placesIn(before), placesIn(after)).map((place) => posix.join(folder, place));
  const namesIn = name === 'yarn.lock' ? yarnNames : name === 'pnpm-lock.yaml' ? pnpmNames : null;
  if (namesIn === null) return [];
  const gone = missing(namesIn(before), namesIn(after));
  const folders = new Set([folder, ...removed.map(({ dir }) => dir)]);
  const places = [...folders].flatMap((dir) => gone.map((one) => posix.join(dir, 'node_modules', one)));
  // pnpm links into a folder what its own manifest declares, so the removed package itself is gone there in any case.
  const own = name === 'pnpm-lock.yaml' ? removed.map((one) => posix.join(one.dir, 'node_modules', one.name)) : [];
  return [...new Set([...places, ...own])];
}

/** Names of packages that the packages in a list ask for: npm's lock file, or that of Yarn 1. */
export function neededNames(text: string): ReadonlySet<string> {
  if (!text.startsWith('{'))
    return new Set([...text.matchAll(/^ {4}"?((?:@[^/\s"]+\/)?[^\s"@]+)"? /gm)].map(([, name]) => name!));
  const entries = Object.entries(packagesIn(text)).filter(([place]) => place.includes('node_modules/'));
  return new Set(
    entries.flatMap(([, entry]) =>
      ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((table) =>
        Object.keys(tableAt(entry, table)),
      ),
    ),
  );
}

function placesIn(text: string): ReadonlySet<string> {
  return new Set(Object.keys(packagesIn(text)).filter((place) => place.includes('node_modules/')));
}

function yarnNames(text: string): ReadonlySet<string> {
  const heads = text.match(/^[^\s#].*(?=:[ \t]*\r?$)/gm) ?? [];
  return new Set(heads.flatMap((head) => head.split(', ').map((range) => nameOf(range.replace(/^"/, '')))));
}

function pnpmNames(text: string): ReadonlySet<string> {
  try {
    return new Set(Object.keys(tableAt(parse(text), 'packages')).map(nameOf));
  } catch {
    return new Set();
  }
}

/** The name in `name@range`. */
function nameOf(key: string): string {
  return /^@?[^@]+/.exec(key)?.[0] ?? key;
}

function packagesIn(text: string): Table {
  try {
    return tableAt(JSON.parse(text), 'packages');
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function missing(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...before].filter((one) => !after.has(one));
}

function tableAt(table: unknown, name: string): Table {
  if (!isTable(table) || !Object.hasOwn(table, name)) return {};
  const value = table[name];
  return isTable(value) ? value : {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
