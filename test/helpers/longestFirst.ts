// Gives vitest the order of test files.

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowestFirst } from './fileOrder.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowestFirst(await super.sort(files));
  }
}
