// Finds the lock file that applies to a folder, and the package manager that writes it.

import { posix } from 'node:path';

/** The names of lock files, each with its package manager. If a folder has several, the first one counts. */
const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
] as const;

/** A lock file: its path, its folder, and the package manager that writes it. */
export interface LockFile {
  readonly path: string;
  readonly folder: string;
  readonly manager: (typeof LOCK_FILES)[number][1];
}

/**
 * The lock file that applies to a folder: the one in the folder itself, or in the nearest folder above; null if there
 * is none.
 */
export function findNearestLockFile(innerFolder: string, exists: (path: string) => boolean): LockFile | null {
  for (const folder of listAncestors(innerFolder))
    for (const [name, manager] of LOCK_FILES) {
      const path = posix.join(folder, name);
      if (exists(path)) return { path, folder, manager };
    }
  return null;
}

/**
 * The lock files that may list the package in a folder: all lock files of the nearest folder that has any, and the lock
 * files above it that name the folder. `read` returns the text of a file.
 */
export function findLockFiles(
  dir: string,
  exists: (path: string) => boolean,
  read: (path: string) => string | undefined,
): LockFile[] {
  const locks: LockFile[] = [];
  let isNearest = true;
  for (const folder of listAncestors(dir)) {
    const relativeFolder = computeRelativePath(folder, dir);
    const locksInFolder = LOCK_FILES.flatMap(([name, manager]) => {
      const path = posix.join(folder, name);
      const isRelevant = exists(path) && (isNearest || namesFolder(read(path) ?? '', relativeFolder));
      return isRelevant ? [{ path, folder, manager }] : [];
    });
    locks.push(...locksInFolder);
    if (locksInFolder.length > 0) isNearest = false;
  }
  return locks;
}

/** True if a lock file has an entry for a folder: the key of npm or pnpm, or Yarn's `name@workspace:folder`. */
function namesFolder(text: string, folder: string): boolean {
  return [`"${folder}": {`, `\n  ${folder}:\n`, `@workspace:${folder}"`].some((key) => text.includes(key));
}

/** The path of a folder relative to `outerFolder`, which contains it. */
export function computeRelativePath(outerFolder: string, folder: string): string {
  return outerFolder === '' ? folder : folder.slice(outerFolder.length + 1);
}

/** The folder, and all folders above it up to the root, which is ''. */
export function listAncestors(folder: string): string[] {
  if (folder === '') return [''];
  const parent = posix.dirname(folder);
  return [folder, ...listAncestors(parent === '.' ? '' : parent)];
}
