// Indexes the files of the repository by path, folder, name and stem, so that imports are resolved without a walk over
// all files.

import { posix } from 'node:path';
import { appendTo } from '../../../../util/values/appendTo.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';

const NO_STRINGS: readonly string[] = [];

/** The files of the repository; all paths are relative to its root. */
export interface FileIndex {
  readonly paths: readonly string[];
  has(path: string): boolean;
  hasFolder(folder: string): boolean;
  /** Files directly in a folder; '' is the root. */
  inFolder(folder: string): readonly string[];
  /** Folders whose path ends in these segments. */
  foldersEndingIn(suffix: string): readonly string[];
  /** Files whose path ends in these segments, extension included. */
  filesEndingIn(suffix: string): readonly string[];
  /** Files with this stem (see `computeModuleStem`). */
  byStem(stem: string): readonly string[];
  /** Stems that end in these segments. */
  stemsEndingIn(suffix: string): readonly string[];
}

/** Creates the index of these paths. */
export function createFileIndex(paths: readonly string[]): FileIndex {
  const pathSet = new Set(paths);
  const folders = new Map<string, string[]>();
  const foldersByName = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const byStem = new Map<string, string[]>();
  const stemsByName = new Map<string, string[]>();
  const addFolder = (folder: string): void => {
    for (let current = folder; !folders.has(current); current = parentFolderOf(current)) {
      folders.set(current, []);
      appendTo(foldersByName, posix.basename(current), current);
      if (current === '') return;
    }
  };
  addFolder('');
  for (const path of paths) {
    const folder = parentFolderOf(path);
    addFolder(folder);
    folders.get(folder)!.push(path);
    appendTo(byName, posix.basename(path), path);
    const stem = computeModuleStem(path);
    appendTo(byStem, stem, path);
    if (byStem.get(stem)!.length === 1) appendTo(stemsByName, posix.basename(stem), stem);
  }
  const findPathsEndingIn = (byLast: ReadonlyMap<string, readonly string[]>, suffix: string) =>
    (byLast.get(posix.basename(suffix)) ?? NO_STRINGS).filter((path) => path === suffix || path.endsWith(`/${suffix}`));
  return {
    paths,
    has: (path) => pathSet.has(path),
    hasFolder: (folder) => folders.has(folder),
    inFolder: (folder) => folders.get(folder) ?? NO_STRINGS,
    foldersEndingIn: (suffix) => findPathsEndingIn(foldersByName, suffix),
    filesEndingIn: (suffix) => findPathsEndingIn(byName, suffix),
    byStem: (stem) => byStem.get(stem) ?? NO_STRINGS,
    stemsEndingIn: (suffix) => findPathsEndingIn(stemsByName, suffix),
  };
}

/** A path without its extension, and without a final `index`, `__init__` or `mod`. */
export function computeModuleStem(path: string): string {
  return path.replace(/(\.d)?\.[^./]+$/, '').replace(/(^|\/)(index|__init__|mod)$/, '');
}

/** The path that shares the most folders with `from`; null if two are equally near, or if `paths` is empty. */
export function findNearestPath(from: string, paths: readonly string[]): string | null {
  let nearestPath: string | null = null;
  let mostFolders = -1;
  let isTied = false;
  for (const path of paths) {
    const sharedFolders = countCommonFolders(path, from);
    if (sharedFolders > mostFolders) [nearestPath, mostFolders, isTied] = [path, sharedFolders, false];
    else if (sharedFolders === mostFolders) isTied = true;
  }
  return isTied ? null : nearestPath;
}

/**
 * At most one file: the one whose stem ends in `suffix` and is nearest to `from`; none if two stems are equally near.
 * Of files with the same stem, the extension of `from` is preferred.
 */
export function findBySuffix(files: FileIndex, from: string, suffix: string): readonly string[] {
  const stem = findNearestPath(from, files.stemsEndingIn(suffix));
  return stem === null ? [] : findByStem(files, from, stem);
}

/** At most one file with this stem; one with the extension of `from` is preferred. */
function findByStem(files: FileIndex, from: string, stem: string): readonly string[] {
  const candidates = files.byStem(stem);
  const sameExtension = candidates.filter((path) => posix.extname(path) === posix.extname(from));
  return (sameExtension.length > 0 ? sameExtension : candidates).slice(0, 1);
}

/** Folders above a path, nearest first, ending with the root ''. */
export function listFoldersAbove(path: string): string[] {
  const folders = [];
  for (let folder = parentFolderOf(path); ; folder = parentFolderOf(folder)) {
    folders.push(folder);
    if (folder === '') return folders;
  }
}

/** Number of equal leading segments of two paths. */
function countCommonFolders(a: string, b: string): number {
  const segments = a.split('/');
  const otherSegments = b.split('/');
  let count = 0;
  while (count < segments.length && segments[count] === otherSegments[count]) count++;
  return count;
}
