// Paths as agents write them.

import { isWithin } from '../util/within.ts';

/** True when `path` is `wanted` or lies below it. `./`, a slash at the end and backslashes are forgiven. */
export function within(path: string, wanted: string): boolean {
  const place = wanted.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  return isWithin(path, [place === '.' ? '' : place]);
}
