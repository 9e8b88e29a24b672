// The order of test files: the slowest begin first, so that no worker is left alone with one of them at the end. A file
// that the list does not name takes a few seconds at most.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..', '..');

/** Test files, slowest first. `node scripts/slowFiles.mjs` writes the list from the reports of the last run. */
export const slowFiles = JSON.parse(
  readFileSync(join(import.meta.dirname, 'slowFiles.json'), 'utf8'),
) as readonly string[];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = new Map(slowFiles.map((path, index) => [path, index]));
    const placeOf = ({ moduleId }: TestSpecification) =>
      place.get(relative(root, moduleId).replaceAll('\\', '/')) ?? slowFiles.length;
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
