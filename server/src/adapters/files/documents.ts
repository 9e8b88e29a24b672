// Stores small JSON documents in the state folder, each replaced as a whole.

import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile, toWriteError } from './durableFile.ts';
import { withFileLock } from './lock.ts';
import type { Documents } from '../../core/ports/stores.ts';

/**
 * Maximum milliseconds for which an update waits for other updates of the same document. One update takes a few
 * milliseconds.
 */
const LOCK_WAIT_MS = 30_000;

/**
 * Opens the documents in `stateDir`/documents, one file NAME.json each. Reading throws `damaged` for a document that
 * does not parse, and leaves it in place; `unreadable` if the system refuses. Writing throws the errors of
 * `toWriteError` (`durableFile.ts`), an update also `locked`.
 */
export function createDocuments(stateDir: string): Documents {
  const folder = join(stateDir, 'documents');
  const documents: Documents = {
    async read<T>(name: string) {
      const path = resolvePath(folder, name);
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return null;
        throw new SelfwareError('unreadable', `${path} cannot be read (${code}).`, {
          action: 'Check its permissions.',
          cause: error,
        });
      }
      try {
        return JSON.parse(text) as T;
      } catch (error) {
        throw new SelfwareError('damaged', `${path} is damaged.`, {
          action: 'Fix it, or move it away to start over.',
          cause: error,
        });
      }
    },

    async write(name, value) {
      const path = resolvePath(folder, name);
      const text = JSON.stringify(value, null, 2);
      if (text === undefined) throw new SelfwareError('internal', `The document ${name} has no content.`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await replaceFile(path, Buffer.from(`${text}\n`));
      } catch (error) {
        throw toWriteError(error, path);
      }
    },

    async update<T>(name: string, change: (before: T | null) => unknown) {
      resolvePath(folder, name);
      await withFileLock(join(stateDir, 'locks', `document-${name}.lock`), LOCK_WAIT_MS, async () =>
        documents.write(name, await change(await documents.read<T>(name))),
      );
    },

    async remove(name) {
      const path = resolvePath(folder, name);
      try {
        await rm(path, { force: true });
      } catch (error) {
        throw toWriteError(error, path);
      }
    },
  };
  return documents;
}

function resolvePath(folder: string, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name))
    throw new SelfwareError('internal', `Not the name of a document: ${JSON.stringify(name)}.`);
  return join(folder, `${name}.json`);
}
