// Orders test files so that the slowest begin first, because otherwise one worker would run a slow file alone at the
// end. Files that are not listed take a few seconds at most. No test may import this file, because `vitest/node` loads
// a native library that does not always load in a worker.

import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowFiles } from './slowFiles.ts';

const root = join(import.meta.dirname, '..', '..');

/** Sorts test files by the list of slow files; the others follow in the default order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankByPath = new Map(slowFiles.map((path, index) => [path, index]));
    const rankOf = ({ moduleId }: TestSpecification) =>
      rankByPath.get(relative(root, moduleId).replaceAll('\\', '/')) ?? slowFiles.length;
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
