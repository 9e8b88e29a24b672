// Lists the files of a repository that Git LFS keeps elsewhere, so that only a pointer to their content is here.

import { readTextInside } from '../files/safeRead.ts';
import { createGitRunner, hasExitCode } from './runGit.ts';

const MAX_ATTRIBUTES_BYTES = 1024 * 1024;
const USES_LFS = /\bfilter=lfs\b/;
const POINTER_START = '^version https://git-lfs.github.com/spec/v1$';
const MAX_POINTER_BYTES = 4096;
/** Maximum number of lines of a pointer. */
const MAX_POINTER_LINES = 10;

/** The pointers among the files of this repository, if its attributes name Git LFS. Reads the index. */
export async function listLfsPointers(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!USES_LFS.test(readTextInside(folder, '.gitattributes', MAX_ATTRIBUTES_BYTES) ?? '')) return [];
  const git = createGitRunner(folder);
  // By the attributes of a checked-out base, all files are binary (`-a`).
  try {
    const output = await git.text(['grep', '--cached', '--no-color', '-lzaE', POINTER_START], { signal });
    return output.split('\0').filter((path) => path !== '' && isShort(folder, path));
  } catch (error) {
    if (hasExitCode(error, 1)) return [];
    throw error;
  }
}

/** A text about pointers is longer than one. */
function isShort(folder: string, path: string): boolean {
  try {
    const text = readTextInside(folder, path, MAX_POINTER_BYTES);
    return text !== null && text.split('\n').length <= MAX_POINTER_LINES;
  } catch {
    // A larger file, or one that cannot be read, is no pointer.
    return false;
  }
}
