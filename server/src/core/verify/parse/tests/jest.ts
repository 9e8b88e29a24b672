// Parses the output of Jest: `Tests:       1 failed, 2 passed, 3 total`, one such line for each run.

import { makeCounts, captureGroups, sumMatches, type TestCounts } from '../testCounts.ts';

const SUITE_FAILED_TEXT = 'Test suite failed to run';

/** The sum of the counts of all runs; zero tests if Jest found none. Null if the text is not from Jest. */
export function parseJest(text: string): TestCounts | null {
  const summaries = captureGroups(text, /^Tests:\s+(?!\s)(.*\d total)\s*$/gm);
  if (summaries.length === 0) return /^No tests found, exiting with code/m.test(text) ? makeCounts(0, 0, 0, []) : null;
  const summaryText = summaries.join('\n');
  return makeCounts(
    sumMatches(summaryText, /(?<!\d)(\d+) passed/g),
    sumMatches(summaryText, /(?<!\d)(\d+) failed/g),
    sumMatches(summaryText, /(?<!\d)(\d+) (?:skipped|todo|pending)/g),
    collectFailedNames(text),
  );
}

/** The names of the failed tests. A suite that did not load has no name, so the name of its file is used. */
function collectFailedNames(text: string): string[] {
  const names: string[] = [];
  let currentFile = '';
  for (const line of text.split('\n')) {
    currentFile = /^FAIL (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? currentFile;
    const name = /^ {2}● (.+)$/.exec(line)?.[1];
    if (name && name !== 'Console')
      names.push(name === SUITE_FAILED_TEXT ? `${currentFile}: ${SUITE_FAILED_TEXT}` : name);
  }
  return names;
}
