// Reads a path that a person types for a file of the repository. Plain data in and out.

import { posix } from 'node:path';

/** The path relative to the root of the repository, with slashes; null if it names no file in the repository. */
export function pathInRepository(typed: string): string | null {
  const path = posix.normalize(typed.trim().replaceAll('\\', '/'));
  const isOutside = path === '..' || path.startsWith('../') || path.startsWith('/') || /^[a-z]:/i.test(path);
  return path === '.' || path.endsWith('/') || isOutside ? null : path;
}
