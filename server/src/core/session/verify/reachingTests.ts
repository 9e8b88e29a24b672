// Finds the test files that import some files, directly or indirectly, and puts those that are named after a file
// first.

import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isRootTest, isTestData, isTestFile, isTypeTest } from '../../paths/tests.ts';

/** A preview runs all tests if running only some would leave out fewer test files than this. */
const MIN_SAVED = 30;

/**
 * The test files that import one of `paths` directly or indirectly, nearest first. Test files among `paths` are
 * included.
 */
export function findReachingTests(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: readonly string[],
): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  const reached = new Set(paths);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return [...reached].filter(mayHoldTests);
}

/** True for files of tests by their path; false for their data. */
function mayHoldTests(path: string): boolean {
  return (isTestFile(path) || isRootTest(path)) && !isTestData(path);
}

/**
 * The test files to run for a preview of these edits: those that reach them. Null if all tests should run, because
 * nothing is known to reach the edits, few test files would be left out, or an edit is one of a test.
 */
export function testFilesForPreview(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: Iterable<string>,
  edits: readonly FileEdit[],
): readonly string[] | null {
  if (edits.some(isTestEdit)) return null;
  const reaching = findReachingTests(
    imports,
    edits.map(({ path }) => path),
  ).filter((path) => !isTypeTest(path));
  const all = [...paths].filter((path) => mayHoldTests(path) && !isTypeTest(path)).length;
  return reaching.length > 0 && all - reaching.length >= Math.max(MIN_SAVED, reaching.length) ? reaching : null;
}

/** Tests that are named after the file come first; apart from that, the order stays. */
export function sortBestFirst(testFiles: readonly string[], path: string): readonly string[] {
  const stem = nameOf(path).split('.')[0]!.toLowerCase();
  const countSharedWords = (file: string) =>
    nameOf(file)
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .includes(stem);
  return [...testFiles.filter(countSharedWords), ...testFiles.filter((file) => !countSharedWords(file))];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
