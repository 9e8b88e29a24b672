// Reads a package.json for the set-up. The text comes from a repository, so no structure is assumed.

import { parseJsonOrNull } from '../../util/parseJson.ts';

/** The fields of a package.json that the set-up needs. */
export interface SetupManifest {
  /** The package manager with its version, such as `pnpm@11.1.0`; null if none is named. */
  readonly packageManager: string | null;
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of all packages that it depends on, in any of the four fields of dependencies. */
  readonly dependencies: ReadonlySet<string>;
  /** All fields of the file. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The manifest in a text; null if the text is not a JSON object. */
export function readManifest(text: string | null): SetupManifest | null {
  const manifest = parseObject(text);
  if (manifest === null) return null;
  const names = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((field) =>
    Object.keys(asObject(manifest[field])),
  );
  const scripts = Object.entries(asObject(manifest['scripts'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    raw: manifest,
    packageManager: findManager(manifest),
    scripts: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(scripts)),
    dependencies: new Set(names),
  };
}

/**
 * The value of `packageManager`. If there is none, the first entry of `devEngines.packageManager` in the same form,
 * such as `pnpm@11.1.0`. Null if neither exists.
 */
function findManager({ packageManager, devEngines }: Readonly<Record<string, unknown>>): string | null {
  if (typeof packageManager === 'string') return packageManager;
  const { name, version } = asObject([asObject(devEngines)['packageManager']].flat()[0]);
  return typeof name === 'string' ? `${name}@${typeof version === 'string' ? version : ''}` : null;
}

/** The value if it is an object; otherwise an empty object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The strings of an array, or the keys of an object whose value is true. */
export function listNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((entry): entry is string => typeof entry === 'string');
  return Object.entries(asObject(value))
    .filter(([, allowed]) => allowed === true)
    .map(([name]) => name);
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null) return null;
  const value = parseJsonOrNull(text.replace(/^\uFEFF/, ''));
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
