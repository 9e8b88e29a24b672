// Checks the files and folders that a command names, and reports those that were not analysed, because an empty list
// would look as if nothing were wrong with them.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { detectLanguage } from '../core/index/parse/language.ts';
import type { SkippedPath } from '../core/model.ts';
import type { AnalysisReport } from '../core/session.ts';
import { SelfwareError } from '../util/typedError.ts';
import { isWithin } from '../util/pathWithin.ts';

/** Reasons that a person would not expect, and can change. */
const REPORTED_REASONS: ReadonlySet<SkippedPath['reason']> = new Set([
  'too large',
  'unreadable',
  'not utf-8',
  'analysis timed out',
]);
/** Maximum number of skipped files in the sentence. */
const MAX_NAMED = 3;

/**
 * Throws `usage` for a place that does not exist, is outside of the repository, or is neither a file nor a folder.
 * Otherwise a typing mistake would look like a clean file.
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

/**
 * True if `path` (relative to the root) is one of these places (as typed) or is in one. Without places, true for the
 * whole repository.
 */
export function isRequested(path: string, rootDir: string, requestedPaths: readonly string[]): boolean {
  return requestedPaths.length === 0 || isWithin(path, resolveRequestedPaths(rootDir, requestedPaths));
}

/** A sentence about requested files that were skipped for a reason in `REPORTED_REASONS`. Null if there are none. */
export function skippedSentence(
  { skipped }: AnalysisReport,
  rootDir: string,
  requestedPaths: readonly string[],
): string | null {
  const reported = skipped.filter(
    ({ path, reason }) => REPORTED_REASONS.has(reason) && isRequested(path, rootDir, requestedPaths),
  );
  if (reported.length === 0) return null;
  const namedFiles = reported.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  return `Not looked at: ${namedFiles.join(', ')}${reported.length > MAX_NAMED ? ` and ${reported.length - MAX_NAMED} more` : ''}.`;
}

/** Languages of the requested paths. */
export function findLanguages(
  paths: Iterable<string>,
  rootDir: string,
  requestedPaths: readonly string[],
): readonly string[] {
  return [
    ...new Set(
      [...paths]
        .filter((path) => isRequested(path, rootDir, requestedPaths))
        .flatMap((path) => detectLanguage(path) ?? []),
    ),
  ];
}

/** The paths of these places relative to the root, with `/`; an empty text for the root itself. */
export function resolveRequestedPaths(rootDir: string, requestedPaths: readonly string[]): readonly string[] {
  return requestedPaths.map((index) => findPlace(rootDir, index));
}

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
