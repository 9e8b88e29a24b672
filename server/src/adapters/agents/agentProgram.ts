// Finds the program of an agent, and the parts of the machine that must be visible so that it can run.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { findRepositoriesAround } from '../files/stateFolder.ts';
import { isInside } from '../sandbox/isInside.ts';
import { findTrustedProgram } from '../system/ownPrograms.ts';

/**
 * Absolute path of the program, without links in its folders. Null if it does not exist, is not executable, lies in the
 * repository or one around it, or is named by a relative path.
 */
export function findAgentProgram(program: string, path: string, rootDir: string): string | null {
  const absolutePath = isAbsolute(program)
    ? program
    : /[\\/]/.test(program)
      ? null
      : findTrustedProgram(program, path, [rootDir]);
  if (absolutePath === null || !isProgram(absolutePath) || isInUserRepository(absolutePath, rootDir)) return null;
  const folder = resolveRealPath(dirname(absolutePath));
  return folder === null ? null : join(folder, basename(absolutePath));
}

/**
 * Folders that a command needs: those of its program, of the target of a link to it, and of each absolute path in its
 * arguments that is not in the repository. They are shown read-only; folders that contain a home stay hidden
 * (`visiblePaths.ts`).
 */
export function findFoldersToShow(program: string, args: readonly string[], rootDir: string): readonly string[] {
  const namedPaths = args.filter((word) => isAbsolute(word) && !isInUserRepository(word, rootDir));
  const realPaths = [program, ...namedPaths].map(resolveRealPath).filter((place) => place !== null);
  return [...new Set([dirname(program), ...realPaths.map(findPackagesFolder)])];
}

/**
 * True for paths in the repository or in one that contains it. They are not shown, because the agent works in a copy.
 */
function isInUserRepository(path: string, rootDir: string): boolean {
  const [realPath, root] = [resolveRealPath(path) ?? path, resolveRealPath(rootDir) ?? rootDir];
  return [root, ...findRepositoriesAround(root)].some((folder) => isInside(folder, realPath));
}

/**
 * The folder to show for a file: the folder of packages for a file in one, because it also needs the neighbouring
 * packages; otherwise the folder that it is or lies in.
 */
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
