// Parses the counts of tests from Vitest's output: `Tests 1 failed | 2 passed | 1 skipped (4)`, one line for each run.

import { makeCounts, captureGroups, sumMatches, type TestCounts } from '../testCounts.ts';

/** The sum of the counts of all runs; zero tests if Vitest found none. Null if the text is not from Vitest. */
export function parseVitest(text: string): TestCounts | null {
  const summaries = captureGroups(text, /^[ \t]+Tests\s{2}(.*(?:\(\d+\)|no tests))\s*$/gm);
  if (summaries.length === 0)
    return /^No test (suite )?files? found, exiting with code/m.test(text) ? makeCounts(0, 0, 0, []) : null;
  const summaryText = summaries.join('\n');
  const names = captureGroups(text, /^ ?FAIL\s{2}(.+)$/gm);
  return makeCounts(
    sumMatches(summaryText, /(?<!\d)(\d+) passed/g),
    sumMatches(summaryText, /(?<!\d)(\d+) failed/g),
    sumMatches(summaryText, /(?<!\d)(\d+) (?:skipped|todo)/g),
    names,
  );
}
