// Orders the files that new tests may check, because only some of many files get mutants: a test that imports an index
// imports everything.

import { posix } from 'node:path';
import type { FileEdit, Proposal } from '../../model.ts';

/** Matches the parts of a file name that say that it is a test: `sum.test.js`, `sum-test.js`, `test_sum.py`. */
const TEST_PART_PATTERN = /^tests?[._-]|[._-](?:tests?|spec|bench)$/i;

/**
 * The same files in another order: those with a mutant for which the tests were written, then those that are named like
 * an edited test file, then the others.
 */
export function putLikelySourcesFirst<T extends { readonly path: string }>(
  sources: readonly T[],
  { addresses = [] }: Pick<Proposal, 'addresses'>,
  edits: readonly Pick<FileEdit, 'path'>[],
): readonly T[] {
  const testedNames = new Set(edits.map(({ path }) => getStem(path).replace(TEST_PART_PATTERN, '')));
  const rank = ({ path }: T) => {
    // An address is a place and a description: `src/sum.js:48 += → -=`.
    if (addresses.some((address) => address.startsWith(`${path}:`))) return 0;
    return testedNames.has(getStem(path)) ? 1 : 2;
  };
  return sources.toSorted((a, b) => rank(a) - rank(b));
}

/** The name of a file without its folder and its last extension. */
function getStem(path: string): string {
  return posix.basename(path, posix.extname(path));
}
