// Tests whether one absolute path lies in another. Only the texts are compared; links are not followed.

import { sep } from 'node:path';

/** True if `path` is `folder` or lies in it. Both must be absolute and normalised. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
