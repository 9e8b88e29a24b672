// Reads uvu's epilogue: `Total: 4`, `Passed: 3`, `Skipped: 1`. The total does not include skipped tests. The tests are
// named if `uvuNames.ts` has made uvu name them.

import { UVU_LINE } from '../../detect/uvuNames.ts';
import { makeCounts, captureGroups, exactCounts, sumOfMatches, type TestCase, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text has no such epilogue. */
export function parseUvu(text: string): TestCounts | null {
  if (!/^ {2}Total: {5}\d+\n {2}Passed: {4}\d+\n {2}Skipped: {3}\d+$/m.test(text)) return null;
  const passed = sumOfMatches(text, /^ {2}Passed: {4}(\d+)$/gm);
  const failed = sumOfMatches(text, /^ {2}Total: {5}(\d+)$/gm) - passed;
  const skipped = sumOfMatches(text, /^ {2}Skipped: {3}(\d+)$/gm);
  const failedNames = collectFailedNames(text);
  const cases = collectCases(text);
  return cases.length > 0 && cases.length === passed + failed
    ? exactCounts(passed, failed, skipped, failedNames, cases)
    : makeCounts(passed, failed, skipped, failedNames);
}

/** The tests in the lines that name them. */
function collectCases(text: string): readonly TestCase[] {
  return text.split('\n').flatMap((line): TestCase[] => {
    if (!line.startsWith(UVU_LINE)) return [];
    try {
      const { suite, name, passed } = JSON.parse(line.slice(UVU_LINE.length)) as Record<string, unknown>;
      const title = [suite, name].filter((part) => typeof part === 'string' && part !== '').join(' › ');
      return [{ file: null, name: title, outcome: passed === true ? 'passed' : 'failed', millis: null }];
    } catch {
      // A line that something else has cut.
      return [];
    }
  });
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
