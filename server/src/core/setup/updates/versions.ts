// Compares versions of packages as semver.org defines them, as far as a list of updates needs it.

import type { UpdateKind } from '../../model/dependencies.ts';

const VERSION_PATTERN = /^v?(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * The kind of the update between two versions; `none` if the second one is not newer. As in npm's `^`, the first number
 * that is not 0 says what is compatible: from 0.2.0 to 0.3.0 is major, and from 0.0.1 to 0.0.2, too.
 */
export function classifyUpdate(current: string | null, latest: string | null): UpdateKind {
  const [from, to] = [parseVersion(current), parseVersion(latest)];
  if (from === null || to === null) return 'unknown';
  const index = from.numbers.findIndex((number, position) => number !== to.numbers[position]);
  if (index === -1) return from.isPreRelease && !to.isPreRelease ? 'patch' : 'none';
  if (from.numbers[index]! > to.numbers[index]!) return 'none';
  if (from.numbers.slice(0, index).every((number) => number === 0)) return 'major';
  return (['major', 'minor', 'patch'] as const)[index]!;
}

function parseVersion(version: string | null) {
  const match = VERSION_PATTERN.exec(version ?? '');
  return match && { numbers: match.slice(1, 4).map(Number), isPreRelease: match[4] !== undefined };
}

/** True for an update that should break nothing by its version number: minor or patch, from a release. */
export function isCompatible(current: string | null, version: string | null): boolean {
  return parseVersion(current)?.isPreRelease === false && ['minor', 'patch'].includes(classifyUpdate(current, version));
}
