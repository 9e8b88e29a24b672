// Parses the output of AVA: `2 tests passed` or, if some fail, `1 test failed` without the number of passed tests.

import { makeCounts, captureGroups, sumMatches, type TestCounts } from '../testCounts.ts';

/** The counts of a run; zero tests if AVA found none. Null if the text is not from AVA. */
export function parseAva(text: string): TestCounts | null {
  if (!/^[ \t]+\d+ tests? (passed|failed)$/m.test(text))
    return /Couldn’t find any files to test/.test(text) ? makeCounts(0, 0, 0, []) : null;
  const reportedCount = sumMatches(text, /^[ \t]+(\d+) tests? passed$/gm);
  const passed = reportedCount > 0 ? reportedCount : captureGroups(text, /^[ \t]+✔ (.+)$/gm).length;
  return makeCounts(
    passed,
    sumMatches(text, /^[ \t]+(\d+) tests? failed$/gm),
    sumMatches(text, /^[ \t]+(\d+) tests? (?:skipped|todo)$/gm),
    captureGroups(text, /^[ \t]+✘ \[fail\]: (.+)$/gm),
  );
}
