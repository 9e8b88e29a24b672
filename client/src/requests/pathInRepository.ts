// Parses a path that a person types for a file in the repository. Does not use VS Code's API.

import { posix } from 'node:path';

/**
 * The path relative to the root of the repository, normalised and with forward slashes. Null for an absolute path, a
 * folder, and a path that leaves the repository. The file need not exist.
 */
export function parseRepositoryPath(typedPath: string): string | null {
  const path = posix.normalize(typedPath.trim().replaceAll('\\', '/'));
  const isOutside = path === '..' || path.startsWith('../') || path.startsWith('/') || /^[a-z]:/i.test(path);
  return path === '.' || path.endsWith('/') || isOutside ? null : path;
}
