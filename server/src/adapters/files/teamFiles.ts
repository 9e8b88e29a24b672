// Writes Selfware's own files in a repository, `.selfware/NAME`. Each write is complete or has no effect.

import { mkdir, realpath, rm } from 'node:fs/promises';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile, toWriteError } from './durableFile.ts';
import { openFoldersAbove } from './heldFolder.ts';
import { resolveInside } from './resolvedPath.ts';
import type { TeamFiles } from '../../core/ports/files.ts';

/** Permission bits of team files. Everybody may read them, because they are committed. */
const FILE_MODE = 0o644;

/**
 * Creates the writer. `write` with null removes the file. It throws `forbidden` if the path is not `.selfware/NAME` or
 * leads through a link, and the errors of `toWriteError` (`durableFile.ts`).
 */
export function createTeamFiles(rootDir: string): TeamFiles {
  return {
    async write(path, bytes) {
      const resolved = await resolveInside(rootDir, path);
      if (!/^\.selfware\/[\w.-]+$/.test(path) || resolved === null || resolved.throughLink || resolved.path !== path) {
        throw new SelfwareError(
          'forbidden',
          `${path} cannot hold a file of Selfware's own, or a link leads it elsewhere.`,
          { action: 'Make .selfware a regular folder.' },
        );
      }
      try {
        await using heldPlace = await openFoldersAbove(await realpath(rootDir), path.split('/'), (folder) =>
          mkdir(folder),
        );
        if (bytes === null) return await rm(heldPlace!.file, { force: true });
        await replaceFile(heldPlace!.file, bytes, FILE_MODE);
      } catch (error) {
        // Only errors of the operating system have a code.
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        throw toWriteError(error, path);
      }
    },
  };
}
