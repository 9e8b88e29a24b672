// Holds the folders above a file open during an operation, so that none of them can be replaced by a link meanwhile.

import { constants, existsSync } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';

/** Flag of open(2) that opens the folder as a path, without reading it. Node has no constant for it. */
const O_PATH = 0o10000000;

/** A place in the tree whose folders are held open. */
export interface HeldPlace extends AsyncDisposable {
  /**
   * Path of the file. It leads to the same folder while the place is held, even if a folder is replaced by a link. The
   * file itself may be a link.
   */
  readonly file: string;
  /** Path of the folder that contains the file. */
  readonly folder: string;
  /** The folders below the root on the way to the file, innermost first, as paths by which they can be removed. */
  readonly removablePaths: readonly string[];
}

/** Creates one folder; does nothing if it exists. */
export type MakeFolder = (place: string) => Promise<void>;

/**
 * Holds the folders above a file open until the result is disposed of. `segments`: the path of the file below
 * `rootDir`, which is absolute and free of links. `makeFolder`: creates a missing folder; if it is omitted, the result is
 * null if a folder is missing. Throws `forbidden` if a link is on the path.
 */
export async function openFoldersAbove(
  rootDir: string,
  segments: readonly string[],
  makeFolder?: MakeFolder,
): Promise<HeldPlace | null> {
  const handles: FileHandle[] = [];
  const close = async () => {
    for (const handle of handles.splice(0)) await handle.close();
  };
  try {
    const enterPath = (path: string) => enterFolder(path, segments, handles);
    let folder = (await enterPath(rootDir)) ?? rootDir;
    const removable: string[] = [];
    for (const name of segments.slice(0, -1)) {
      const path = join(folder, name);
      let innerFolder = await enterPath(path);
      if (innerFolder === null && makeFolder) {
        await makeFolder(path);
        innerFolder = await enterPath(path);
      }
      if (innerFolder === null) {
        await close();
        return null;
      }
      removable.unshift(path);
      folder = innerFolder;
    }
    return {
      file: join(folder, segments.at(-1) ?? ''),
      folder,
      removablePaths: removable,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the folder, and returns the path by which it has to be accessed; null if it does not exist. On systems that do
 * not show open folders as paths, the folder is only checked for being a link.
 */
async function enterFolder(path: string, segments: readonly string[], handles: FileHandle[]): Promise<string | null> {
  try {
    if (!canHoldFolders()) {
      await throwIfLink(path, segments);
      return path;
    }
    const handle = await open(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    handles.push(handle);
    return `/proc/self/fd/${handle.fd}`;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT') return null;
    if (['ENOTDIR', 'ELOOP'].includes(code)) await throwIfLink(path, segments);
    throw error;
  }
}

async function throwIfLink(path: string, segments: readonly string[]): Promise<void> {
  if (!(await lstat(path)).isSymbolicLink()) return;
  throw new SelfwareError('forbidden', `${segments.join('/')} is not written: it leads through a link.`);
}

/** True if the system shows the open folders of a process as paths; only Linux does. */
function canHoldFolders(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/fd');
}
