// Reads a file of a mailbox. Its writer is not trusted, so only a regular file of limited size is read, and a pipe does
// not block.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { SelfwareError } from '../../util/typedError.ts';

/** Maximum number of bytes of a reply. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The text of the file; null if it does not exist. Throws `unavailable` if it cannot be read, is too large or is not a
 * regular file.
 */
export async function readReplyFile(path: string): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new SelfwareError('unavailable', `${path} cannot be read: ${error.code}.`, { cause: error });
  });
  if (!handle) return null;
  try {
    const { size, isFile } = await handle.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
    if (!isFile || size > MAX_BYTES)
      throw new SelfwareError('unavailable', `${path} is no reply: it is ${isFile ? 'too large' : 'not a file'}.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
