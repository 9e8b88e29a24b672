// Copies the files of the repository as they are on disk, so that the sandbox holds exactly the user's bytes.

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Log } from '../../core/ports.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import type { RepositoryContent } from './repositoryContent.ts';

/** Enough to keep the disk busy without running out of file handles. */
const AT_ONCE = 32;

/**
 * Copies every file below `top` to `tree`; files that are gone are left out, as the user left them out. `except` is a folder
 * (absolute) that is never copied. What cannot be read is logged and left out. Throws `cancelled`.
 */
export async function copyTree(content: RepositoryContent, tree: string, except: string, log: Log, signal: AbortSignal): Promise<void> {
  const files = content.files.filter((path) => !isInside(except, join(content.top, path)));
  const folders = new Set([...files.map((path) => dirname(path)), ...content.submodules]);
  for (const folder of folders) await mkdir(join(tree, folder), { recursive: true });
  const queue = files.values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => work()));

  async function work(): Promise<void> {
    for (const path of queue) {
      throwIfCancelled(signal);
      try {
        await copyEntry(content.top, tree, path);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? '';
        if (code === 'ENOENT' || code === 'ENOTDIR') continue;
        if (!['EACCES', 'EPERM', 'EEXIST', 'EISDIR'].includes(code)) throw error;
        log.write('warn', `${path} could not be copied into the sandbox.`, error);
      }
    }
  }
}

async function copyEntry(top: string, tree: string, path: string): Promise<void> {
  const source = join(top, path);
  const stat = await lstat(source);
  if (stat.isFile()) return copyFile(source, join(tree, path), constants.COPYFILE_FICLONE);
  if (!stat.isSymbolicLink()) return;
  const target = await readlink(source);
  // A link into the user's tree would let a test write there.
  const own = isAbsolute(target) && isInside(top, target) ? join(tree, relative(top, target)) : target;
  await symlink(own, join(tree, path));
}

/** True for the folder itself as well. Both absolute. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
