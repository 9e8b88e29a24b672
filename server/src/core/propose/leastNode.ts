// Reads the oldest version of Node that a package supports.

import { posix } from 'node:path';
import type { SourceTree } from '../ports/sources.ts';

/**
 * Finds the oldest version of Node that `engines.node` allows, as major and minor, in the nearest package.json that
 * states it: in the folder `from` (an absolute path) or above it up to the root. Null if none states it, or if the
 * range has no readable lower bound.
 */
export function findMinNodeVersion(tree: SourceTree, from: string): readonly [number, number] | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  for (let folder = from; folder === root || folder.startsWith(`${root}/`); folder = posix.dirname(folder)) {
    const range = findNodeRange(tree.read(`${folder}/package.json`));
    if (range !== null) return parseLowestVersion(range);
  }
  return null;
}

/** Reads `engines.node` in the text of a package.json; null if it is missing or the text is not JSON. */
function findNodeRange(manifest: string | undefined): string | null {
  if (manifest === undefined) return null;
  try {
    const { engines } = JSON.parse(manifest) as { readonly engines?: { readonly node?: unknown } | null };
    return typeof engines?.node === 'string' ? engines.node : null;
  } catch (error) {
    // A package.json that is not valid JSON states no version.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The lowest bound of a range: 16.0 for `>=16 <19 || ^20.3.1 || 22.x`; null if a part begins with another operator. */
function parseLowestVersion(range: string): readonly [number, number] | null {
  const bounds = range.split('||').map((part): readonly [number, number] | null => {
    const match = /^\s*(?:>=|\^|~|=|v)?\s*v?(\d{1,4})(?:\.(\d{1,4}|x|\*))?/.exec(part);
    return match ? [Number(match[1]), Number.isNaN(Number(match[2] ?? 0)) ? 0 : Number(match[2] ?? 0)] : null;
  });
  if (bounds.length === 0 || bounds.includes(null)) return null;
  return (bounds as (readonly [number, number])[]).toSorted((a, b) => a[0] - b[0] || a[1] - b[1])[0]!;
}
