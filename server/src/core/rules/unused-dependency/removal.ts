// Writes the command that removes a package from a package.json. Names and folders come from the repository, and people
// run the command, so each of them must be a single word for every shell.

import { posix } from 'node:path';
import { listAncestors, findNearestLockFile, computeRelativePath } from '../../model/lockFiles.ts';

/** The names of the lock files of npm. */
const NPM_LOCKS: readonly string[] = ['package-lock.json', 'npm-shrinkwrap.json'];

/**
 * The path of npm's lock file that applies to a folder: the one in the folder itself, or the nearest above; null if
 * there is none. All paths are relative to the root of the repository.
 */
export function findNpmLock(dir: string, paths: ReadonlySet<string>): string | null {
  const candidates = listAncestors(dir).flatMap((folder) => NPM_LOCKS.map((lock) => posix.join(folder, lock)));
  return candidates.find((path) => paths.has(path)) ?? null;
}

/**
 * The command that removes the package `name` from the manifest in `dir`, to be run in the root of the repository with
 * the package manager whose lock file is nearest. Null if the name of the folder cannot be written for every shell.
 * `isWorkspaceOf`: true for a folder of which npm knows `dir` as a workspace.
 */
export function createRemovalCommand(
  dir: string,
  name: string,
  paths: ReadonlySet<string>,
  isWorkspaceOf: (folder: string) => boolean,
): string | null {
  const folderWord = quoteFolder(dir);
  if (folderWord === null) return null;
  const [manager, lockFolder] = chooseManager(dir, paths);
  if (manager === 'pnpm') return `pnpm remove ${dir === '' ? '' : `--dir ${folderWord} `}${name}`;
  if (manager === 'yarn') return `yarn ${dir === '' ? '' : `--cwd ${folderWord} `}remove ${name}`;
  if (manager === 'bun') return `bun remove ${dir === '' ? '' : `--cwd ${folderWord} `}${name}`;
  const isWorkspace = dir !== lockFolder && isWorkspaceOf(lockFolder);
  const prefix = isWorkspace ? lockFolder : dir;
  const workspace = isWorkspace ? `--workspace ${quoteFolder(computeRelativePath(lockFolder, dir))} ` : '';
  return `npm ${prefix === '' ? '' : `--prefix ${quoteFolder(prefix)} `}uninstall ${workspace}${name}`;
}

/** The package manager of the nearest lock file and the folder of that file; npm and the root if there is none. */
function chooseManager(folder: string, paths: ReadonlySet<string>): readonly [manager: string, folder: string] {
  const lock = findNearestLockFile(folder, (path) => paths.has(path));
  return lock === null ? ['npm', ''] : [lock.manager, lock.folder];
}

/** The folder as one word of a command line, in quotes if it needs them; null if quotes do not suffice. */
function quoteFolder(folder: string): string | null {
  if (/^[\w.][\w./-]*$/.test(folder) || folder === '') return folder;
  return /^[\p{L}\p{N}_.@(+][\p{L}\p{N}_.@ ()+/-]*$/u.test(folder) ? `"${folder}"` : null;
}
