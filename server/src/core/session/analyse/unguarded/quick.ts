// Chooses the files to search for missing tests while a person waits for the first result.

import { throwIfCancelled } from '../../../../util/typedError.ts';
import { yieldNow } from '../../../../util/yieldNow.ts';
import type { VerifyContext } from '../../../verify/context.ts';
import type { SessionContext } from '../../context.ts';
import {
  countTestFiles,
  findNearestTests,
  invertImports,
  isNamedAfter,
  isWorthSelecting,
} from '../../verify/reachingTests.ts';

/** Maximum number of files that a search examines while a person waits. */
const MAX_FILES = 10;
/**
 * Maximum number of nearest test files of a source, of files that the source loads, and of files that one of these
 * tests loads.
 */
const [MAX_TEST_FILES, MAX_LOADED, MAX_LOADED_BY_TEST] = [3, 30, 80];
/** Number of files after which other work may use the thread, and the search may be cancelled. */
const FILES_PER_TURN = 500;

/** The files of a quick search. */
export interface QuickSearch {
  readonly paths: readonly string[];
  /** The only test files that run. */
  readonly testFiles: readonly string[];
}

/**
 * Chooses the files of `paths` in which something is likely to be found soon: tests import them directly, only few test
 * files reach them, and the files and these tests load little. Files with a test that is named after them come first;
 * otherwise the order of `paths` is kept. Returns `all` if there are so few test files that all of them can run, and
 * `none` if there are many test files but no suitable file. Throws `cancelled`.
 */
export async function chooseQuickly(
  { imports, analyses }: Pick<SessionContext['state'], 'imports' | 'analyses'>,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<QuickSearch | 'all' | 'none'> {
  if (!isWorthSelecting(MAX_FILES, countTestFiles(analyses.keys()))) return 'all';
  const importers = invertImports(imports);
  const namedFiles: QuickFile[] = [];
  const otherFiles: QuickFile[] = [];
  for (const [index, path] of paths.entries()) {
    if (namedFiles.length === MAX_FILES) break;
    if (index % FILES_PER_TURN === 0) await yieldNow();
    throwIfCancelled(signal);
    if (countTestFiles(importers.get(path) ?? []) === 0) continue;
    const tests = findNearestTests(importers, [path]);
    const isSlow =
      tests.length > MAX_TEST_FILES ||
      loadsMoreThan(MAX_LOADED, path, imports) ||
      tests.some((test) => loadsMoreThan(MAX_LOADED_BY_TEST, test, imports));
    if (!isSlow) (tests.some((test) => isNamedAfter(test, path)) ? namedFiles : otherFiles).push({ path, tests });
  }
  const bestFiles = [...namedFiles, ...otherFiles].slice(0, MAX_FILES);
  if (bestFiles.length === 0) return 'none';
  return { paths: bestFiles.map(({ path }) => path), testFiles: [...new Set(bestFiles.flatMap(({ tests }) => tests))] };
}

/** A file to search quickly, with the tests that reach it. */
interface QuickFile {
  readonly path: string;
  readonly tests: readonly string[];
}

/** True if more than `limit` files are loaded with this one, itself included. */
function loadsMoreThan(limit: number, path: string, imports: ReadonlyMap<string, readonly string[]>): boolean {
  const loadedPaths = new Set([path]);
  for (const member of loadedPaths)
    for (const target of imports.get(member) ?? []) {
      loadedPaths.add(target);
      if (loadedPaths.size > limit) return true;
    }
  return false;
}

/**
 * The context in which only the test files of a quick search run; the unchanged context if `quick` is null, because the
 * search is not quick.
 */
export function limitToNearestTests(
  verifyContext: VerifyContext,
  imports: ReadonlyMap<string, readonly string[]>,
  quick: QuickSearch | null,
): VerifyContext {
  if (!quick) return verifyContext;
  const importers = invertImports(imports);
  const reachingTests = async (paths: readonly string[]) => findNearestTests(importers, paths);
  return { ...verifyContext, testFiles: quick.testFiles, reachingTests };
}
