// Names the folder of a path.

import { posix } from 'node:path';

/** The folder of a relative path with `/`; '' is the root. */
export function parentFolderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}
