// The order of test files: the slowest begin first, so that no worker is left alone with one of them at the end. A file
// that the list does not name takes a few seconds at most. No test may import this file: `vitest/node` brings a native
// library along, which does not always load in a worker.

import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowFiles } from './slowFiles.ts';

const root = join(import.meta.dirname, '..', '..');

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankByPath = new Map(slowFiles.map((path, index) => [path, index]));
    const rankOf = ({ moduleId }: TestSpecification) =>
      rankByPath.get(relative(root, moduleId).replaceAll('\\', '/')) ?? slowFiles.length;
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
