// Reads from lists of installed packages which packages others need. The texts are untrusted data.

import { posix } from 'node:path';
import JSON5 from 'json5';
import { parse } from 'yaml';
import { isRecord } from '../../util/values/isRecord.ts';

type Table = Readonly<Record<string, unknown>>;

/** Files that list the installed packages, next to the manifest that requires them. */
export const PACKAGE_LISTS: readonly string[] = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'node_modules/.package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];

/** Tables in which a package asks for others. */
const REQUIREMENT_TABLES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Names of packages that the installed packages in a list ask for; what manifests of the repository ask for does not
 * count. Null if the format is not known for sure.
 */
export function readNeededNames(path: string, text: string): ReadonlySet<string> | null {
  try {
    const entries = installedEntries(posix.basename(path), text);
    return (
      entries &&
      new Set(entries.flatMap((entry) => REQUIREMENT_TABLES.flatMap((table) => Object.keys(tableAt(entry, table)))))
    );
  } catch {
    return null; // It does not parse.
  }
}

/** The entries of the installed packages in a list; null if its format is unknown. */
function installedEntries(listPath: string, text: string): readonly unknown[] | null {
  if (listPath === 'yarn.lock')
    return /^# yarn lockfile v1$/m.test(text) ? yarnEntries(text) : berryEntries(parse(text));
  if (listPath === 'pnpm-lock.yaml') return pnpmEntries(parse(text));
  if (listPath === 'bun.lock') return bunEntries(JSON5.parse(text));
  if (listPath === 'bun.lockb') return null;
  return npmEntries(JSON.parse(text));
}

/** Formats 2 and 3; format 1 does not list peers. */
function npmEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || ![2, 3].includes(Number(lock['lockfileVersion']))) return null;
  return Object.entries(tableAt(lock, 'packages')).flatMap(([place, entry]) =>
    place.includes('node_modules/') ? [entry] : [],
  );
}

/** Yarn 1: the requirements of a package are on lines with four spaces. */
function yarnEntries(text: string): readonly unknown[] {
  const requirements = [...text.matchAll(/^ {4}"?((?:@[^/\s"]+\/)?[^\s"@]+)"? /gm)].map(([, name]) => [name!, '']);
  return [{ dependencies: Object.fromEntries(requirements) }];
}

/** Yarn 2 and later. Packages of the repository have entries, too, with the protocol `workspace:`. */
function berryEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || !isRecord(lock['__metadata'])) return null;
  return Object.entries(lock).flatMap(([key, entry]) =>
    key === '__metadata' || key.includes('@workspace:') ? [] : [entry],
  );
}

/** From format 9 on, `snapshots` lists what was `packages` before, which still lists peers. */
function pnpmEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || !(Number.parseFloat(String(lock['lockfileVersion'])) >= 5)) return null;
  return ['packages', 'snapshots'].flatMap((table) => Object.values(tableAt(lock, table)));
}

/** Each package is a list. One of its elements contains the dependencies. */
function bunEntries(lock: unknown): readonly unknown[] | null {
  if (!isRecord(lock) || typeof lock['lockfileVersion'] !== 'number' || !isRecord(lock['packages'])) return null;
  return Object.values(lock['packages']).flatMap((entry) => (Array.isArray(entry) ? entry.filter(isRecord) : []));
}

function tableAt(table: unknown, name: string): Table {
  if (!isRecord(table) || !Object.hasOwn(table, name)) return {};
  const value = table[name];
  return isRecord(value) ? value : {};
}
