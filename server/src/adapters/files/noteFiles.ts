// Keeps text files in the state folder that a person may read and edit. Each write copies the file first.

import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile, toWriteError } from './durableFile.ts';
import type { NoteFiles } from '../../core/ports/stores.ts';
import type { Clock } from '../../core/ports/system.ts';

/** Maximum number of copies that are kept of each file. */
const MAX_COPIES = 5;
/** Milliseconds for which a copy is kept. */
const MAX_COPY_AGE_MS = 7 * 24 * 60 * 60_000;
/** Decodes UTF-8. Throws for other bytes, and keeps a byte order mark. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Matches the allowed names of files. */
const NAME_PATTERN = /^(?:history\/)?[\w-]{1,80}\.md$/;

/**
 * Opens the files in `folder`. Backups are in `folder`/backups as NAME.TIME, with the time in milliseconds. A name that
 * does not match `NAME_PATTERN` throws `internal`. Reading throws `unreadable`; writing throws the errors of
 * `toWriteError` (`durableFile.ts`).
 */
export function createNoteFiles(folder: string, clock: Clock): NoteFiles {
  const backups = join(folder, 'backups');
  return {
    async read(name) {
      const path = resolvePath(folder, name);
      try {
        return decoder.decode(await readFile(path));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') return null;
        if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
          throw new SelfwareError('unreadable', `${path} is not UTF-8, so it is left as it is.`, {
            action: 'Save it as UTF-8.',
            cause: error,
          });
        throw new SelfwareError('unreadable', `${path} cannot be read (${code}).`, {
          action: 'Check its permissions.',
          cause: error,
        });
      }
    },
    async write(name, text) {
      const path = resolvePath(folder, name);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await mkdir(backups, { recursive: true, mode: 0o700 });
        await copyFileIfExists(path, join(backups, `${name.replace('/', '-')}.${clock.now()}`));
        await replaceFile(path, Buffer.from(text));
        await removeOldCopies(backups, name.replace('/', '-'), clock.now());
      } catch (error) {
        throw toWriteError(error, path);
      }
    },
  };
}

function resolvePath(folder: string, name: string): string {
  if (!NAME_PATTERN.test(name)) throw new SelfwareError('internal', `Not the name of a note: ${JSON.stringify(name)}.`);
  return join(folder, name);
}

/** Copies the file; does nothing if it does not exist. */
async function copyFileIfExists(path: string, copy: string): Promise<void> {
  try {
    await copyFile(path, copy);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function removeOldCopies(backups: string, name: string, now: number): Promise<void> {
  const times = (await readdir(backups))
    .flatMap((fileName) => (fileName.startsWith(`${name}.`) ? [Number(fileName.slice(name.length + 1))] : []))
    .filter((time) => Number.isFinite(time))
    .toSorted((a, b) => b - a);
  for (const [index, time] of times.entries())
    if (index >= MAX_COPIES || time < now - MAX_COPY_AGE_MS)
      await rm(join(backups, `${name}.${time}`), { force: true });
}
