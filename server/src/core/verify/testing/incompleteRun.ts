// Detects a run of far fewer tests than the repository has. Such a run lacks something that the tests need, so it is no
// evidence.

/** Minimum share of the expected tests with which a base can be compared. */
const MIN_SHARE = 0.8;
/** Minimum number of expected tests. With fewer, a share is not informative. */
const MIN_EXPECTED = 20;

/** True if far fewer tests ran than when the repository was set up. */
export function isIncompleteRun(ranCount: number, expected: number): boolean {
  return expected >= MIN_EXPECTED && ranCount < expected * MIN_SHARE;
}
