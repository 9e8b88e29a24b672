// Shows the tree to jobs and to the TypeScript compiler. They can only read: the root, the packages that it can import,
// and the compiler's own libraries.

import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { readBelowSync, readRegularSync } from './safeRead.ts';
import { findPathInside } from './resolvedPath.ts';
import type { SourceTree } from '../../core/ports/sources.ts';

/**
 * Maximum number of bytes of a file that is shown to the compiler. A larger file is data or a bundle, which would only
 * slow it down.
 */
const MAX_BYTES = 4 * 1024 * 1024;
/** Matches the folder of an installed package at the start of a path. */
export const PACKAGE_FOLDER_PATTERN = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/;
/** Matches the paths of the libraries that come with the TypeScript compiler. */
const COMPILER_LIBRARY_PATTERN = /[\\/]node_modules[\\/]typescript[\\/]lib[\\/]lib\.[\w.]*d\.ts$/;

/**
 * Creates the view of a tree: the root, `node_modules` of the root and of the folders above it, the real folders of
 * packages that are linked there, and the compiler's own libraries. Everything else, and every `.git`, does not exist.
 * `read` returns undefined for a file over `MAX_BYTES`; `bytes` returns it, but only inside the root.
 */
export function createSourceTree(rootDir: string): SourceTree {
  const root = realpathSync.native(rootDir);
  const linkedPackages = new Set<string>();

  return {
    rootDir: root,
    bytes(path) {
      const absolutePath = resolveAllowed(join(root, path));
      if (
        absolutePath === undefined ||
        findPathInside(root, absolutePath) === null ||
        !statOrUndefined(absolutePath)?.isFile()
      )
        return undefined;
      return readBytes(absolutePath, path);
    },
    read(path) {
      const absolutePath = resolveAllowed(path);
      const stats = absolutePath === undefined ? undefined : statOrUndefined(absolutePath);
      if (absolutePath === undefined || !stats?.isFile() || stats.size > MAX_BYTES) return undefined;
      const bytes = readBytes(absolutePath, path);
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    fileExists(path) {
      const absolutePath = resolveAllowed(path);
      return absolutePath !== undefined && (statOrUndefined(absolutePath)?.isFile() ?? false);
    },
    folderExists(path) {
      const absolutePath = resolveAllowed(path);
      return absolutePath !== undefined && (statOrUndefined(absolutePath)?.isDirectory() ?? false);
    },
    list(path) {
      const absolutePath = resolveAllowed(path);
      if (absolutePath === undefined) return [];
      return (undefinedIfRefused(() => readdirSync(absolutePath, { withFileTypes: true })) ?? []).flatMap((entry) => {
        if (entry.name === '.git') return [];
        if (entry.isFile() || entry.isDirectory())
          return [{ name: entry.name, kind: entry.isFile() ? ('file' as const) : ('folder' as const) }];
        const target = entry.isSymbolicLink() ? resolveAllowed(join(path, entry.name)) : undefined;
        const stats = target === undefined ? undefined : statOrUndefined(target);
        return stats?.isFile() || stats?.isDirectory()
          ? [{ name: entry.name, kind: stats.isFile() ? ('file' as const) : ('folder' as const) }]
          : [];
      });
    },
    realPath: (path) => resolveAllowed(path) ?? path,
  };

  function readBytes(absolutePath: string, path: string): Uint8Array | undefined {
    const relativePath = findPathInside(root, absolutePath);
    return undefinedIfRefused(() =>
      relativePath === null ? readRegularSync(absolutePath, path) : (readBelowSync(root, relativePath) ?? undefined),
    );
  }

  /** Real path of an existing file or folder that may be shown; otherwise undefined. */
  function resolveAllowed(requestedPath: string): string | undefined {
    if (!isAbsolute(requestedPath) || requestedPath.includes('\0')) return undefined;
    const path = resolve(requestedPath);
    const realPath = undefinedIfRefused(() => realpathSync.native(path));
    if (realPath === undefined) return undefined;
    const relativePath = findPathInside(root, realPath);
    if (relativePath !== null) return relativePath.split('/').includes('.git') ? undefined : realPath;
    if (COMPILER_LIBRARY_PATTERN.test(realPath) || isInPackages(realPath) || isInLinkedPackage(realPath))
      return realPath;
    return isInPackages(path) && isInLinkedPackage(realPath, linkPackage(path)) ? realPath : undefined;
  }

  /** True for a path below a node_modules folder in the root, or of a folder above the root. */
  function isInPackages(path: string): boolean {
    const relativePath = findPathInside(root, path);
    if (relativePath !== null) return relativePath.split('/').includes('node_modules');
    for (let folder = root; ; folder = dirname(folder)) {
      if (findPathInside(join(folder, 'node_modules'), path) !== null) return true;
      if (dirname(folder) === folder) return false;
    }
  }

  function isInLinkedPackage(realPath: string, folders: Iterable<string> = linkedPackages): boolean {
    for (const folder of folders) if (findPathInside(folder, realPath) !== null) return true;
    return false;
  }

  /**
   * Remembers the real path of the linked package that contains `path`, because the compiler requests it by that path
   * later. Returns it as a list; none if it must not be shown.
   */
  function linkPackage(path: string): readonly string[] {
    const folder = PACKAGE_FOLDER_PATTERN.exec(path)?.[1];
    const realFolder = folder === undefined ? undefined : undefinedIfRefused(() => realpathSync.native(folder));
    // A link to the root of the disk, or to a folder above the repository, would expose everything.
    if (realFolder === undefined || findPathInside(realFolder, root) !== null) return [];
    linkedPackages.add(realFolder);
    return [realFolder];
  }
}

function statOrUndefined(path: string): Stats | undefined {
  return undefinedIfRefused(() => statSync(path));
}

/**
 * The result of `work`; undefined if the operating system refuses, because the file then does not exist for the
 * compiler.
 */
function undefinedIfRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SelfwareError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
