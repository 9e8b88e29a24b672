// Checks the files and folders that a person names, and makes them relative to the root.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { SelfwareError } from '../util/typedError.ts';

/**
 * Throws `usage` for a place that does not exist, is outside of the repository, or is neither a file nor a folder.
 * Otherwise a mistyped name would look like a file without findings.
 */
export function requirePlaces(requestedPaths: readonly string[], rootDir: string): void {
  for (const place of requestedPaths) {
    if (!isInside(findPlace(rootDir, place)))
      throw new SelfwareError('usage', `${place} is outside of ${rootDir}.`, {
        action: 'Name files or folders of this repository, or choose another repository by --repo.',
      });
    if (!existsSync(resolve(rootDir, place)))
      throw new SelfwareError('usage', `There is no ${place} in ${rootDir}.`, {
        action: 'Paths are relative to the repository (--repo, or the current folder).',
      });
    const stats = statSync(resolve(rootDir, place));
    const kind = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
    if (!stats.isFile() && !stats.isDirectory())
      throw new SelfwareError('usage', `${place} is ${kind}: only files and folders are looked at.`);
  }
}

/** The paths of these places relative to the root, with `/`; an empty string for the root itself. */
export function resolveRequestedPaths(rootDir: string, requestedPaths: readonly string[]): readonly string[] {
  return requestedPaths.map((place) => findPlace(rootDir, place));
}

/** The path of a place relative to the root. */
function findPlace(rootDir: string, requestedPath: string): string {
  const path = relative(rootDir, resolve(rootDir, requestedPath)).split(sep).join('/');
  if (isInside(path) || !existsSync(resolve(rootDir, requestedPath))) return path;
  // A shell that has followed a link may name the place by another path.
  return relative(realpathSync(rootDir), realpathSync(resolve(rootDir, requestedPath)))
    .split(sep)
    .join('/');
}

function isInside(absolutePath: string): boolean {
  // If the place is on another drive of Windows, the path stays absolute.
  return absolutePath !== '..' && !absolutePath.startsWith('../') && !isAbsolute(absolutePath);
}
