// Estimates the number of tests in a repository's test files, in order to recognise a run of only a small part of them.

/** For each language: a pattern for the paths of its test files, and a pattern for the beginning of a test. */
const PATTERNS_BY_LANGUAGE: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:[cm]?[jt]sx?)$/, /(?:^|[\s;({])(?:it|test|specify)(?:\.\w{1,20}){0,2}\(/g],
  [/\.py$/, /^\s{0,20}(?:async )?def test_/gm],
  [/_test\.go$/, /^func Test/gm],
  [/\.rs$/, /#\[(?:tokio::)?test\]/g],
];
/**
 * A run is partial if it ran less than this share of the named tests. The share is low because files may also name
 * tests that another command runs.
 */
const PARTIAL_SHARE = 0.2;
/** Minimum number of named tests. With fewer, the share is meaningless. */
const MIN_NAMED = 20;

/** The number of tests that the text of one file names; 0 if its path belongs to no known language. */
export function countTestsInFile(path: string, text: string): number {
  const testPattern = PATTERNS_BY_LANGUAGE.find(([files]) => files.test(path))?.[1];
  return testPattern === undefined ? 0 : [...text.matchAll(testPattern)].length;
}

/** True if at least `MIN_NAMED` tests are named, and less than `PARTIAL_SHARE` of them ran. */
export function isPartialRun(ranCount: number, namedCount: number): boolean {
  return namedCount >= MIN_NAMED && ranCount < namedCount * PARTIAL_SHARE;
}
