// Finds the test files that import some files, directly or indirectly.

import { isTestData, isTestFile } from '../../paths/tests.ts';

/**
 * The test files that import one of `paths` directly or indirectly, nearest first. Test files among `paths` are
 * included.
 */
export function reachingTests(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: readonly string[],
): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  const reached = new Set(paths);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return [...reached].filter((path) => isTestFile(path) && !isTestData(path));
}
