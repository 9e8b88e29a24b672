// Reads the user's working tree on disk.

import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { readBelow, readBelowSync } from './safeRead.ts';
import { MISSING_PATH_CODES, findPathInside, resolveInside, splitRelativePath } from './resolvedPath.ts';
import { createTreeWalk } from './treeWalk.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Files, FileStat } from '../../core/ports/files.ts';

/** Minimum milliseconds of a slow read: the file was not in memory, or this process had to wait for the processor. */
const SLOW_MS = 4;
/** Minimum number of slow reads of a slow disk. */
const MIN_SLOW_READS = 16;
/** Minimum share of slow reads among all reads of a slow disk. */
const MIN_SLOW_SHARE = 0.25;

/**
 * Opens a folder. `read` and `stat` follow links inside the root; nothing outside exists. Throws `notFound` if there
 * is no such folder, and `unreadable` if its entries cannot be listed.
 */
export async function createWorkingTree(rootDir: string, log?: Log): Promise<Files> {
  const root = await resolveFolder(rootDir);
  const ignoresCase = await isCaseInsensitive(root);
  let readCount = 0;
  let slowReadCount = 0;
  const isSlow = (): boolean => slowReadCount >= MIN_SLOW_READS && slowReadCount > readCount * MIN_SLOW_SHARE;
  /**
   * Reads synchronously while reads are fast, which takes a fifth of the time, and in the background on a slow disk.
   */
  const readAndMeasure = (path: string): Uint8Array | null => {
    const startedAt = performance.now();
    const bytes = readBelowSync(root, path);
    readCount++;
    if (performance.now() - startedAt > SLOW_MS) slowReadCount++;
    return bytes;
  };
  return {
    rootDir: root,
    isCaseInsensitive: ignoresCase,
    walk: createTreeWalk(root, ignoresCase, log),
    resolve: (path) => resolveInside(root, path),

    async stat(path) {
      const absolutePath = await resolveInRoot(root, path);
      return absolutePath === null ? null : nullIfMissing(path, async () => describeStat(await stat(absolutePath)));
    },

    async read(path) {
      const segments = splitRelativePath(path);
      if (segments === null) return null;
      if (!segments.includes('..')) return isSlow() ? readBelow(root, path) : readAndMeasure(path);
      const resolved = await resolveInside(root, path);
      return resolved && readBelow(root, resolved.path);
    },
  };
}

/** The properties of a file that the core needs. */
function describeStat(stats: Stats): FileStat {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  return { size: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode & 0o7777, kind };
}

async function resolveFolder(folder: string): Promise<string> {
  try {
    const realFolder = await realpath(folder);
    if ((await stat(realFolder)).isDirectory()) return realFolder;
  } catch (error) {
    throw new SelfwareError(
      'notFound',
      `The folder ${folder} cannot be opened (${(error as NodeJS.ErrnoException).code}).`,
      { action: 'Name an existing folder that you may read.', cause: error },
    );
  }
  throw new SelfwareError('notFound', `${folder} is not a folder.`, { action: 'Name the folder of the repository.' });
}

/** The absolute path without links; null if the file does not exist or is not inside the root. */
async function resolveInRoot(root: string, path: string): Promise<string | null> {
  const segments = splitRelativePath(path);
  if (segments === null) return null;
  if (segments.includes('..')) {
    const resolved = await resolveInside(root, path);
    return resolved && join(root, resolved.path);
  }
  const place = await nullIfMissing(path, () => realpath(join(root, ...segments)));
  return place !== null && findPathInside(root, place) !== null ? place : null;
}

async function nullIfMissing<T>(path: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SelfwareError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (MISSING_PATH_CODES.has(code)) return null;
    throw new SelfwareError('unreadable', `${path} cannot be read (${code}).`, {
      action: 'Check the permissions of the file.',
      cause: error,
    });
  }
}

/**
 * True if the file system ignores the case of names. Looks up an existing entry in the other case, so that nothing has
 * to be written. If no name has letters, the platform decides. Throws `unreadable`.
 */
async function isCaseInsensitive(root: string): Promise<boolean> {
  const names = new Set(await readdir(root).catch(createUnreadableHandler(root)));
  const nameWithLetters = [...names].find((name) => swapCase(name) !== name && !names.has(swapCase(name)));
  const place = nameWithLetters === undefined ? root : join(root, nameWithLetters);
  const swappedPath = join(dirname(place), swapCase(basename(place)));
  if (swappedPath === place) return process.platform === 'win32' || process.platform === 'darwin';
  try {
    const [stats, swappedStats] = await Promise.all([lstat(place), lstat(swappedPath)]);
    return stats.ino === swappedStats.ino && stats.dev === swappedStats.dev;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function createUnreadableHandler(root: string): (error: unknown) => never {
  return (error) => {
    throw new SelfwareError('unreadable', `The folder ${root} cannot be read.`, {
      action: 'Check the permissions of the folder.',
      cause: error,
    });
  };
}

/** The name with the case of its ASCII letters swapped. For other letters, the rules differ between file systems. */
function swapCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}
