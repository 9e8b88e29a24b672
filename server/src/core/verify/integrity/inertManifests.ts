// Recognises edits of manifests and lock files that cannot change behaviour, such as those of versions, descriptions
// and URLs.

import type { FileEdit } from '../../model.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** Fields of package.json that package managers, Node and bundlers only display or publish. */
const INERT_FIELDS: ReadonlySet<string> = new Set([
  'version',
  'description',
  'keywords',
  'author',
  'contributors',
  'maintainers',
  'repository',
  'homepage',
  'bugs',
  'funding',
  'license',
  'licenses',
]);
const MANIFEST_PATTERN = /(?:^|\/)package\.json$/;
const LOCK_PATTERN = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * True if an edit of package.json or of npm's lock file changes only fields that nothing executes. A version is such a
 * field even if other packages of the repository depend on it, because the lock file determines which version they get.
 */
export function isInertManifestEdit({ path, before, after }: FileEdit): boolean {
  const serializeActive = MANIFEST_PATTERN.test(path)
    ? serializeActiveFields
    : LOCK_PATTERN.test(path)
      ? serializeActiveLock
      : null;
  const [fieldsBefore, fieldsAfter] = [parseFields(before), parseFields(after)];
  return (
    serializeActive !== null &&
    fieldsBefore !== null &&
    fieldsAfter !== null &&
    serializeActive(fieldsBefore) === serializeActive(fieldsAfter)
  );
}

/** The fields that affect behaviour, as JSON. Their order is preserved, because it is significant in `exports`. */
function serializeActiveFields(fields: Fields): string {
  return JSON.stringify(Object.entries(fields).filter(([name]) => !INERT_FIELDS.has(name)));
}

/**
 * The parts of a lock file that affect behaviour, as JSON: all but its version and the inert fields of packages of the
 * repository.
 */
function serializeActiveLock({ version: _, packages, ...fields }: Fields): string {
  const entries = Object.entries(isRecord(packages) ? packages : {}).map(([place, entry]) => {
    const isWorkspacePackage = !/(?:^|\/)node_modules\//.test(place) && isRecord(entry);
    return [place, isWorkspacePackage ? serializeActiveFields(entry) : entry];
  });
  return JSON.stringify([fields, entries]);
}

function parseFields(text: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
