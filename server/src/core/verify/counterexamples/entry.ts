// Finds the module through which tests load a file. That module may load others that the file needs, such as plugins.

import { SCRIPT_WITH_CODE_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { isRootTest, isTestFile } from '../../paths/tests.ts';

export const MODULE_SUFFIXES = ['', '.ts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/**
 * The first file that a test imports and that is not a test; null if it is the file itself, or if there is none. In
 * each test, relative imports come before imports by the name of the package or an alias. `exists`: true for the path
 * of a file. `imports`: all files that a test imports, by its path.
 */
export function findEntry(
  path: string,
  tests: readonly ts.SourceFile[],
  exists: (path: string) => boolean,
  imports: Readonly<Record<string, readonly string[]>> = {},
): string | null {
  for (const test of tests) {
    for (const { fileName } of ts.preProcessFile(test.text, true, true).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const stem = posix.join(posix.dirname(test.fileName), fileName);
      const importedFile = [stem, stem.replace(/js$/, 'ts')]
        .flatMap((name) => MODULE_SUFFIXES.map((end) => posix.normalize(name + end)))
        .find(exists);
      if (importedFile !== undefined && isProduct(importedFile)) return importedFile === path ? null : importedFile;
    }
    const aliasedFile = imports[test.fileName]?.find((file) => SCRIPT_WITH_CODE_PATTERN.test(file) && isProduct(file));
    if (aliasedFile !== undefined) return aliasedFile === path ? null : aliasedFile;
  }
  return null;
}

function isProduct(path: string): boolean {
  return !isTestFile(path) && !isRootTest(path);
}
