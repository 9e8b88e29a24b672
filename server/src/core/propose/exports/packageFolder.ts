// Finds the package to which a file belongs.

import { posix } from 'node:path';

/** The nearest folder with a package.json around a file; `.` if there is none below the root. */
export function findPackageFolder(fileExists: (path: string) => boolean, root: string, path: string): string {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (folder === '.' || fileExists(posix.join(root, folder, 'package.json'))) return folder;
  }
}
