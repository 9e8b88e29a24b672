// Tells whether a path lies in a folder.

import { sep } from 'node:path';

/** True for the folder itself as well. Both absolute. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
