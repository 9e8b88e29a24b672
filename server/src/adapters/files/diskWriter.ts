// Writes whole files into the user's tree, each in one step, and only over the expected bytes.

import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lchown, lstat, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { readRegular } from './safeRead.ts';
import { syncFolder, writeNewFile, toWriteError } from './durableFile.ts';
import { openFoldersAbove } from './heldFolder.ts';
import { resolveInside } from './resolvedPath.ts';
import type { FileWrite, TreeWriter } from '../../core/ports/files.ts';

/** The prefix of the names of temporary files. */
export const TEMPORARY_PREFIX = '.selfware-tmp-';

/**
 * The operations that change the disk, with absolute paths. When its promise resolves, the effect of an operation is on
 * the disk (fsync).
 */
export interface RawFiles {
  /** Creates one folder, unless it exists. */
  makeFolder(folder: string): Promise<void>;
  writeTemporary(place: string, bytes: Uint8Array, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(place: string): Promise<void>;
  /**
   * Removes the folder if it is empty. Returns false if it is not empty, does not exist, is in use, or may not be
   * removed.
   */
  removeEmptyFolder(folder: string): Promise<boolean>;
}

/** The operations on the real disk. */
export const diskFiles: RawFiles = {
  async makeFolder(folder) {
    try {
      await mkdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw error;
    }
    await syncFolder(dirname(folder));
  },
  writeTemporary: writeNewFile,
  async rename(from, to) {
    await rename(from, to);
    await syncFolder(dirname(to));
  },
  async unlink(place) {
    await unlink(place);
    await syncFolder(dirname(place));
  },
  async removeEmptyFolder(folder) {
    try {
      await rmdir(folder);
      return true;
    } catch (error) {
      if (
        ['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM', 'EACCES', 'ENOENT'].includes(
          (error as NodeJS.ErrnoException).code ?? '',
        )
      )
        return false;
      throw error;
    }
  },
};

/**
 * Creates the writer for files below `rootDir`. All files are compared with `before` first, so that a stale file
 * stops the change before anything is written. Each is compared once more right before its own step. An existing file
 * keeps its permissions; a new one gets `mode`. A folder that becomes empty by a deletion is removed too, as in git.
 * Throws `stale`, `forbidden`, `unreadable`, `diskFull`, `readOnly`, `writeFailed`.
 */
export function createDiskWriter(rootDir: string, rawFiles: RawFiles = diskFiles): TreeWriter {
  return {
    async write(writes) {
      for (const write of writes) {
        await assertNoDetours(rootDir, write.path);
        await assertNotStale(join(rootDir, write.path), write);
      }
      for (const write of writes) {
        try {
          // The path is checked for each file, because the tree may have changed since the first one was written.
          await (write.after === null
            ? deleteFile(rootDir, write, rawFiles)
            : replaceFile(rootDir, write, write.after, rawFiles));
        } catch (error) {
          throw toWriteError(error, write.path);
        }
      }
    },

    async removeTemporaryFiles(paths) {
      await removeTemporaryFilesNextTo(rootDir, paths);
      for (const path of paths) await removeEmptyFolders(rootDir, path, rawFiles);
    },
  };
}

/**
 * Removes temporary files that a killed process left next to these paths. Returns their number. The caller must hold
 * the apply lock, because the files could otherwise belong to a running write.
 */
export async function removeTemporaryFilesNextTo(rootDir: string, paths: readonly string[]): Promise<number> {
  let removedCount = 0;
  const folders = new Map(paths.map((path) => [dirname(path), path.split('/')]));
  for (const segments of folders.values()) {
    await using heldFolders = await openFoldersAbove(rootDir, segments).catch(nullIfNoFolder);
    for (const name of heldFolders === null ? [] : await listTemporaryFiles(heldFolders.folder)) {
      await rm(join(heldFolders?.folder ?? '', name), { force: true });
      removedCount += 1;
    }
  }
  return removedCount;
}

async function listTemporaryFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.startsWith(TEMPORARY_PREFIX))
      .map((entry) => entry.name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw toWriteError(error, folder);
  }
}

async function replaceFile(rootDir: string, write: FileWrite, after: Uint8Array, rawFiles: RawFiles): Promise<void> {
  await using heldFolders = await openFoldersAbove(rootDir, write.path.split('/'), (folder) =>
    rawFiles.makeFolder(folder),
  );
  if (heldFolders === null) throw createStaleError(write, 'lost its folder');
  const { file, folder } = heldFolders;
  const current = await statOrNull(file);
  const temporary = join(folder, `${TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}`);
  try {
    const mode = current ? current.mode & 0o7777 : write.mode & 0o777 || 0o644;
    await rawFiles.writeTemporary(temporary, after, mode);
    if (current) await restoreOwner(temporary, current);
    await assertNotStale(file, write);
    await rawFiles.rename(temporary, file);
  } catch (error) {
    // The first error is the one to report. A temporary file that cannot be removed now is removed at the next start.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function deleteFile(rootDir: string, write: FileWrite, rawFiles: RawFiles): Promise<void> {
  await using heldFolders = await openFoldersAbove(rootDir, write.path.split('/'));
  if (heldFolders === null) {
    if (write.before !== null) throw createStaleError(write, 'was deleted');
    return;
  }
  await assertNotStale(heldFolders.file, write);
  if (write.before !== null) await rawFiles.unlink(heldFolders.file);
  for (const folder of heldFolders.removablePaths) if (!(await rawFiles.removeEmptyFolder(folder))) return;
}

/**
 * Removes the empty folders above a path. They were created for a file that was not written after all, or a deletion
 * has emptied them.
 */
async function removeEmptyFolders(rootDir: string, path: string, rawFiles: RawFiles): Promise<void> {
  const names = path.split('/');
  for (let depth = names.length; depth > 1; depth -= 1) {
    await using heldFolders = await openFoldersAbove(rootDir, names.slice(0, depth)).catch(nullIfNoFolder);
    if (heldFolders === null) continue;
    for (const folder of heldFolders.removablePaths) if (!(await rawFiles.removeEmptyFolder(folder))) return;
    return;
  }
}

/**
 * Returns null if a link or a file is in place of a folder, because then there is nothing to remove. Throws other
 * errors.
 */
function nullIfNoFolder(error: unknown): null {
  if (error instanceof SelfwareError || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
  throw error;
}

/**
 * Throws `forbidden` if the path leads through a link, into .git or out of the root, because the charter has judged the
 * change by the path itself.
 */
async function assertNoDetours(rootDir: string, path: string): Promise<void> {
  const resolved = await resolveInside(rootDir, path);
  if (
    resolved &&
    !resolved.throughLink &&
    resolved.path === path &&
    path !== '' &&
    !path.split('/').some((part) => part.toLowerCase() === '.git')
  )
    return;
  throw new SelfwareError(
    'forbidden',
    `${path} is not written: it leads through a link, into .git or out of the repository.`,
  );
}

async function assertNotStale(path: string, write: FileWrite): Promise<void> {
  const current = await readFileOrNull(path, write.path);
  if (current === null ? write.before === null : write.before !== null && Buffer.compare(current, write.before) === 0)
    return;
  const problem = current === null ? 'was deleted' : write.before === null ? 'exists already' : 'has changed';
  throw createStaleError(write, problem);
}

function createStaleError({ path }: FileWrite, problem: string): SelfwareError {
  return new SelfwareError('stale', `${path} ${problem} since the change was planned.`, {
    action: 'Propose the change again.',
  });
}

/**
 * The current bytes of a file; null if nothing is there. Throws `stale` for a folder, link or pipe, which counts as a
 * change, and `unreadable` if the system refuses.
 */
async function readFileOrNull(absolutePath: string, path: string): Promise<Uint8Array | null> {
  const stats = await statOrNull(absolutePath);
  if (stats === null) return null;
  if (!stats.isFile())
    throw new SelfwareError('stale', `${path} is no longer a regular file.`, { action: 'Propose the change again.' });
  try {
    return await readRegular(absolutePath, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new SelfwareError('unreadable', `${path} cannot be read (${code}).`, {
      action: 'Check the permissions of the file.',
      cause: error,
    });
  }
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/**
 * Gives the file the owner and group of the old file, if permitted. This is needed because the rename replaces the old
 * file by a new one.
 */
async function restoreOwner(path: string, oldStats: Stats): Promise<void> {
  const { uid, gid } = await lstat(path);
  if (uid === oldStats.uid && gid === oldStats.gid) return;
  try {
    await lchown(path, oldStats.uid, oldStats.gid);
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
