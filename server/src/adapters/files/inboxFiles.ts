// Stores the TOML files of the inbox in the state folder, each replaced as a whole.

import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile, toWriteError } from './durableFile.ts';
import type { InboxFiles } from '../../core/ports/inbox.ts';

/** Matches the allowed names of files, which may be in a subfolder. */
const NAME_PATTERN = /^(?:[a-z]{1,20}\/)?[a-z0-9-]{1,40}\.toml$/;

/**
 * Opens the files in `stateDir`/inbox. The folder is created with the first file. Throws `internal` for an invalid
 * name; reading throws `unreadable`, and writing the errors of `toWriteError` (`durableFile.ts`).
 */
export function createInboxFiles(stateDir: string): InboxFiles {
  const pathOf = (name: string): string => {
    if (!NAME_PATTERN.test(name))
      throw new SelfwareError('internal', `Not the name of an inbox: ${JSON.stringify(name)}.`);
    return join(stateDir, 'inbox', name);
  };
  return {
    pathOf: pathOf,
    async read(name) {
      const path = pathOf(name);
      try {
        return await readFile(path, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return null;
        throw new SelfwareError('unreadable', `${path} cannot be read (${code}).`, {
          action: 'Check its permissions.',
          cause: error,
        });
      }
    },
    async write(name, text) {
      const path = pathOf(name);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await replaceFile(path, Buffer.from(text));
      } catch (error) {
        throw toWriteError(error, path);
      }
    },
  };
}
