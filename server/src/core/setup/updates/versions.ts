// Compares versions of packages by the rules of semver.org, as far as a list of updates needs this.

import type { UpdateKind } from '../../model/dependencies.ts';

const VERSION_PATTERN = /^v?(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(?:\+[\w.-]+)?$/;

/**
 * The kind of the update between two versions; `none` if the second one is not newer, `unknown` if one of them is
 * missing or malformed. As in npm's `^`, a change of the first number that is not 0 is incompatible: 0.2.0 to 0.3.0 and
 * 0.0.1 to 0.0.2 are major updates.
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

/** The three numbers of a version, and whether it is a pre-release; null if it is malformed. */
function parseVersion(version: string | null) {
  const match = VERSION_PATTERN.exec(version ?? '');
  return match && { numbers: match.slice(1, 4).map(Number), isPreRelease: match[4] !== undefined };
}

/** True for a minor or patch update from a release, which by its version number should break nothing. */
export function isCompatible(current: string | null, version: string | null): boolean {
  return parseVersion(current)?.isPreRelease === false && ['minor', 'patch'].includes(classifyUpdate(current, version));
}
