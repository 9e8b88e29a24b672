// Finds the files that the `exports` or `imports` of a package.json name for a specifier, by the rules of Node:
// https://nodejs.org/api/esm.html#resolution-algorithm-specification (PACKAGE_IMPORTS_EXPORTS_RESOLVE,
// PATTERN_KEY_COMPARE, PACKAGE_TARGET_RESOLVE).

import { posix } from 'node:path';
import type { Table } from '../config/readConfig.ts';
import { isRecord } from '../../../../util/values/isRecord.ts';

/** One file or package to which a key of `exports` or `imports` refers. */
export interface PackageTarget {
  /** Relative to the package, beginning with `./`, or the specifier of another package (allowed in `imports` only). */
  readonly path: string;
}

/** Maximum number of targets of one key. */
const MAX_TARGETS = 64;
/** Maximum nesting of conditions and fallback lists. */
const MAX_DEPTH = 20;
/**
 * Conditions that point at source files are tried first, because the graph is about the files that people edit. The
 * others keep the order of the file.
 */
const SOURCE_CONDITION = /^(source|src|development|bun|deno)$|[@/:-](source|src)$/;

/**
 * Targets for `key` (`.`, `./sub/path` or `#name`), the preferred ones first. All conditions are followed, because it
 * is unknown which environment runs the code. Null if the package forbids this subpath, or does not have it.
 */
export function findPackageTargets(map: unknown, key: string): readonly PackageTarget[] | null {
  const match = matchKey(normaliseMap(map), key);
  if (!match) return null;
  const targets: PackageTarget[] = [];
  collectTargets(match.target, match.star, targets, 0);
  return targets.length > 0 ? targets : null;
}

/** Converts the map to the form `{ ".": … }`. A string, a list or a table of conditions is a short form of it. */
function normaliseMap(map: unknown): Table {
  if (!isRecord(map)) return map === null || map === undefined ? {} : { '.': map };
  const keys = Object.keys(map);
  return keys.length > 0 && keys.every((key) => !key.startsWith('.') && !key.startsWith('#')) ? { '.': map } : map;
}

/**
 * The target of the most specific key that matches, and the text for which its `*` stands (null if it has no `*`). Null
 * if no key matches.
 */
function matchKey(map: Table, key: string): { readonly target: unknown; readonly star: string | null } | null {
  if (Object.hasOwn(map, key) && !key.includes('*') && !key.endsWith('/')) return { target: map[key], star: null };
  let bestMatch: { readonly pattern: string; readonly star: string } | null = null;
  for (const pattern of Object.keys(map)) {
    const offset = pattern.indexOf('*');
    const star =
      offset >= 0 && pattern.lastIndexOf('*') === offset
        ? findStar(pattern.slice(0, offset), pattern.slice(offset + 1), key)
        : pattern.endsWith('/') && key.startsWith(pattern) && key !== pattern
          ? key.slice(pattern.length)
          : null;
    if (star !== null && (!bestMatch || isMoreSpecific(pattern, bestMatch.pattern))) bestMatch = { pattern, star };
  }
  if (!bestMatch) return null;
  // A folder mapping ("./lib/": "./src/"), as in old versions of Node, is a pattern without its star.
  const target = map[bestMatch.pattern];
  return bestMatch.pattern.endsWith('/') && typeof target === 'string'
    ? { target: `${target}*`, star: bestMatch.star }
    : { target, star: bestMatch.star };
}

/** The text for which the `*` between `prefix` and `suffix` stands in `key`; null if they do not match. */
function findStar(prefix: string, suffix: string, key: string): string | null {
  return key.startsWith(prefix) && key.endsWith(suffix) && key.length > prefix.length + suffix.length
    ? key.slice(prefix.length, key.length - suffix.length)
    : null;
}

/** True if `a` comes before `b` (PATTERN_KEY_COMPARE): the longer base wins, then the longer pattern. */
function isMoreSpecific(a: string, b: string): boolean {
  const baseLengthOf = (pattern: string) => (pattern.includes('*') ? pattern.indexOf('*') + 1 : pattern.length);
  return baseLengthOf(a) !== baseLengthOf(b) ? baseLengthOf(a) > baseLengthOf(b) : a.length > b.length;
}

/** Adds the paths in a target (a text, a fallback list, or a table of conditions) to `targets`. */
function collectTargets(target: unknown, star: string | null, targets: PackageTarget[], depth: number): void {
  if (targets.length >= MAX_TARGETS || depth > MAX_DEPTH) return;
  if (typeof target === 'string') {
    const path = star === null ? target : target.replaceAll('*', () => star);
    if (isInside(path)) targets.push({ path });
  } else if (Array.isArray(target)) {
    for (const item of target) collectTargets(item, star, targets, depth + 1);
  } else if (isRecord(target)) {
    const conditions = Object.keys(target);
    for (const condition of [
      ...conditions.filter((name) => SOURCE_CONDITION.test(name)),
      ...conditions.filter((name) => !SOURCE_CONDITION.test(name)),
    ])
      collectTargets(target[condition], star, targets, depth + 1);
  }
}

/** True if a target is not absolute, does not leave the package, and is outside of its node_modules. */
function isInside(path: string): boolean {
  if (path.startsWith('/') || path.startsWith('../')) return false;
  const normalPath = posix.normalize(path);
  return normalPath !== '..' && !normalPath.startsWith('../') && !/(^|\/)node_modules(\/|$)/.test(normalPath);
}
