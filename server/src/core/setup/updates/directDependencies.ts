// Reads the direct dependencies of a repository from its manifests, and their current versions from npm's lock file.

import { posix } from 'node:path';
import { DEPENDENCY_TABLES, type DirectDependency } from '../../model/dependencies.ts';
import { NPM_LOCKS } from '../../model/updatedDependency.ts';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { isPackageName } from '../../model/packageName.ts';
import type { SetupFiles } from '../manager.ts';
import { asObject, readManifest } from '../manifest.ts';

/**
 * Matches a specifier about which a registry can be asked: a version, a range or a tag, also of a package under another
 * name.
 */
const REGISTRY_SPEC_PATTERN = /^(?:npm:(?:@[\w.~-]+\/)?[\w.~-]+(?:@.*)?|[^:/]*)$/;
/** Maximum length of a specifier, in characters. Longer ones are ignored. */
const MAX_SPEC_LENGTH = 200;

/** The path of npm's lock file at the root; null if there is none. */
export function findRootLock(files: SetupFiles): string | null {
  return NPM_LOCKS.find((path) => files.has(path)) ?? null;
}

/**
 * The dependencies that come from a registry, in the order of the manifests. Omits packages of the repository itself,
 * and those from git, addresses and folders. `manifests`: paths of the manifests, the root first.
 */
export function collectDirectDependencies(manifests: readonly string[], files: SetupFiles): DirectDependency[] {
  const lock = readLock(files);
  const ownNames = new Set(manifests.map((path) => readManifest(files.text(path))?.raw['name']));
  return manifests.flatMap((manifest) => {
    const raw = readManifest(files.text(manifest))?.raw ?? {};
    const folder = posix.dirname(manifest) === '.' ? '' : posix.dirname(manifest);
    return DEPENDENCY_TABLES.flatMap((table) =>
      Object.entries(asObject(raw[table])).flatMap(([name, spec]) =>
        typeof spec === 'string' &&
        spec.length <= MAX_SPEC_LENGTH &&
        isPackageName(name) &&
        REGISTRY_SPEC_PATTERN.test(spec) &&
        !ownNames.has(name)
          ? [{ name, manifest, table, spec, current: findLockedVersion(lock, folder, name) }]
          : [],
      ),
    );
  });
}

/** Names of all packages in npm's lock file, including packages that other packages bring along. */
export function listLockedNames(files: SetupFiles): readonly string[] {
  const places = Object.keys(asObject(readLock(files)['packages']));
  return places.flatMap((place) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1] ?? []);
}

/** True if the repository has workspaces of npm or pnpm, so that manifests below the root count. */
export function hasWorkspaces(files: SetupFiles): boolean {
  return readManifest(files.text('package.json'))?.raw['workspaces'] !== undefined || files.has('pnpm-workspace.yaml');
}

function readLock(files: SetupFiles): Readonly<Record<string, unknown>> {
  const path = findRootLock(files);
  return asObject(path === null ? null : parseJsonOrNull(files.text(path) ?? ''));
}

/**
 * The version that code in the folder loads: that in the nearest `node_modules` in or above the folder. Null if the
 * lock file does not have it.
 */
function findLockedVersion(lock: Readonly<Record<string, unknown>>, folder: string, name: string): string | null {
  const packages = asObject(lock['packages']);
  const parts = folder === '' ? [] : folder.split('/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const place = posix.join(...parts.slice(0, depth), 'node_modules', name);
    const { version } = asObject(packages[place]);
    if (typeof version === 'string') return version;
  }
  // Format 1 has no `packages`.
  const { version } = asObject(asObject(lock['dependencies'])[name]);
  return typeof version === 'string' ? version : null;
}
