// Compares versions of packages as semver.org defines them, as far as a list of updates needs it.

import type { UpdateKind } from '../../model/dependencies.ts';

const VERSION_PATTERN = /^v?(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** The kind of the update between two versions; `none` if the second one is not newer. */
export function classifyUpdate(current: string | null, latest: string | null): UpdateKind {
  const [from, to] = [parseVersion(current), parseVersion(latest)];
  if (from === null || to === null) return 'unknown';
  const index = from.numbers.findIndex((number, at) => number !== to.numbers[at]);
  if (index === -1) return from.isPreRelease && !to.isPreRelease ? 'patch' : 'none';
  if (from.numbers[index]! > to.numbers[index]!) return 'none';
  return (['major', 'minor', 'patch'] as const)[index]!;
}

function parseVersion(version: string | null) {
  const match = VERSION_PATTERN.exec(version ?? '');
  return match && { numbers: match.slice(1, 4).map(Number), isPreRelease: match[4] !== undefined };
}
