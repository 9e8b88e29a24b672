// Keeps track of the new tests that have noticed no mutant yet, so that one good test cannot hide others that check
// nothing.

import type { TestCase } from '../parse/testCounts.ts';
import { createTestKey, removeVaryingParts, type TestRun } from '../testing/testRun.ts';

/** Maximum number of quiet tests that a verdict names. */
const MAX_NAMED = 3;
/** Maximum number of characters of a name in a verdict. */
const MAX_NAME = 80;

/** The new tests that have noticed no mutant so far. */
export interface QuietTests {
  /** Number of these tests. */
  readonly size: number;
  /** Evaluates a run with a mutant: the new tests that fail in it have noticed the mutant. */
  recordRun(run: TestRun): void;
  /** A sentence that names the tests which have noticed nothing; empty if there are none. */
  readonly sentence: string;
}

/** Starts with all new tests, which all pass without a mutant. `keys`: their keys, made by `createTestKey`. */
export function createQuietTests(keys: readonly string[]): QuietTests {
  const quietKeys = new Set(keys);
  const allKeys = new Set(keys);
  /**
   * True if all new tests of the file, at least two, fail in the same way. This means that shared code broke, and no
   * test noticed the mutant.
   */
  const isBroken = ({ file, failure }: TestCase, failed: readonly TestCase[]) => {
    const similarFailures = failed.filter(
      (testCase) => testCase.file === file && allKeys.has(createTestKey(testCase)) && testCase.failure === failure,
    );
    return (
      file !== null &&
      failure !== undefined &&
      similarFailures.length > 1 &&
      similarFailures.length === countKeysOfFile(allKeys, file)
    );
  };
  /** Records a run that names only its failed tests, without their files. */
  const recordNames = (failedNames: readonly string[]) => {
    const endings = failedNames.map(removeVaryingParts);
    const failedKeys = [...allKeys].filter((key) =>
      endings.some((ending) => key === ending || key.endsWith(` › ${ending}`)),
    );
    // If all of several tests fail, shared code may be broken.
    if (failedKeys.length > 1 && failedKeys.length === allKeys.size) return;
    for (const key of failedKeys) quietKeys.delete(key);
  };
  return {
    get size() {
      return quietKeys.size;
    },
    recordRun({ value }) {
      if (!value?.cases) return recordNames(value?.failedNames ?? []);
      const failed = value.cases.filter(({ outcome }) => outcome === 'failed');
      for (const testCase of failed) if (!isBroken(testCase, failed)) quietKeys.delete(createTestKey(testCase));
    },
    get sentence() {
      if (quietKeys.size === 0) return '';
      const testNames = [...quietKeys].slice(0, MAX_NAMED).map((name) => `“${name.slice(0, MAX_NAME)}”`);
      const moreText = quietKeys.size > MAX_NAMED ? ` and ${quietKeys.size - MAX_NAMED} more` : '';
      return ` Not seen to notice any mistake: ${testNames.join(', ')}${moreText}.`;
    },
  };
}

/** The number of keys that belong to tests of the file. */
function countKeysOfFile(keys: ReadonlySet<string>, file: string): number {
  return [...keys].filter((key) => key.startsWith(`${file} › `)).length;
}
