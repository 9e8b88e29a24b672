// Finds the program of an agent, and the parts of the machine that must be visible so that it can run.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { findRepositoriesAround } from '../files/stateFolder.ts';
import { isInside } from '../sandbox/isInside.ts';
import { findTrustedProgram } from '../system/ownPrograms.ts';

/**
 * Absolute path of a program, without links in its folders. Null if the program does not exist, or exists only in a
 * repository.
 */
export function findAgentProgram(program: string, path: string, rootDir: string): string | null {
  const absolutePath = isAbsolute(program)
    ? program
    : /[\\/]/.test(program)
      ? null
      : findTrustedProgram(program, path, [rootDir]);
  if (absolutePath === null || !isProgram(absolutePath) || isInRepository(absolutePath, rootDir)) return null;
  const folder = resolveRealPath(dirname(absolutePath));
  return folder === null ? null : join(folder, basename(absolutePath));
}

/**
 * Folders that a command needs: the folder of its program, of the program's link target, and of each absolute path in
 * the command line that is not in the repository. They are shown read-only, except those that contain a home
 * (`visiblePaths.ts`).
 */
export function findFoldersToShow(program: string, args: readonly string[], rootDir: string): readonly string[] {
  const namedPaths = args.filter((word) => isAbsolute(word) && !isInRepository(word, rootDir));
  const realPaths = [program, ...namedPaths].map(resolveRealPath).filter((place) => place !== null);
  return [...new Set([dirname(program), ...realPaths.map(findPackagesFolder)])];
}

/**
 * True for paths in the repository, or in one that contains it. The agent works in a copy, so the user's own tree is
 * not shown.
 */
function isInRepository(path: string, rootDir: string): boolean {
  const [realProgram, root] = [resolveRealPath(path) ?? path, resolveRealPath(rootDir) ?? rootDir];
  return [root, ...findRepositoriesAround(root)].some((folder) => isInside(folder, realProgram));
}

/** The folder to show for a program: a program of a package also needs the neighbouring packages. */
function findPackagesFolder(path: string): string {
  const mark = `${sep}node_modules${sep}`;
  const index = path.indexOf(mark);
  if (index >= 0) return path.slice(0, index + mark.length - 1);
  return statSync(path).isDirectory() ? path : dirname(path);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function resolveRealPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
