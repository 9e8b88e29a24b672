// Finds the test files that import some files, directly or indirectly, and puts those that are named after a file
// first.

import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isRootTest, isTestData, isTestFile, isTypeTest } from '../../paths/tests.ts';

/** Minimum number of test files that a selection has to omit. If it would omit fewer, all tests run. */
const MIN_OMITTED_FILES = 30;

/**
 * The test files that import one of `paths` directly or indirectly, nearest first. Test files among `paths` are
 * included.
 */
export function findReachingTests(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: readonly string[],
): readonly string[] {
  const importers = invertImports(imports);
  const reachedPaths = new Set(paths);
  for (const path of reachedPaths) for (const importer of importers.get(path) ?? []) reachedPaths.add(importer);
  return [...reachedPaths].filter(canHoldTests);
}

/**
 * The test files that lead to each of `paths` by the fewest imports: these were mostly written for it. A path that is a
 * test file is its own nearest test file. `importers`: the result of `invertImports`.
 */
export function findNearestTests(
  importers: ReadonlyMap<string, readonly string[]>,
  paths: readonly string[],
): readonly string[] {
  const nearestTests = new Set<string>();
  for (const path of paths) {
    const reached = new Set([path]);
    let currentLevel: readonly string[] = [path];
    while (currentLevel.length > 0 && !currentLevel.some(isRunnable)) {
      currentLevel = [...new Set(currentLevel.flatMap((member) => importers.get(member) ?? []))].filter(
        (importer) => !reached.has(importer),
      );
      for (const member of currentLevel) reached.add(member);
    }
    for (const test of currentLevel.filter(isRunnable)) nearestTests.add(test);
  }
  return [...nearestTests];
}

/** True for test files that a run of the tests executes; false for tests of types. */
function isRunnable(path: string): boolean {
  return canHoldTests(path) && !isTypeTest(path);
}

/** Number of test files among these that a run of the tests runs. */
export function countTestFiles(paths: Iterable<string>): number {
  let count = 0;
  for (const path of paths) if (isRunnable(path)) count += 1;
  return count;
}

/** By path: the files that import the file. */
export function invertImports(imports: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of imports)
    for (const target of targets) {
      const knownImporters = importers.get(target);
      if (knownImporters) knownImporters.push(path);
      else importers.set(target, [path]);
    }
  return importers;
}

/** True for test files, according to their path; false for their data. */
function canHoldTests(path: string): boolean {
  return (isTestFile(path) || isRootTest(path)) && !isTestData(path);
}

/**
 * Selects the test files to run for a preview of these edits: those that reach the edited files. Null if all tests
 * should run, because no test is known to reach the edits, too few test files would be omitted, or a test is edited.
 */
export function selectTestsForPreview(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: Iterable<string>,
  edits: readonly FileEdit[],
): readonly string[] | null {
  if (edits.some(isTestEdit)) return null;
  const reaching = findReachingTests(
    imports,
    edits.map(({ path }) => path),
  ).filter((path) => !isTypeTest(path));
  return isWorthSelecting(reaching.length, countTestFiles(paths)) ? reaching : null;
}

/**
 * Selects the test files to run for a preview of a change that only adds test cases for the code in `subject`: the
 * nearest ones, and those that the change extends. Null if all tests should run, because there are none, or because too
 * few test files would be omitted.
 */
export function selectTestsForAddedTests(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: Iterable<string>,
  subject: string,
  edits: readonly FileEdit[],
): readonly string[] | null {
  const extendedTests = edits.flatMap(({ path, before }) => (before === null ? [] : [path]));
  const nearest = [...new Set([...findNearestTests(invertImports(imports), [subject]), ...extendedTests])];
  return isWorthSelecting(nearest.length, countTestFiles(paths)) ? nearest : null;
}

/** True if running only some of all test files saves much: at least `MIN_OMITTED_FILES`, and at least half of them. */
export function isWorthSelecting(selectedCount: number, totalCount: number): boolean {
  return selectedCount > 0 && totalCount - selectedCount >= Math.max(MIN_OMITTED_FILES, selectedCount);
}

/** Puts the tests that are named after the file first. Otherwise the order is kept. */
export function sortNamedTestsFirst(testFiles: readonly string[], path: string): readonly string[] {
  return [
    ...testFiles.filter((file) => isNamedAfter(file, path)),
    ...testFiles.filter((file) => !isNamedAfter(file, path)),
  ];
}

/** True for a test file whose name contains the name of the file (without extensions) as a word. */
export function isNamedAfter(testFile: string, path: string): boolean {
  const stem = getFileName(path).split('.')[0]!.toLowerCase();
  return getFileName(testFile)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .includes(stem);
}

function getFileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
