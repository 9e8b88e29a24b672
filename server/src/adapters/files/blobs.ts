// Stores small files of derived data in the state folder. Each is replaced as a whole and can be rebuilt. Together they
// stay below a size limit.

import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile } from './durableFile.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Blobs } from '../../core/ports/stores.ts';

/** Maximum number of bytes of all blobs together, because derived data must not outgrow its source. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Age in milliseconds after which a temporary file counts as left by a writer that was killed. */
const LEFTOVER_MS = 60 * 60_000;

/**
 * Opens the blobs in `stateDir`/derived. A blob that cannot be read counts as missing, so its owner rebuilds it. A
 * failed write is only logged. If all blobs together exceed `maxBytes`, those that were written longest ago are
 * deleted. Throws `internal` for an invalid name.
 */
export function createBlobs(stateDir: string, log?: Log, maxBytes = MAX_BYTES): Blobs {
  const folder = join(stateDir, 'derived');
  return {
    async read(name) {
      try {
        return await readFile(resolvePath(folder, name));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        if (code !== 'ENOENT') log?.write('warn', `${name} cannot be read; it is built again.`, error);
        return null;
      }
    },
    async write(name, bytes) {
      const path = resolvePath(folder, name);
      if (bytes.byteLength > maxBytes) return log?.write('info', `${name} is not kept: ${bytes.byteLength} bytes.`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await makeRoom(folder, name, maxBytes - bytes.byteLength);
        await replaceFile(path, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        log?.write('warn', `${name} cannot be kept; it is built again next time.`, error);
      }
    },
  };
}

function resolvePath(folder: string, name: string): string {
  checkBlobName(name);
  return join(folder, name);
}

/**
 * Throws `internal` unless `name` consists of at most 100 lower-case letters, digits, dots and hyphens, begins with a
 * letter or digit, and does not end in `.tmp`.
 */
export function checkBlobName(name: string): void {
  if (!/^[a-z0-9][a-z0-9.-]{0,99}$/.test(name) || name.endsWith('.tmp'))
    throw new SelfwareError('internal', `Not the name of a blob: ${JSON.stringify(name)}.`);
}

/**
 * Removes temporary files of killed writers. Then removes blobs other than `writtenName`, oldest first, until all
 * remaining ones take at most `remainingBytes` bytes.
 */
async function makeRoom(folder: string, writtenName: string, remainingBytes: number): Promise<void> {
  const otherBlobs = (
    await Promise.all(
      (await readdir(folder)).filter((name) => name !== writtenName).map((name) => readStat(join(folder, name))),
    )
  ).filter((file) => file !== null);
  const leftoverCutoff = Date.now() - LEFTOVER_MS;
  let totalBytes = 0;
  for (const { place, size, mtimeMs } of otherBlobs.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    totalBytes += size;
    if (totalBytes > remainingBytes || (place.endsWith('.tmp') && mtimeMs < leftoverCutoff))
      await rm(place, { force: true });
  }
}

/** The size of a blob and the time of its last change; null if another process has removed or renamed it meanwhile. */
async function readStat(path: string): Promise<{ place: string; size: number; mtimeMs: number } | null> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { place: path, size, mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
