// Reads the sources that are searched for missing tests, and names the tests with examples of their calls.

import { isWithin } from '../../../../util/pathWithin.ts';
import type { SourceText } from '../../../verify/guard/survivors.ts';
import type { SessionContext } from '../../context.ts';
import type { UnguardedSearchRequest } from './search.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { findReachingTests, sortNamedTestsFirst } from '../../verify/reachingTests.ts';

/** Maximum number of test files of one file that are read for examples of calls. */
const MAX_EXAMPLE_TESTS = 8;

/** The test files that show best how each file is used, by the path of that file; at most `MAX_EXAMPLE_TESTS` each. */
export function chooseExampleTests(
  { state }: SessionContext,
  paths: readonly string[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    paths.map((path) => [
      path,
      sortNamedTestsFirst(findReachingTests(state.imports, [path]), path).slice(0, MAX_EXAMPLE_TESTS),
    ]),
  );
}

/** The texts of the files; omits files that do not exist. */
export async function readSources(context: SessionContext, paths: ReadonlySet<string>): Promise<readonly SourceText[]> {
  const texts = await Promise.all(
    [...paths].map(async (path) => ({ path, text: await readTextOrNull(context, path) })),
  );
  return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}

/**
 * True for a file that the request names or whose folder it names (every file if it names none), unless the request
 * excludes it.
 */
export function isRequested(path: string, { paths, excluded = [], except }: UnguardedSearchRequest): boolean {
  return (paths.length === 0 || isWithin(path, paths)) && !isWithin(path, excluded) && !except?.has(path);
}
