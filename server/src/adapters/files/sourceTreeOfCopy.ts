// Shows a tree without installed packages to jobs and to the TypeScript compiler: that of a copy, whose packages are
// installed only in the original, or one whose packages the set-up has stored. They are shown from there, as in the
// sandbox.

import { join, resolve } from 'node:path';
import type { SourceTree } from '../../core/ports/sources.ts';
import { findPathInside } from './resolvedPath.ts';
import { createSourceTree, PACKAGE_FOLDER_PATTERN } from './sourceTree.ts';

/** The folder whose installed packages are shown: the original of a copy, or the packages of the set-up. */
export interface OriginalPackages {
  /** Top folder of the original, or the folder that stands for it. */
  readonly top: string;
  /** Path of the root of the copy's session below the top of the copy, with `/`; empty for the top itself. */
  readonly prefix: string;
}

/** A path, and the tree that shows it. */
interface Place {
  readonly tree: SourceTree;
  readonly path: string;
}

/**
 * Creates the view of a copy: its files as `createSourceTree` shows them, and each missing `node_modules` of the
 * original at its place in the copy. A package that the original links from another of its folders is shown as the copy
 * has it. No other file of the original is shown.
 */
export function createSourceTreeOfCopy(rootDir: string, { top, prefix }: OriginalPackages): SourceTree {
  const copy = createSourceTree(rootDir);
  const original = createSourceTree(top);
  const copyTop = resolve(copy.rootDir, ...prefix.split('/').flatMap((name) => (name === '' ? [] : ['..'])));
  const wholeCopy = copyTop === copy.rootDir ? copy : createSourceTree(copyTop);

  /** Folders of linked packages in the copy, because the compiler requests them by their real path later. */
  const linkedFolders = new Set<string>();

  /** The place of a file or folder that the copy itself does not show. */
  const locateInOriginal = (path: string): Place => {
    const inCopy = findPathInside(copyTop, path);
    const requestedPath = inCopy !== null && isInPackages(inCopy) ? join(original.rootDir, inCopy) : path;
    const isInstalled = requestedPath !== path || isShownFromOriginal(path);
    if (!isInstalled) return { tree: copy, path };
    const realPath = original.realPath(requestedPath);
    const inOriginal = findPathInside(original.rootDir, realPath);
    if (inOriginal === null || isInPackages(inOriginal)) return { tree: original, path: realPath };
    const packageFolder = PACKAGE_FOLDER_PATTERN.exec(requestedPath)?.[1];
    const linkedFolder = packageFolder && findPathInside(original.rootDir, original.realPath(packageFolder));
    if (linkedFolder) linkedFolders.add(join(copyTop, linkedFolder));
    return { tree: wholeCopy, path: join(copyTop, inOriginal) };
  };
  /** True for a path outside the copy that the compiler knows from `realPath`. */
  const isShownFromOriginal = (path: string): boolean => {
    const inOriginal = findPathInside(original.rootDir, path);
    return findPathInside(copyTop, path) === null && (inOriginal === null || isInPackages(inOriginal));
  };
  const locate = (requestedPath: string): Place => {
    const path = resolve(requestedPath);
    if (copy.fileExists(path) || copy.folderExists(path)) return { tree: copy, path };
    const isLinked = [...linkedFolders].some((folder) => findPathInside(folder, path) !== null);
    return isLinked ? { tree: wholeCopy, path } : locateInOriginal(path);
  };
  const onPlace =
    <Result>(use: (tree: SourceTree, path: string) => Result) =>
    (requestedPath: string): Result => {
      const { tree, path } = locate(requestedPath);
      return use(tree, path);
    };

  return {
    rootDir: copy.rootDir,
    bytes: copy.bytes,
    read: onPlace((tree, path) => tree.read(path)),
    fileExists: onPlace((tree, path) => tree.fileExists(path)),
    folderExists: onPlace((tree, path) => tree.folderExists(path)),
    list: onPlace((tree, path) => tree.list(path)),
    realPath: onPlace((tree, path) => tree.realPath(path)),
  };
}

/** True for a path, relative to the top of a repository, that leads into installed packages. */
function isInPackages(path: string): boolean {
  return path.split('/').includes('node_modules');
}
