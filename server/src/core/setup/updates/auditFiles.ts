// Creates the manifest and the lock file from which npm asks for advisories. If a registry does not answer npm's first
// request, npm sends both files to it completely. They therefore contain only what a person has agreed to send.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import {
  DEPENDENCY_TABLES,
  type DependencyTable,
  type DirectDependency,
  type LeftOutPackage,
} from '../../model/dependencies.ts';
import { asObject } from '../manifest.ts';
import type { AuditReport } from './advisories.ts';
import { findRegistryName } from './leftOut.ts';

/** Fields of an entry of the lock file that name other packages. */
const NAMING_TABLES: readonly string[] = [
  ...DEPENDENCY_TABLES,
  ...['peerDependencies', 'peerDependenciesMeta', 'requires', 'bundleDependencies'],
];
/** Matches a place in a folder of the repository, such as `packages/own/node_modules/a`. */
const IN_FOLDER_PATTERN = /^((?!node_modules\/).+?)(\/node_modules\/.+)$/;

type Table = Readonly<Record<string, unknown>>;

/** The files of a question for advisories. */
export interface AuditFiles {
  /** The text of a package.json without a name. */
  readonly manifest: string;
  /** The text of a lock file. */
  readonly lock: string;
  /** Folders of the repository, by the neutral names that stand for them in `lock`. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Creates the files. `lock`: the text of the lock file. `dependencies`: the direct dependencies of the root that may be
 * named. Both files omit the packages of `leftOut`, the packages of the repository itself, and links to folders.
 */
export function createAuditFiles(
  lock: string,
  dependencies: readonly Pick<DirectDependency, 'name' | 'table' | 'spec'>[],
  leftOut: readonly LeftOutPackage[],
): AuditFiles {
  const { lockfileVersion, requires, packages, dependencies: tree } = asObject(parseJsonOrNull(lock));
  const folders = new Map<string, string>();
  const hiddenNames = findHiddenNames(asObject(packages), leftOut);
  const tables = DEPENDENCY_TABLES.map((table) => [table, createTable(dependencies, table, hiddenNames)] as const);
  const manifest = Object.fromEntries(tables.filter(([, entries]) => Object.keys(entries).length > 0));
  // Format 2 repeats all packages as `dependencies`; format 1 has nothing else.
  const reducedPackages =
    packages === undefined
      ? { dependencies: reduceTree(tree, hiddenNames) }
      : { packages: { '': manifest, ...reducePackages(asObject(packages), hiddenNames, folders) } };
  return {
    manifest: JSON.stringify(manifest),
    lock: JSON.stringify({ lockfileVersion, requires, ...reducedPackages }),
    folders,
  };
}

/** The report with the folders of the repository instead of the neutral names. */
export function restoreFolders(report: AuditReport, folders: AuditFiles['folders']): AuditReport {
  const restore = (node: unknown) => {
    const [, name = '', pathBelow = ''] = (typeof node === 'string' ? IN_FOLDER_PATTERN.exec(node) : null) ?? [];
    const folder = folders.get(name);
    return folder === undefined ? node : `${folder}${pathBelow}`;
  };
  return Object.fromEntries(
    Object.entries(report).map(([name, entry]) => {
      const { nodes, ...others } = asObject(entry);
      return [name, Array.isArray(nodes) ? { ...others, nodes: nodes.map(restore) } : entry];
    }),
  );
}

/**
 * The names of packages that must not be sent: packages of `leftOut` and of the repository itself, under the name in
 * the registry and under the name by which they are installed.
 */
function findHiddenNames(packages: Table, leftOut: readonly LeftOutPackage[]): ReadonlySet<string> {
  const leftOutNames = new Set(leftOut.map(({ name }) => name));
  const lockedNames = Object.entries(packages).flatMap(([place, entry]) => {
    const { name, link } = asObject(entry);
    const installedName = findRegistryName(place, undefined);
    if (installedName === null) return typeof name === 'string' ? [name] : [];
    return link === true || leftOutNames.has(findRegistryName(place, name)!) ? [installedName] : [];
  });
  return new Set([...leftOutNames, ...lockedNames]);
}

/** The entries of one table of the manifest, without hidden packages: the specifier by name. */
function createTable(
  dependencies: readonly Pick<DirectDependency, 'name' | 'table' | 'spec'>[],
  table: DependencyTable,
  hidden: ReadonlySet<string>,
): Table {
  const pickedDependencies = dependencies.filter(
    (dependency) => dependency.table === table && !hidden.has(dependency.name),
  );
  return Object.fromEntries(pickedDependencies.map(({ name, spec }) => [name, spec]));
}

/** The packages from registries. Those below a folder of the repository get a place with a neutral name. */
function reducePackages(packages: Table, hidden: ReadonlySet<string>, folders: Map<string, string>): Table {
  const neutralNames = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(packages).flatMap(([place, entry]) => {
      const { name: alias, link } = asObject(entry);
      const name = findRegistryName(place, alias);
      if (name === null || link === true || hidden.has(name)) return [];
      const [, folder, pathBelow] = IN_FOLDER_PATTERN.exec(place) ?? [];
      const neutralName = folder === undefined ? '' : (neutralNames.get(folder) ?? `folder-${neutralNames.size + 1}`);
      if (folder === undefined) return [[place, removeHiddenNames(entry, hidden)]];
      neutralNames.set(folder, neutralName);
      folders.set(neutralName, folder);
      return [[`${neutralName}${pathBelow}`, removeHiddenNames(entry, hidden)]];
    }),
  );
}

/** The packages of a lock file of format 1, in which packages contain packages, without hidden packages and folders. */
function reduceTree(tree: unknown, hidden: ReadonlySet<string>): Table {
  const isFolder = ({ version }: Table) => typeof version === 'string' && version.startsWith('file:');
  return Object.fromEntries(
    Object.entries(asObject(tree))
      .filter(([name, entry]) => !hidden.has(name) && !isFolder(asObject(entry)))
      .map(([name, entry]) => {
        const { dependencies, requires, ...others } = asObject(entry);
        return [
          name,
          {
            ...others,
            ...(requires === undefined ? {} : { requires: removeHiddenEntries(requires, hidden) }),
            ...(dependencies === undefined ? {} : { dependencies: reduceTree(dependencies, hidden) }),
          },
        ];
      }),
  );
}

/** The entry, without the names of hidden packages in its tables. */
function removeHiddenNames(entry: unknown, hidden: ReadonlySet<string>): Table {
  return Object.fromEntries(
    Object.entries(asObject(entry)).map(([key, value]) => [
      key,
      NAMING_TABLES.includes(key) ? removeHiddenEntries(value, hidden) : value,
    ]),
  );
}

/** An object with names as keys, or an array of names, without the hidden names. Other values stay unchanged. */
function removeHiddenEntries(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.filter((name) => !hidden.has(name));
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.has(name)))
    : value;
}
