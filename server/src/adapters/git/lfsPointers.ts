// Lists the files of a repository whose content Git LFS stores elsewhere, so that the repository has only a pointer to
// it.

import { readTextInside } from '../files/safeRead.ts';
import { createGitRunner, hasExitCode } from './runGit.ts';

const MAX_ATTRIBUTES_BYTES = 1024 * 1024;
const LFS_ATTRIBUTE_PATTERN = /\bfilter=lfs\b/;
const POINTER_START_PATTERN = '^version https://git-lfs.github.com/spec/v1$';
const MAX_POINTER_BYTES = 4096;
/** Maximum number of lines of a pointer. */
const MAX_POINTER_LINES = 10;

/**
 * Returns the files of this repository that are pointers; none if its attributes do not name Git LFS. Reads the index.
 */
export async function listLfsPointers(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!LFS_ATTRIBUTE_PATTERN.test(readTextInside(folder, '.gitattributes', MAX_ATTRIBUTES_BYTES) ?? '')) return [];
  const git = createGitRunner(folder);
  // `-a` lets git search binary files too: the attributes of a checked-out base make all files binary.
  try {
    const output = await git.text(['grep', '--cached', '--no-color', '-lzaE', POINTER_START_PATTERN], { signal });
    return output.split('\0').filter((path) => path !== '' && isShortAsPointer(folder, path));
  } catch (error) {
    if (hasExitCode(error, 1)) return [];
    throw error;
  }
}

/** True if the file is as short as a pointer. A text that only quotes a pointer is longer. */
function isShortAsPointer(folder: string, path: string): boolean {
  try {
    const text = readTextInside(folder, path, MAX_POINTER_BYTES);
    return text !== null && text.split('\n').length <= MAX_POINTER_LINES;
  } catch {
    // A larger file, or one that cannot be read, is not a pointer.
    return false;
  }
}
