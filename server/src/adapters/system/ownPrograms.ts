// Finds the programs that Selfware starts for its own purposes, such as git: once, by absolute path, and never inside
// the open repository.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { findRepositoriesAround } from '../files/stateFolder.ts';

/** Folders of the repositories that this process has open. Their programs are not trusted. */
const repositories = new Set<string>();
/** Paths of programs that were looked up, by name, search path and untrusted folders. */
const programByKey = new Map<string, string | null>();
/** Search paths without untrusted folders, by search path and untrusted folders. */
const trustedPathByKey = new Map<string, string>();

/** Excludes the programs below `rootDir`, and below a repository that contains it, from Selfware's own purposes. */
export function distrustPrograms(rootDir: string): void {
  const realRoot = resolveRealPath(rootDir);
  if (repositories.has(realRoot)) return;
  for (const folder of [realRoot, ...findRepositoriesAround(realRoot)]) repositories.add(folder);
  programByKey.clear();
  trustedPathByKey.clear();
}

/**
 * The search path without entries that a repository controls: relative entries (which mean the current folder), entries
 * below an open repository or one of `untrustedFolders`, and the `.bin` folders that package scripts add.
 */
export function removeUntrustedFolders(path: string, untrustedFolders: readonly string[] = []): string {
  const key = [path, ...untrustedFolders].join('\0');
  const cached = trustedPathByKey.get(key);
  if (cached !== undefined) return cached;
  const untrustedRealFolders = [...repositories, ...untrustedFolders.map(resolveRealPath)];
  const trustedPath = path
    .split(delimiter)
    .filter((folder) => isTrusted(folder, untrustedRealFolders))
    .join(delimiter);
  trustedPathByKey.set(key, trustedPath);
  return trustedPath;
}

/**
 * The absolute path of a program in the search path `path`; null if there is none outside of untrusted folders.
 * `untrustedFolders`: folders whose programs are not trusted, in addition to the open repositories.
 */
export function findTrustedProgram(
  name: string,
  path: string,
  untrustedFolders: readonly string[] = [],
): string | null {
  const key = [name, path, ...untrustedFolders].join('\0');
  const cached = programByKey.get(key);
  if (cached !== undefined) return cached;
  const untrustedRealFolders = [...repositories, ...untrustedFolders.map(resolveRealPath)];
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.com`] : [name];
  const places = removeUntrustedFolders(path, untrustedFolders)
    .split(delimiter)
    .flatMap((folder) => names.map((file) => join(folder, file)));
  // A link in a folder of the system may lead back into the repository.
  const program =
    places.find(
      (place) => isAbsolute(place) && isProgram(place) && !isInsideAny(resolveRealPath(place), untrustedRealFolders),
    ) ?? null;
  programByKey.set(key, program);
  return program;
}

/** True for an absolute folder outside of the untrusted ones that is not a `.bin` of packages. */
function isTrusted(folder: string, untrustedRealFolders: readonly string[]): boolean {
  if (!isAbsolute(folder) || /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)) return false;
  return !isInsideAny(resolveRealPath(folder), untrustedRealFolders);
}

function isInsideAny(absolutePath: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const path = relative(folder, absolutePath);
    return !isAbsolute(path) && path !== '..' && !/^\.\.[\\/]/.test(path);
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return path;
  }
}
