// Recognises edits of manifests and lock files that change nothing that runs: versions, descriptions, addresses.

import type { FileEdit } from '../../model.ts';

/** Fields of package.json that package managers, Node and bundlers only show or publish. */
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
 * True for an edit of a package.json that changes only fields which nothing executes, and for the same in the lock file
 * of npm. A version that others of the repository may ask for is inert, too: what they get is in the lock file.
 */
export function isInertManifestEdit({ path, before, after }: FileEdit): boolean {
  const withoutInert = MANIFEST_PATTERN.test(path) ? manifestCore : LOCK_PATTERN.test(path) ? lockCore : null;
  const [old, current] = [parseFields(before), parseFields(after)];
  return withoutInert !== null && old !== null && current !== null && withoutInert(old) === withoutInert(current);
}

/** The fields that count, with their order: `exports` and the like depend on it. */
function manifestCore(fields: Fields): string {
  return JSON.stringify(Object.entries(fields).filter(([name]) => !INERT_FIELDS.has(name)));
}

function lockCore({ version: _, packages, ...fields }: Fields): string {
  const entries = Object.entries(isFields(packages) ? packages : {}).map(([place, entry]) => {
    const isOwn = !/(?:^|\/)node_modules\//.test(place) && isFields(entry);
    return [place, isOwn ? manifestCore(entry) : entry];
  });
  return JSON.stringify([fields, entries]);
}

function parseFields(text: string | null): Fields | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isFields(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
