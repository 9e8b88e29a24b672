// Finds and creates the folder in which Selfware stores its data about one repository. It lies outside of the working
// tree, and only its owner has access.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { diskFullAction, isDiskFull, SelfwareError } from '../../util/typedError.ts';
import { sha256 } from '../../util/hash.ts';
import type { Environment } from '../../util/values/environment.ts';

/**
 * The folder of a repository, under SELFWARE_HOME or the user's data directory. Its name is readable and contains a
 * hash of the real path. So two repositories of the same name have two folders, and a repository that is reached
 * through a link has only one.
 */
export function resolveStateFolder(
  rootDir: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const realRoot = resolveRealPath(rootDir);
  const hash = sha256(realRoot).slice(0, 12);
  const name =
    basename(realRoot)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, 60) || 'root';
  return join(resolveDataFolder(env, platform), `${name}-${hash}`);
}

/**
 * Throws `usage` if the state, including a person's own settings, would be in the repository, whose authors could then
 * write them. A repository that contains the home folder is allowed, because it is the person's own.
 */
export function throwIfStateInside(rootDir: string, env: Environment): void {
  const [realRoot, folder] = [
    resolveRealPath(rootDir),
    resolveFutureRealPath(resolveDataFolder(env, process.platform)),
  ];
  if (!isInsideFolder(folder, realRoot) || isInsideFolder(resolveRealPath(findSelfwareHome()), realRoot)) return;
  throw new SelfwareError('usage', `The state folder ${folder} lies in the repository ${realRoot}.`, {
    action: 'Set SELFWARE_HOME to a folder outside of it.',
  });
}

/**
 * True if a repository or one of `folders` contains the path. Folders that also contain the person's home do not count.
 */
export function isInRepositoryOrFolder(path: string, folders: readonly string[]): boolean {
  const realPath = resolveFutureRealPath(path);
  const home = resolveRealPath(findSelfwareHome());
  const containsPath = (folder: string) => isInsideFolder(realPath, folder) && !isInsideFolder(home, folder);
  return folders.map(resolveRealPath).some(containsPath) || findRepositoriesAround(realPath).length > 0;
}

/**
 * The folders with a `.git` that contain the absolute path, innermost first, except those that contain the home folder.
 * Runs nothing.
 */
export function findRepositoriesAround(path: string): readonly string[] {
  const home = resolveRealPath(findSelfwareHome());
  const repositories: string[] = [];
  for (let folder = path; dirname(folder) !== folder; folder = dirname(folder))
    if (!isInsideFolder(home, folder) && existsSync(join(folder, '.git'))) repositories.push(folder);
  return repositories;
}

/** The home folder according to the system, ignoring the environment. */
export function findSelfwareHome(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    // A container may run a user that its system does not know.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return homedir();
  }
}

function isInsideFolder(absolutePath: string, folder: string): boolean {
  const path = relative(folder, absolutePath);
  return !isAbsolute(path) && path !== '..' && !/^\.\.[\\/]/.test(path);
}

/** Creates the folder with access for its owner only. Throws `readOnly`, `diskFull` or `writeFailed`. */
export async function createStateFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder);
    await chmod(folder, 0o700);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (isDiskFull(error))
      throw new SelfwareError('diskFull', `The state folder ${folder} cannot be made: the disk is full.`, {
        action: diskFullAction(folder),
        cause: error,
      });
    const reason = ['EROFS', 'EACCES', 'EPERM'].includes(code) ? 'readOnly' : 'writeFailed';
    throw new SelfwareError(reason, `The state folder ${folder} cannot be made (${code}).`, {
      action: 'Set SELFWARE_HOME to a folder that you may write to.',
      cause: error,
    });
  }
}

/**
 * Creates the folder and those above it, one after the other. The recursive `mkdir` of Node never ends in places like
 * /proc, where a folder cannot be made although the one above it exists.
 */
async function makeFolders(folder: string): Promise<void> {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) await makeFolders(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process may have created the folder meanwhile.
    if (error.code !== 'EEXIST' || !isFolder(folder)) throw error;
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The folder that contains the state folders of all repositories. It may not exist yet. */
export function resolveDataFolder(env: Environment, platform: NodeJS.Platform): string {
  if (env['SELFWARE_HOME']) return resolve(env['SELFWARE_HOME']);
  const home = env['HOME'] || env['USERPROFILE'] || homedir();
  // The XDG base directory specification demands that relative values are ignored.
  if (env['XDG_DATA_HOME'] && isAbsolute(env['XDG_DATA_HOME'])) return join(env['XDG_DATA_HOME'], 'selfware');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'selfware');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'selfware');
  return join(home, '.local', 'share', 'selfware');
}

/**
 * The real path of a folder. For a folder that does not exist, the absolute path; the code that opens it reports the
 * problem.
 */
function resolveRealPath(folder: string): string {
  return resolveRealPathOr(folder, () => resolve(folder));
}

/**
 * The real path of a folder; for one that does not exist yet, the real path of the folder in which it would be created.
 */
function resolveFutureRealPath(folder: string): string {
  const parent = dirname(resolve(folder));
  return resolveRealPathOr(folder, () =>
    parent === resolve(folder) ? parent : join(resolveFutureRealPath(parent), basename(folder)),
  );
}

function resolveRealPathOr(folder: string, otherwise: () => string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return otherwise();
  }
}
