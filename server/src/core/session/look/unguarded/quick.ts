// Chooses the files to search for missing tests while a person waits for the first result.

import type { VerifyContext } from '../../../verify/context.ts';
import type { SessionContext } from '../../context.ts';
import {
  countTestFiles,
  findNearestTests,
  invertImports,
  isNamedAfter,
  savesMuch,
} from '../../verify/reachingTests.ts';

/** Number of files that such a search examines. */
const MAX_FILES = 10;
/** A file with more nearest test files takes too long, and so does one that loads more files. */
const [MAX_TEST_FILES, MAX_LOADED, MAX_LOADED_BY_TEST] = [3, 30, 80];

export interface QuickSearch {
  readonly paths: readonly string[];
  /** The only test files that run. */
  readonly testFiles: readonly string[];
}

/**
 * The files of `paths` in which something is likely to be found soon: tests import them directly, few test files do, and
 * all of these load little. Files with a test that is named after them come first; apart from that, the order stays.
 * Null if all tests should run, because there are few, or if there is no such file.
 */
export function chooseQuickly(
  { imports, analyses }: Pick<SessionContext['state'], 'imports' | 'analyses'>,
  paths: readonly string[],
): QuickSearch | null {
  if (!savesMuch(MAX_FILES, countTestFiles(analyses.keys()))) return null;
  const importers = invertImports(imports);
  const quick = paths.flatMap((path) => {
    if (countTestFiles(importers.get(path) ?? []) === 0) return [];
    const tests = findNearestTests(imports, [path]);
    const isSlow =
      tests.length > MAX_TEST_FILES ||
      countLoaded(path, imports) > MAX_LOADED ||
      tests.some((test) => countLoaded(test, imports) > MAX_LOADED_BY_TEST);
    return isSlow ? [] : [{ path, tests, isNamed: tests.some((test) => isNamedAfter(test, path)) }];
  });
  const best = quick.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed)).slice(0, MAX_FILES);
  if (best.length === 0) return null;
  return { paths: best.map(({ path }) => path), testFiles: [...new Set(best.flatMap(({ tests }) => tests))] };
}

/** Number of files that are loaded with this one, itself included. */
function countLoaded(path: string, imports: ReadonlyMap<string, readonly string[]>): number {
  const loaded = new Set([path]);
  for (const member of loaded) for (const target of imports.get(member) ?? []) loaded.add(target);
  return loaded.size;
}

/** The context in which only the test files of a quick search run; the same context without such a search. */
export function withOnlyNearest(
  gates: VerifyContext,
  imports: ReadonlyMap<string, readonly string[]>,
  quick: QuickSearch | null,
): VerifyContext {
  if (!quick) return gates;
  const reachingTests = async (paths: readonly string[]) => findNearestTests(imports, paths);
  return { ...gates, testFiles: quick.testFiles, reachingTests };
}
