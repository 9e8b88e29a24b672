// Finds packages that a manifest takes from folders or archives outside of the repository.

import type { Missing } from '../model/setup.ts';
import type { SetupFiles } from './manager.ts';
import { asObject, readManifest } from './manifest.ts';
import { DEPENDENCY_TABLES } from '../model/dependencies.ts';

/** Matches the specifier of a local package outside of the repository. */
const OUTSIDE_PATTERN = /^(?:file|link|portal):(?:\.\.(?:[\\/]|$)|\/|~|[A-Za-z]:[\\/])/;

/**
 * The packages that the root package.json takes from outside of the repository. An installation cannot reach them,
 * because it sees only a copy of the repository.
 */
export function findOutsidePackages(files: SetupFiles): readonly Missing[] {
  const manifest = readManifest(files.text('package.json'))?.raw ?? {};
  return DEPENDENCY_TABLES.flatMap((field) =>
    Object.entries(asObject(manifest[field])).flatMap(([name, source]) =>
      typeof source === 'string' && OUTSIDE_PATTERN.test(source)
        ? [
            {
              what: `${name} (package.json: ${source}), which lies outside of the repository`,
              action: 'Keep it in the repository or at an address: an installation sees nothing else.',
            },
          ]
        : [],
    ),
  );
}
