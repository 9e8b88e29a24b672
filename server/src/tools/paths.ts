// Compares paths in the spelling of agents.

import { isWithin } from '../util/pathWithin.ts';

/** True if `path` is `wantedPath` or is below it. Accepts `./`, a slash at the end, and backslashes. */
export function isInPath(path: string, wantedPath: string): boolean {
  const place = wantedPath.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return isWithin(path, [place === '.' ? '' : place]);
}
