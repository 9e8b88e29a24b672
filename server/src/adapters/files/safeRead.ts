// Reads the bytes of a repository. No other module may read them (`test/tidy/safeRead.test.ts`). A file is read only if
// it is regular, inside the root and within a size limit, and it is opened without blocking.

import { closeSync, constants, copyFileSync, existsSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { MISSING_PATH_CODES, findPathInside, splitRelativePath } from './resolvedPath.ts';

/** Maximum number of bytes of a file that is read, unless the caller sets another limit. Larger files are data. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Flags of open(2) for reading. With them, a pipe without a writer opens immediately, and a terminal does not become
 * the controlling one.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** Number of bytes of one read if the size of a file is unknown or has been exceeded. */
const CHUNK_BYTES = 64 * 1024;
/** The folder in which the system shows the open files of this process; null except on Linux. */
const HANDLE_FOLDER = process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : null;

/**
 * Bytes of the file at `path` (relative, with `/`) below `rootDir`. A link is followed as long as it stays inside. Null
 * if nothing is there, or if the path leads out of the root. Throws `unreadable` for a folder, pipe, socket or device,
 * for more than `maxBytes` bytes, and if the system refuses.
 */
export function readInsideSync(rootDir: string, path: string, maxBytes = MAX_BYTES): Uint8Array | null {
  return nullIfMissing(path, () => readBelowSync(realpathSync.native(rootDir), path, maxBytes));
}

/**
 * The text of a file below `rootDir`, without a byte order mark. Null if nothing is there, or if the path leads out of
 * the root. Throws `unreadable`.
 */
export function readTextInside(rootDir: string, path: string, maxBytes = MAX_BYTES): string | null {
  const bytes = readInsideSync(rootDir, path, maxBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/**
 * The bytes of a file below `rootDir`, read without blocking the thread. Null if nothing is there, or if the path leads
 * out of the root. Throws `unreadable` as `readInsideSync` does.
 */
export async function readInside(rootDir: string, path: string, maxBytes = MAX_BYTES): Promise<Uint8Array | null> {
  try {
    return await readBelow(await realpath(rootDir), path, maxBytes);
  } catch (error) {
    return nullIfMissingError(error, path);
  }
}

/**
 * The bytes of a file below `root`, which must be absolute and free of links. Null if nothing is there, or if the path
 * leads out of the root. Throws `unreadable` as `readInsideSync` does.
 */
export function readBelowSync(root: string, path: string, maxBytes = MAX_BYTES): Uint8Array | null {
  const segments = splitRelativePath(path);
  if (segments === null) return null;
  return nullIfMissing(path, () => {
    const absolutePath = realpathSync.native(join(root, ...segments));
    return findPathInside(root, absolutePath) === null ? null : readOpenedSync(absolutePath, path, maxBytes, root);
  });
}

/**
 * The bytes of a file below `root`, which must be absolute and free of links, read without blocking the thread. Null if
 * nothing is there, or if the path leads out of the root. Throws `unreadable` as `readInsideSync` does.
 */
export async function readBelow(root: string, path: string, maxBytes = MAX_BYTES): Promise<Uint8Array | null> {
  const segments = splitRelativePath(path);
  if (segments === null) return null;
  try {
    const absolutePath = await realpath(join(root, ...segments));
    return findPathInside(root, absolutePath) === null ? null : await readOpened(absolutePath, path, maxBytes, root);
  } catch (error) {
    return nullIfMissingError(error, path);
  }
}

/**
 * Reads the file at an absolute path that contains no links; `path` names it in messages. Throws the system's error if
 * nothing is there, and `unreadable` as `readInsideSync` does.
 */
export function readRegularSync(absolutePath: string, path: string): Uint8Array {
  return readOpenedSync(absolutePath, path, MAX_BYTES, null);
}

/**
 * Reads the file at an absolute path that contains no links, without blocking the thread. `path` names it in messages.
 * Throws the system's error if nothing is there, and `unreadable` as `readInsideSync` does.
 */
export function readRegular(absolutePath: string, path: string, maxBytes = MAX_BYTES): Promise<Uint8Array> {
  return readOpened(absolutePath, path, maxBytes, null);
}

/**
 * Copies a regular file, as a clone if the file system supports it. `to` must not exist. Anything else is refused with
 * `unreadable` and without waiting, even if it was a regular file before.
 */
export function copyRegularSync(from: string, to: string): void {
  throwIfUnreadable(lstatSync(from).isFile(), 0, from, Infinity);
  const file = openSync(from, OPEN_FLAGS | (constants.O_NOFOLLOW ?? 0));
  try {
    throwIfUnreadable(fstatSync(file).isFile(), 0, from, Infinity);
    // Copying by its handle guarantees that the checked file is copied.
    copyFileSync(HANDLE_FOLDER === null ? from : `${HANDLE_FOLDER}/${file}`, to, constants.COPYFILE_FICLONE);
  } finally {
    closeSync(file);
  }
}

/**
 * Tests whether a file can be opened, without blocking and without reading it. Throws the system's error if it cannot.
 */
export async function openAndClose(path: string): Promise<void> {
  await (await open(path, OPEN_FLAGS)).close();
}

function readOpenedSync(absolutePath: string, path: string, maxBytes: number, root: string | null): Uint8Array {
  // Other kinds of files are not opened; if one replaces the file meanwhile, opening it does not block.
  throwIfUnreadable(statSync(absolutePath).isFile(), 0, path, maxBytes);
  const file = openSync(absolutePath, OPEN_FLAGS);
  try {
    throwIfOutside(file, root, path);
    const stats = fstatSync(file);
    throwIfUnreadable(stats.isFile(), stats.size, path, maxBytes);
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const chunk = Buffer.allocUnsafe(computeReadSize(stats.size, size));
      const bytesRead = readSync(file, chunk, 0, chunk.length, null);
      chunks.push(chunk.subarray(0, bytesRead));
      throwIfUnreadable(true, (size += bytesRead), path, maxBytes);
      if (hasReachedEnd(bytesRead, size, stats.size)) return joinChunks(chunks);
    }
  } finally {
    closeSync(file);
  }
}

async function readOpened(
  absolutePath: string,
  path: string,
  maxBytes: number,
  root: string | null,
): Promise<Uint8Array> {
  throwIfUnreadable((await stat(absolutePath)).isFile(), 0, path, maxBytes);
  const file = await open(absolutePath, OPEN_FLAGS);
  try {
    throwIfOutside(file.fd, root, path);
    const stats = await file.stat();
    throwIfUnreadable(stats.isFile(), stats.size, path, maxBytes);
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(computeReadSize(stats.size, size)));
      chunks.push(buffer.subarray(0, bytesRead));
      throwIfUnreadable(true, (size += bytesRead), path, maxBytes);
      if (hasReachedEnd(bytesRead, size, stats.size)) return joinChunks(chunks);
    }
  } finally {
    await file.close();
  }
}

/**
 * Throws `unreadable` if the opened file is not inside the root. A folder on the path may have become a link since the
 * path was resolved. `root` null: nothing is checked.
 */
function throwIfOutside(file: number, root: string | null, path: string): void {
  if (root === null || HANDLE_FOLDER === null) return;
  if (findPathInside(root, readlinkSync(`${HANDLE_FOLDER}/${file}`)) === null) {
    throw new SelfwareError('unreadable', `${path} leads out of the repository.`);
  }
}

/**
 * Number of bytes for the next read. The reported size is only a hint: a file may grow, and some have no size until
 * they are read.
 */
function computeReadSize(reportedSize: number, size: number): number {
  return size === 0 && reportedSize > 0 ? reportedSize + 1 : CHUNK_BYTES;
}

/**
 * True if the read has reached the end. The first read has room for one more byte than the reported size, so a file
 * that did not grow ends with it.
 */
function hasReachedEnd(bytesRead: number, size: number, reportedSize: number): boolean {
  return bytesRead === 0 || (reportedSize > 0 && size === reportedSize);
}

function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [onlyChunk] = chunks;
  return chunks.length === 1 && onlyChunk ? onlyChunk : Buffer.concat(chunks);
}

function throwIfUnreadable(isFile: boolean, size: number, path: string, maxBytes: number): void {
  if (!isFile) throw new SelfwareError('unreadable', `${path} is not a file.`);
  if (size > maxBytes) {
    throw new SelfwareError('unreadable', `${path} is larger than ${Math.round(maxBytes / 1024)} KiB and is not read.`);
  }
}

function nullIfMissing<T>(path: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    return nullIfMissingError(error, path);
  }
}

function nullIfMissingError(error: unknown, path: string): null {
  if (error instanceof SelfwareError) throw error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (MISSING_PATH_CODES.has(code)) return null;
  const action = 'Check the permissions of the file.';
  throw new SelfwareError('unreadable', `${path} cannot be read (${code}).`, { action, cause: error });
}
