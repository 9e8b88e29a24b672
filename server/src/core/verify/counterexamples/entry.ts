// Finds the module through which tests load a file: it may load others that the file needs, such as a table of plugins.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { isRootTest, isTestFile } from '../../paths/tests.ts';

const MODULE_SUFFIXES = ['', '.ts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/**
 * The first file that one of the tests imports by a relative path and that is not a test; null if it is the file
 * itself, or if there is none. `exists`: true for a path of a file.
 */
export function findEntry(
  path: string,
  tests: readonly ts.SourceFile[],
  exists: (path: string) => boolean,
): string | null {
  for (const test of tests)
    for (const { fileName } of ts.preProcessFile(test.text, true, true).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const stem = posix.join(posix.dirname(test.fileName), fileName);
      const importedFile = [stem, stem.replace(/js$/, 'ts')]
        .flatMap((name) => MODULE_SUFFIXES.map((end) => posix.normalize(name + end)))
        .find(exists);
      if (importedFile !== undefined && !isTestFile(importedFile) && !isRootTest(importedFile))
        return importedFile === path ? null : importedFile;
    }
  return null;
}
