// Finds out whether files that may import others are excluded from reading. It is then unknown which exports these
// files use.

import { posix } from 'node:path';
import { isTestData } from '../../paths/tests.ts';
import type { ProjectView } from './projectView.ts';

/**
 * True if the settings or a `.selfwareignore` exclude more than data of tests. Whether one of these patterns matches a
 * file is not examined.
 */
export async function doExclusionsHideCode({ files, excludes = [], read }: ProjectView): Promise<boolean> {
  if (excludes.some((pattern) => mayExcludeCode('', pattern))) return true;
  for (const { path } of files) {
    if (posix.basename(path) !== '.selfwareignore') continue;
    // A list that cannot be read may exclude anything.
    const lines = ((await read(path)) ?? '*').split('\n');
    if (lines.some((line) => mayExcludeCode(posix.dirname(path), line))) return true;
  }
  return false;
}

/** True for a line with a pattern, as in .gitignore, that excludes files, unless they are all data of tests. */
function mayExcludeCode(folder: string, line: string): boolean {
  const pattern = line.trim();
  return /^[^#!]/.test(pattern) && !isTestData(posix.join(folder, pattern, 'file.ts'));
}
