// Tests whether a path is in a folder.

import { sep } from 'node:path';

/** True also for the folder itself. Both paths must be absolute. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
