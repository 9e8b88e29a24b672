// Reads uvu's epilogue: `Total: 4`, `Passed: 3`, `Skipped: 1`. The total does not include skipped tests.

import { makeCounts, captureGroups, sumOfMatches, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text has no such epilogue. */
export function parseUvu(text: string): TestCounts | null {
  if (!/^ {2}Total: {5}\d+\n {2}Passed: {4}\d+\n {2}Skipped: {3}\d+$/m.test(text)) return null;
  const passed = sumOfMatches(text, /^ {2}Passed: {4}(\d+)$/gm);
  const failed = sumOfMatches(text, /^ {2}Total: {5}(\d+)$/gm) - passed;
  return makeCounts(passed, failed, sumOfMatches(text, /^ {2}Skipped: {3}(\d+)$/gm), collectFailedNames(text));
}

/** The names of the failed tests with their suites, from lines such as `FAIL  suite  "name"`. */
function collectFailedNames(text: string): string[] {
  return captureGroups(text, /^ {3}FAIL {2}(.+"$)/gm).map((title) =>
    title.replace(/^(?:(.*?) {2})?"(.*)"$/, nameWithSuite),
  );
}

function nameWithSuite(_all: string, suite: string | undefined, name: string): string {
  return suite === undefined ? name : `${suite.trim()} › ${name}`;
}
