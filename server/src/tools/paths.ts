// Compares paths in the spelling of agents.

import { isWithin } from '../util/within.ts';

/** True if `path` is `wanted` or is below it. Accepts `./`, a slash at the end, and backslashes. */
export function within(path: string, wanted: string): boolean {
  const place = wanted.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return isWithin(path, [place === '.' ? '' : place]);
}
