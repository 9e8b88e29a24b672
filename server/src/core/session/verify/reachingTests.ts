// Finds the test files that import some files, directly or indirectly, and puts those that are named after a file
// first.

import { isRootTest, isTestData, isTestFile } from '../../paths/tests.ts';

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
  return [...reached].filter((path) => (isTestFile(path) || isRootTest(path)) && !isTestData(path));
}

/** Tests that are named after the file come first; apart from that, the order stays. */
export function sortBestFirst(testFiles: readonly string[], path: string): readonly string[] {
  const stem = nameOf(path).split('.')[0]!.toLowerCase();
  const named = (file: string) =>
    nameOf(file)
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .includes(stem);
  return [...testFiles.filter(named), ...testFiles.filter((file) => !named(file))];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
