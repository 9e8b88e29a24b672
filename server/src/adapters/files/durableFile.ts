// Writes files durably: when the promise resolves, all bytes are on the disk.

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFullAction, isDiskFull, SelfwareError } from '../../util/typedError.ts';

/**
 * Writes a new file and waits until the disk has it. The mode is set exactly, regardless of the umask. Throws the
 * errors of the system, also if the file exists. A write that fails halfway leaves a partial file.
 */
export async function writeNewFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file in one step. After a crash or a failure, it contains either the old or the new bytes. By default,
 * only its owner can read it. Throws the errors of the system.
 */
export async function replaceFile(path: string, bytes: Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeNewFile(temporary, bytes, mode);
    await rename(temporary, path);
  } catch (error) {
    // The first error is the one to report.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes a rename or deletion inside the folder durable. Windows has no such call, and needs none. */
export async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems do not support fsync for folders.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await folder.close();
  }
}

/**
 * Turns an error of the system into `diskFull`, `readOnly` or `writeFailed`, with a sentence and advice; a typed error
 * stays as it is. `subject`: the file or data that could not be written, as the beginning of the sentence.
 */
export function toWriteError(error: unknown, subject: string): SelfwareError {
  if (error instanceof SelfwareError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (isDiskFull(error)) {
    return new SelfwareError('diskFull', `${subject} could not be written: the disk is full.`, {
      action: diskFullAction(),
      cause: error,
    });
  }
  if (['EROFS', 'EACCES', 'EPERM'].includes(code)) {
    return new SelfwareError(
      'readOnly',
      `${subject} could not be written: ${code === 'EROFS' ? 'the file system is read-only' : 'permission denied'}.`,
      {
        action: 'Make the file and its folder writable for you and try again.',
        cause: error,
      },
    );
  }
  return new SelfwareError('writeFailed', `${subject} could not be written (${code || String(error)}).`, {
    action: 'Look at the cause, then try again.',
    cause: error,
  });
}
