// Parses the output of pytest: `==== 1 failed, 2 passed, 1 skipped in 0.64s ====`.

import { makeCounts, captureGroups, sumMatches, type TestCase, type TestCounts } from '../testCounts.ts';

/** The counts of a run; zero tests if pytest found none. Null if the text is not from pytest. */
export function parsePytest(text: string): TestCounts | null {
  const summaries = captureGroups(text, /^=* ?(\d+ \w+(?:, \d+ \w+)*|no tests ran) in [\d.]+s(?: \([\d:]+\))? ?=*$/gm);
  if (summaries.length === 0) return null;
  const summaryText = summaries.join('\n');
  const names = captureGroups(text, /^(?:FAILED|ERROR) (.+?)(?: - .*)?$/gm);
  return makeCounts(
    sumMatches(summaryText, /(?<!\d)(\d+) (?:passed|xpassed)/g),
    sumMatches(summaryText, /(?<!\d)(\d+) (?:failed|errors?)\b/g),
    sumMatches(summaryText, /(?<!\d)(\d+) (?:skipped|xfailed)/g),
    names,
    collectCases(text),
  );
}

/** Parses the tests of a run with `-v`, one line for each: `test_a.py::test_x PASSED [ 50%]`. */
function collectCases(text: string): TestCase[] {
  return [...text.matchAll(/^(\S+?\.py)::(.+?) (PASSED|XPASS|FAILED|ERROR|SKIPPED|XFAIL)\b.*$/gm)].map(
    ([, file = '', name = '', word = '']) => ({
      file,
      name,
      outcome: /PASS/.test(word) ? 'passed' : /^(FAILED|ERROR)$/.test(word) ? 'failed' : 'skipped',
      millis: null,
    }),
  );
}
