// Finds source files that imports reach (from entry points of packages, from files that are started by name, and from
// tests), and source files with a definition that another file uses.

import { posix } from 'node:path';
import { isInFolder } from './config/packageConfig.ts';
import type { ProjectConfig } from './config/projectConfig.ts';
import type { DependencyGraph } from './dependencyGraph.ts';
import type { PackageEntries } from './entryPoints.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** The files of a repository, their imports, and the entries of its packages. */
export interface ReachInput {
  readonly files: readonly Pick<FileRecord, 'path' | 'language'>[];
  /** For each file, the files that it imports. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
  readonly packages: readonly PackageEntries[];
  readonly config: Pick<ProjectConfig, 'goModules' | 'crates'>;
  /**
   * True for a file that something starts by its name: tests, routes. Such a file does not count as reached, but its
   * imports do.
   */
  readonly startsByName: (path: string) => boolean;
}

/**
 * Names, without extension, of files that bundlers use as entry points. They count if a package has no public file, or
 * if there is no package.
 */
const USUAL_ENTRIES = ['index', 'main', 'app', 'server', 'cli', 'extension'];

/** Files that a package makes public, and files that these files or started files import, directly or indirectly. */
export function findReachableFiles({ files, edges, packages, config, startsByName }: ReachInput): ReadonlySet<string> {
  const existingPaths = new Set(files.map(({ path }) => path));
  const publicFiles = new Set(packages.flatMap(({ api }) => api));
  for (const { path, language } of files) {
    if (language === 'go' && config.goModules.some(({ dir }) => isInFolder(path, dir))) publicFiles.add(path);
    if (language === 'python' && existingPaths.has(posix.join(posix.dirname(path), '__init__.py')))
      publicFiles.add(path);
  }
  for (const { dir, root } of config.crates)
    for (const path of [root, posix.join(dir, 'src/main.rs')]) if (existingPaths.has(path)) publicFiles.add(path);
  const dirsWithoutApi = packages.filter(({ api }) => api.length === 0).map(({ dir }) => dir);
  const startedFiles = [
    ...packages.flatMap(({ entries }) => entries),
    ...(packages.length === 0 ? [''] : dirsWithoutApi).flatMap((folder) => collectUsualEntries(folder, existingPaths)),
  ];
  const pending = [...publicFiles, ...startedFiles, ...files.map(({ path }) => path).filter(startsByName)];
  const visitedPaths = new Set(pending);
  const reachedPaths = new Set(publicFiles);
  for (const path of visitedPaths) {
    for (const target of edges.get(path) ?? []) {
      reachedPaths.add(target);
      visitedPaths.add(target);
    }
  }
  return reachedPaths;
}

/** Files with a definition that another file uses. Ambiguous uses do not count. */
export function findFilesUsedByOthers({ edges }: Pick<DependencyGraph, 'edges'>): ReadonlySet<string> {
  const usedPaths = new Set<string>();
  for (const [path, { symbolEdges }] of edges)
    for (const { to, confidence } of symbolEdges)
      if (to.path !== path && to.symbol !== null && confidence !== 'ambiguous') usedPaths.add(to.path);
  return usedPaths;
}

/** The existing files with a usual name in the folder of a package or in its `src`. */
function collectUsualEntries(dir: string, existingPaths: ReadonlySet<string>): string[] {
  const usualStems = USUAL_ENTRIES.flatMap((name) => ['', 'src'].map((folder) => posix.join(dir, folder, name)));
  return usualStems
    .flatMap((stem) => ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs'].map((end) => stem + end))
    .filter((path) => existingPaths.has(path));
}
