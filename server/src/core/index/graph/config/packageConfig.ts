// Reads the fields of package.json that determine how imports resolve, and which packages form workspaces.

import { posix } from 'node:path';
import { readString, readStrings, getTable, readValue, type ReadTable } from './readConfig.ts';
import { createWorkspaceMatcher } from '../../../syntax/configuration/workspacePatterns.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';

/** The facts about imports in one package.json. */
export interface PackageConfig {
  /** Folder of the package.json from the root; '' is the root. */
  readonly dir: string;
  readonly name: string | null;
  /** The value of `exports` as written (any JSON); null if absent. */
  readonly exports: unknown;
  /** The value of `imports` as written (any JSON); null if absent. */
  readonly imports: unknown;
  /** Entry files as written, in this order: source, types, typings, module, main. */
  readonly entries: readonly string[];
  /** Folder of the workspace root that lists this package (or is this package); null if there is none. */
  readonly workspace: string | null;
  /** Folders of the dependencies by `file:`, `link:` or `portal:`, by name of the package. */
  readonly links: Readonly<Record<string, string>>;
}

/** Every package.json that contains an object, sorted by folder. */
export async function readPackages(paths: readonly string[], readTable: ReadTable): Promise<PackageConfig[]> {
  const packages: PackageConfig[] = [];
  const workspaces: { readonly dir: string; readonly patterns: readonly string[] }[] = [];
  for (const path of paths.filter((candidate) => posix.basename(candidate) === 'package.json').sort()) {
    const table = await readTable(path, 'json');
    if (!table) continue;
    const dir = parentFolderOf(path);
    const declared = readValue(table, 'workspaces');
    const pnpm = await readTable(posix.join(dir, 'pnpm-workspace.yaml'), 'yaml');
    const lerna = await readTable(posix.join(dir, 'lerna.json'), 'json');
    const patterns = [
      ...readStrings(declared),
      ...readStrings(readValue(declared, 'packages')),
      ...readStrings(readValue(pnpm, 'packages')),
      ...readStrings(readValue(lerna, 'packages')),
    ];
    if (patterns.length > 0) workspaces.push({ dir, patterns });
    packages.push({
      dir,
      name: readString(table, 'name'),
      exports: readValue(table, 'exports') ?? null,
      imports: readValue(table, 'imports') ?? null,
      entries: ['source', 'types', 'typings', 'module', 'main'].flatMap((field) => readString(table, field) ?? []),
      workspace: null,
      links: collectLinks(dir, table),
    });
  }
  const memberships = workspaces.map(({ dir, patterns }) => ({ dir, isMember: createWorkspaceMatcher(patterns) }));
  return packages.map((pkg) => ({
    ...pkg,
    workspace:
      memberships.find(
        ({ dir, isMember }) =>
          pkg.dir === dir || (isInFolder(pkg.dir, dir) && isMember(pkg.dir.slice(dir === '' ? 0 : dir.length + 1))),
      )?.dir ?? null,
  }));
}

/** True if a path is in a folder, or is the folder itself. '' is the root. */
export function isInFolder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The dependencies of a package.json that are folders: the path of each folder from the root, by name. */
function collectLinks(folder: string, table: Parameters<typeof getTable>[0]): Record<string, string> {
  const links: Record<string, string> = {};
  for (const field of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, version] of Object.entries(getTable(table, field))) {
      const target = typeof version === 'string' ? /^(?:file|link|portal):(.+)$/.exec(version)?.[1] : undefined;
      if (target) links[name] = posix.join(folder, target).replace(/^\.$/, '').replace(/\/$/, '');
    }
  }
  return links;
}
