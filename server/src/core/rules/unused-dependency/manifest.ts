// Reads dependencies from a package.json and a lock file. Both are untrusted data.

import { posix } from 'node:path';
import { computeRelativePath } from '../../model/lockFiles.ts';
import { isPackageName } from '../../model/packageName.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** An object of JSON. */
type Table = Readonly<Record<string, unknown>>;

/** Tables in which a package declares the packages that it needs. */
const DECLARING_TABLES = ['dependencies', 'devDependencies'] as const;

/** A dependency that a manifest declares. */
export interface ManifestDependency {
  readonly name: string;
  readonly table: (typeof DECLARING_TABLES)[number];
  readonly version: string;
}

/** The facts that a package's manifest states. */
export interface PackageDescription {
  /** Names of its programs. */
  readonly programs: readonly string[];
  /** Peer dependencies: packages that have to be installed as well. */
  readonly peers: readonly string[];
  /** Names of the packages on which it depends, which are installed with it. */
  readonly dependencies: readonly string[];
}

/** Fields whose texts do not show that a package is used: declarations, and texts for people. */
const IGNORED_FIELDS = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'overrides',
  'resolutions',
  'pnpm',
  'name',
  'description',
  'keywords',
  'author',
  'contributors',
  'maintainers',
  'repository',
  'homepage',
  'bugs',
  'funding',
]);

/**
 * The object in a JSON text; null if there is no text, if it is not JSON, or if it contains something else than an
 * object.
 */
export function parseJsonObject(text: string | null): Table | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The declared packages whose names npm would accept, in the order of the manifest. */
export function listDeclaredPackages(manifest: Table): ManifestDependency[] {
  return DECLARING_TABLES.flatMap((table) =>
    Object.entries(readTable(manifest, table)).flatMap(([name, version]) =>
      typeof version === 'string' && isPackageName(name) ? [{ name, table, version }] : [],
    ),
  );
}

/** A manifest as JSON without its declarations of packages and without its texts for people. */
export function removeDeclarations(manifest: Table): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(manifest).filter(([field]) => !IGNORED_FIELDS.has(field))),
    null,
    1,
  );
}

/** Names of dependencies to which a manifest's overrides or resolutions refer as `$name`. */
export function listOverrideReferences(manifest: Table): string[] {
  const pnpm = readTable(manifest, 'pnpm');
  return [manifest['overrides'], pnpm['overrides'], manifest['resolutions']].flatMap(collectReferences);
}

function collectReferences(value: unknown): string[] {
  if (isRecord(value)) return Object.values(value).flatMap(collectReferences);
  return typeof value === 'string' && value.startsWith('$') ? [value.slice(1)] : [];
}

/** The content of a lock file of npm, as far as it is used. */
export interface LockFile {
  /** The facts about a package, as seen from a folder with a manifest; null if there are none. */
  describe(folder: string, name: string): PackageDescription | null;
  /** True if the lock file has an entry for this folder: a workspace, or a package that is linked by its path. */
  hasEntryFor(folder: string): boolean;
  /** All packages that are installed. */
  readonly packages: readonly PackageDescription[];
}

/**
 * Reads npm's lock file, which is in the folder `lockFolder`. Null if the text is not a lock file, or lists no package
 * in `node_modules`. The functions of the result take folders relative to the root of the repository.
 */
export function readLock(text: string | null, lockFolder: string): LockFile | null {
  const packages = readTable(parseJsonObject(text) ?? {}, 'packages');
  const entries = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  if (entries.length === 0) return null;
  return {
    describe: (folder, name) => {
      const entryPaths = [
        posix.join(computeRelativePath(lockFolder, folder), 'node_modules', name),
        `node_modules/${name}`,
      ];
      const path = entryPaths.find((entryPath) => Object.hasOwn(packages, entryPath));
      const entry = path === undefined ? null : packages[path];
      return isRecord(entry) && entry['link'] !== true ? describePackage(name, entry) : null;
    },
    hasEntryFor: (folder) => Object.hasOwn(packages, computeRelativePath(lockFolder, folder)),
    packages: entries.flatMap(([path, entry]) =>
      isRecord(entry) ? describePackage(path.split('node_modules/').at(-1)!, entry) : [],
    ),
  };
}

/** The facts about the package of this name in a manifest or in an entry of a lock file. */
export function describePackage(name: string, entry: Table): PackageDescription {
  const { bin } = entry;
  const unscopedName = name.slice(name.indexOf('/') + 1);
  return {
    programs: typeof bin === 'string' ? [unscopedName] : isRecord(bin) ? Object.keys(bin) : [],
    peers: ['peerDependencies', 'peerDependenciesMeta'].flatMap((table) => Object.keys(readTable(entry, table))),
    dependencies: Object.keys(readTable(entry, 'dependencies')),
  };
}

/** The object in this field; an empty one if there is none. */
function readTable(table: Table, name: string): Table {
  const value = Object.hasOwn(table, name) ? table[name] : null;
  return isRecord(value) ? value : {};
}
