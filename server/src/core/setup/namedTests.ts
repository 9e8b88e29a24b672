// Estimates the number of tests in a repository's test files. A run of a small part of them is not complete.

/** For each language, its test files, and the beginning of a test. */
const TEST_PATTERNS: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:[cm]?[jt]sx?)$/, /(?:^|[\s;({])(?:it|test|specify)(?:\.\w{1,20}){0,2}\(/g],
  [/\.py$/, /^\s{0,20}(?:async )?def test_/gm],
  [/_test\.go$/, /^func Test/gm],
  [/\.rs$/, /#\[(?:tokio::)?test\]/g],
];
/**
 * Maximum share of the named tests for a run that counts as partial. The files may also name tests that another command
 * runs.
 */
const PARTIAL_SHARE = 0.2;
/** Minimum number of named tests. With fewer, the share is meaningless. */
const MIN_NAMED = 20;

/** The number of tests that the text of one file names; 0 if its language is unknown. */
export function countTestsInFile(path: string, text: string): number {
  const titlePattern = TEST_PATTERNS.find(([files]) => files.test(path))?.[1];
  return titlePattern === undefined ? 0 : [...text.matchAll(titlePattern)].length;
}

/** True if at least `MIN_NAMED` tests are named, and less than `PARTIAL_SHARE` of them ran. */
export function isPartialRun(ranCount: number, namedCount: number): boolean {
  return namedCount >= MIN_NAMED && ranCount < namedCount * PARTIAL_SHARE;
}
