// Gives an agent a copy of its login in the home folder of its enclosure, which is removed afterwards. Nothing is
// copied back.

import { chmod, lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { readRegular } from '../files/safeRead.ts';

/** Maximum number of bytes of a file. A login is small. A larger file is probably a history, and is refused. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Copies `files` (paths below `home`) to the same paths below `targetHome`, readable only by their owner. Missing files are
 * skipped. Returns the texts of the copies. Throws `usage` for a path outside of `home`, and `unreadable` for anything
 * other than a file of at most `MAX_FILE_BYTES`.
 */
export async function shareLogin(
  home: string,
  files: readonly string[],
  targetHome: string,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const file of files) {
    const path = normalize(file);
    if (isAbsolute(path) || path.split(/[\\/]/)[0] === '..')
      throw new SelfwareError('usage', `The login ${file} does not lie below your home.`, {
        action: 'Name a file below it, such as .agent/login.json.',
      });
    // The file may be a link, because people keep such files under version control elsewhere.
    const absolutePath = await realpath(join(home, path)).catch(() => null);
    if (absolutePath === null) continue;
    const stats = await lstat(absolutePath);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES)
      throw new SelfwareError(
        'unreadable',
        `~/${file} is no login: it is ${stats.isFile() ? 'too large' : 'not a file'}.`,
        {
          action: 'Name the file that holds the login.',
        },
      );
    const copyPath = join(targetHome, path);
    await mkdir(dirname(copyPath), { recursive: true, mode: 0o700 });
    const bytes = await readRegular(absolutePath, `~/${file}`, MAX_FILE_BYTES);
    texts.push(new TextDecoder().decode(bytes));
    await writeFile(copyPath, bytes, { mode: 0o600 });
    await chmod(copyPath, 0o600);
  }
  return texts;
}
