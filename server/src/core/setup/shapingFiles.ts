// Finds the files of a repository that determine what its package manager installs, hashes their contents, and decides
// whether anything needs to be installed.

import { sha256 } from '../../util/hash.ts';
import { readManifest } from './manifest.ts';

/** Matches the paths of the files that determine the installation. */
const SHAPING_PATTERN =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|bunfig\.toml|\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pnpmfile\.[cm]?js|Cargo\.(?:lock|toml)|go\.(?:mod|sum)|requirements[^/]*\.txt|uv\.lock|poetry\.lock|pyproject\.toml)$|(?:^|\/)(?:patches|\.yarn\/(?:patches|plugins|releases))\//;

/** Selects the files that determine the installation: lock files, manifests, settings of managers, and patches. */
export function selectShapingFiles(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => SHAPING_PATTERN.test(path) && !path.split('/').includes('node_modules')).sort();
}

/** Fields of a package.json for people, which do not affect an installation. */
const FIELDS_FOR_PEOPLE = [
  'description',
  'keywords',
  'author',
  'contributors',
  'homepage',
  'bugs',
  'funding',
  'license',
  'repository',
];
/**
 * Fields of a package.json for running and importing the package. They do not affect an installation, because scripts
 * do not run during it.
 */
const FIELDS_FOR_USE = ['scripts', 'files', 'main', 'module', 'types', 'typings', 'exports', 'sideEffects'];

/** A file that determines the installation. `bytes`: null if it cannot be read. */
export interface ShapingFile {
  readonly path: string;
  readonly bytes: Uint8Array | null;
}

/** Matches the paths of lock files for JavaScript. */
const LOCK_PATTERN = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

/**
 * True if nothing needs to be installed: no package.json names a package, and there is no lock file for JavaScript.
 * False if a package.json cannot be read.
 */
export function needsNoPackages(contents: readonly ShapingFile[]): boolean {
  return contents.every(({ path, bytes }) => {
    if (!isManifest(path)) return !LOCK_PATTERN.test(path);
    return bytes !== null && readManifest(new TextDecoder().decode(bytes))?.dependencies.size === 0;
  });
}

/**
 * A hash of the files that determine the installation. Fields of a package.json that do not affect it are ignored, and
 * of an unreadable file, only the path counts. The version is ignored if there is only one package.json, because only
 * packages of the same tree refer to it.
 */
export function hashShapingFiles(contents: readonly ShapingFile[]): string {
  const hasOneManifest = contents.filter(({ path }) => isManifest(path)).length === 1;
  const ignoredKeys = [...FIELDS_FOR_PEOPLE, ...FIELDS_FOR_USE, ...(hasOneManifest ? ['version'] : [])];
  return sha256(
    contents
      .map(({ path, bytes }) => {
        if (bytes === null) return `${path}\0`;
        return `${path}\0${sha256(isManifest(path) ? removeKeys(bytes, ignoredKeys) : bytes)}`;
      })
      .join('\n'),
  );
}

function isManifest(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path);
}

/** The JSON object without these keys, as text; the unchanged bytes if they are not a JSON object. */
function removeKeys(bytes: Uint8Array, keys: readonly string[]): string | Uint8Array {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return bytes;
    return JSON.stringify(Object.entries(parsed).filter(([key]) => !keys.includes(key)));
  } catch (error) {
    if (error instanceof SyntaxError) return bytes;
    throw error;
  }
}
