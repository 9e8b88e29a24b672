// Compares paths of the repository with paths as agents write them.

import { isWithin } from '../util/pathWithin.ts';

/**
 * True if `path` is `wantedPath` or lies in it. `wantedPath` may begin with `./`, end with a slash, and contain
 * backslashes instead of slashes.
 */
export function isInPath(path: string, wantedPath: string): boolean {
  const normalisedPath = wantedPath.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return isWithin(path, [normalisedPath === '.' ? '' : normalisedPath]);
}
