// Tests whether a disk still has free space. This is needed because some libraries only report that a write has failed.

import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../../util/typedError.ts';

/** Bytes of free space that the SQLite stores need in addition to their rows, with a margin. */
const NEEDED_BYTES = 256 * 1024;

/** Writes a file. Throws the errors of `writeFileSync`. */
export type TrialWrite = (place: string, bytes: Uint8Array) => void;

/**
 * True if a file of `NEEDED_BYTES` does not fit into `folder`, for lack of space or because a quota is used up. The
 * file is really written, because the figures of a file system do not show quotas. False if it fits, or if the write
 * fails for another reason.
 */
export function isDiskFullAt(folder: string, write = writeToDisk): boolean {
  const path = join(folder, `room-${randomBytes(6).toString('hex')}.tmp`);
  try {
    write(path, Buffer.alloc(NEEDED_BYTES));
    return false;
  } catch (error) {
    return isDiskFull(error);
  } finally {
    remove(path);
  }
}

const writeToDisk: TrialWrite = (place, bytes) => writeFileSync(place, bytes, { flag: 'wx', mode: 0o600 });

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    // Ignores errors of the system: if the file could not be written, there is nothing to remove.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
