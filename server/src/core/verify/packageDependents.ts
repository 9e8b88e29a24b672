// Reads from lock files and other lists of installed packages which packages other packages require. The files are
// untrusted.

import { posix } from 'node:path';
import JSON5 from 'json5';
import { parse } from 'yaml';
import { isRecord } from '../../util/values/isRecord.ts';

type Table = Readonly<Record<string, unknown>>;

/** Files that list the installed packages. They lie next to the manifest that requires them. */
export const PACKAGE_LISTS: readonly string[] = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'node_modules/.package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];

/** Keys under which a package lists the packages that it requires. */
const REQUIREMENT_TABLES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Names of packages that the installed packages in a list require. Requirements in manifests of the repository do not
 * count. Null if the format is unknown.
 */
export function readNeededNames(path: string, text: string): ReadonlySet<string> | null {
  try {
    const entries = readInstalledEntries(posix.basename(path), text);
    return (
      entries &&
      new Set(entries.flatMap((entry) => REQUIREMENT_TABLES.flatMap((table) => Object.keys(getObject(entry, table)))))
    );
  } catch {
    return null; // The file does not parse.
  }
}

/** The entries of the installed packages in a list; null if its format is unknown. */
function readInstalledEntries(listPath: string, text: string): readonly unknown[] | null {
  if (listPath === 'yarn.lock')
    return /^# yarn lockfile v1$/m.test(text) ? listYarnEntries(text) : listBerryEntries(parse(text));
  if (listPath === 'pnpm-lock.yaml') return listPnpmEntries(parse(text));
  if (listPath === 'bun.lock') return listBunEntries(JSON5.parse(text));
  if (listPath === 'bun.lockb') return null;
  return listNpmEntries(JSON.parse(text));
}

/** The entries of an npm lock file of version 2 or 3. Version 1 does not list peer dependencies. */
function listNpmEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || ![2, 3].includes(Number(lock['lockfileVersion']))) return null;
  return Object.entries(getObject(lock, 'packages')).flatMap(([place, entry]) =>
    place.includes('node_modules/') ? [entry] : [],
  );
}

/** The requirements in a lock file of Yarn 1, as one entry. A requirement is a line that is indented by four spaces. */
function listYarnEntries(text: string): readonly unknown[] {
  const requirements = [...text.matchAll(/^ {4}"?((?:@[^/\s"]+\/)?[^\s"@]+)"? /gm)].map(([, name]) => [name!, '']);
  return [{ dependencies: Object.fromEntries(requirements) }];
}

/**
 * The entries of a lock file of Yarn 2 or later. Skips packages of the repository, which have the protocol
 * `workspace:`.
 */
function listBerryEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || !isRecord(lock['__metadata'])) return null;
  return Object.entries(lock).flatMap(([key, entry]) =>
    key === '__metadata' || key.includes('@workspace:') ? [] : [entry],
  );
}

/**
 * The entries of a pnpm lock file. Since version 9, `snapshots` has the dependencies, while `packages` still has the
 * peers.
 */
function listPnpmEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || !(Number.parseFloat(String(lock['lockfileVersion'])) >= 5)) return null;
  return ['packages', 'snapshots'].flatMap((table) => Object.values(getObject(lock, table)));
}

/** The entries of a Bun lock file. Each package is an array, and one of its elements contains the dependencies. */
function listBunEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || typeof lock['lockfileVersion'] !== 'number' || !isRecord(lock['packages'])) return null;
  return Object.values(lock['packages']).flatMap((entry) => (Array.isArray(entry) ? entry.filter(isRecord) : []));
}

/** The object under this key; an empty object if there is none. */
function getObject(table: unknown, name: string): Table {
  if (!isRecord(table) || !Object.hasOwn(table, name)) return {};
  const value = table[name];
  return isRecord(value) ? value : {};
}
