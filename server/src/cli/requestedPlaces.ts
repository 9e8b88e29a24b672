// Determines the files that a command names, and reports those that were not analysed. Without this report, an empty
// list of findings would look as if these files had no problems.

import { resolveRequestedPaths } from '../app/namedPlaces.ts';
import { detectLanguage } from '../core/index/parse/language.ts';
import type { SkippedPath } from '../core/model.ts';
import type { AnalysisReport } from '../core/session.ts';
import { isWithin } from '../util/pathWithin.ts';

/** Reasons for skipping a file that a person would not expect and can change. */
const REPORTED_REASONS: ReadonlySet<SkippedPath['reason']> = new Set([
  'too large',
  'unreadable',
  'not utf-8',
  'analysis timed out',
]);
/** Maximum number of skipped files that the sentence names. */
const MAX_NAMED = 3;

/**
 * True if `path`, relative to the root, is one of the requested paths or lies in one of them. Requested paths are as
 * the person has typed them; without any, the whole repository is requested.
 */
export function isRequested(path: string, rootDir: string, requestedPaths: readonly string[]): boolean {
  return requestedPaths.length === 0 || isWithin(path, resolveRequestedPaths(rootDir, requestedPaths));
}

/**
 * A sentence about requested files that were skipped for one of the reasons in `REPORTED_REASONS`; null if there are
 * none.
 */
export function skippedSentence(
  { skipped }: AnalysisReport,
  rootDir: string,
  requestedPaths: readonly string[],
): string | null {
  const reportedFiles = skipped.filter(
    ({ path, reason }) => REPORTED_REASONS.has(reason) && isRequested(path, rootDir, requestedPaths),
  );
  if (reportedFiles.length === 0) return null;
  const namedFiles = reportedFiles.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  return `Not looked at: ${namedFiles.join(', ')}${reportedFiles.length > MAX_NAMED ? ` and ${reportedFiles.length - MAX_NAMED} more` : ''}.`;
}

/** The languages of those files in `paths` that are requested. */
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
