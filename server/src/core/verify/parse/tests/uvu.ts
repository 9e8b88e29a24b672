// Parses uvu's epilogue: `Total: 4`, `Passed: 3`, `Skipped: 1`. The total does not include skipped tests. The output
// names the tests if `uvuNames.ts` was loaded into uvu.

import { UVU_LINE } from '../../detect/uvuNames.ts';
import {
  makeCounts,
  captureGroups,
  createCounts,
  condenseTestFailure,
  sumMatches,
  type TestCase,
  type TestCounts,
} from '../testCounts.ts';

/** Matches the line above the message about a failed test, such as `FAIL  suite  "name"`. */
const FAIL_LINE_PATTERN = /^ {3}FAIL {2}(.+"$)/gm;

/** The counts of a run; null if the text has no such epilogue. */
export function parseUvu(text: string): TestCounts | null {
  if (!/^ {2}Total: {5}\d+\n {2}Passed: {4}\d+\n {2}Skipped: {3}\d+$/m.test(text)) return null;
  const passed = sumMatches(text, /^ {2}Passed: {4}(\d+)$/gm);
  const failed = sumMatches(text, /^ {2}Total: {5}(\d+)$/gm) - passed;
  const skipped = sumMatches(text, /^ {2}Skipped: {3}(\d+)$/gm);
  const failedNames = collectFailedNames(text);
  const cases = collectCases(text);
  return cases.length > 0 && cases.length === passed + failed
    ? createCounts(passed, failed, skipped, failedNames, cases)
    : makeCounts(passed, failed, skipped, failedNames);
}

/** The tests from the lines that name them. Failed tests have the message that follows below. */
function collectCases(text: string): readonly TestCase[] {
  const failures = collectFailures(text);
  return text.split('\n').flatMap((line): TestCase[] => {
    if (!line.startsWith(UVU_LINE)) return [];
    try {
      const { suite, name, passed } = JSON.parse(line.slice(UVU_LINE.length)) as Record<string, unknown>;
      const title = [suite, name].filter((part) => typeof part === 'string' && part !== '').join(' › ');
      if (passed === true) return [{ file: null, name: title, outcome: 'passed', millis: null }];
      const failure = failures.get(title)?.shift();
      return [{ file: null, name: title, outcome: 'failed', millis: null, ...(failure ? { failure } : {}) }];
    } catch {
      // A line that other output has cut.
      return [];
    }
  });
}

/** The messages by the name of the test, in the order of the report, because several tests may have the same name. */
function collectFailures(text: string): Map<string, string[]> {
  const failures = new Map<string, string[]>();
  const [, ...blocks] = text.split(FAIL_LINE_PATTERN);
  for (let index = 0; index + 1 < blocks.length; index += 2) {
    const title = parseTitleWithSuite(blocks[index]!);
    // Lines of the message are indented. The next suite or the epilogue is less indented, or follows marks of tests.
    const lines = blocks[index + 1]!.split('\n');
    const end = lines.findIndex((line, lineIndex) => lineIndex > 0 && line.trim() !== '' && !line.startsWith('    '));
    const message = condenseTestFailure(lines.slice(0, end < 0 ? undefined : end).join('\n'));
    failures.set(title, [...(failures.get(title) ?? []), message]);
  }
  return failures;
}

/** The names of the failed tests with their suites. */
function collectFailedNames(text: string): string[] {
  return captureGroups(text, FAIL_LINE_PATTERN).map(parseTitleWithSuite);
}

function parseTitleWithSuite(title: string): string {
  return title.replace(/^(?:(.*?) {2})?"(.*)"$/, joinNameWithSuite);
}

function joinNameWithSuite(_all: string, suite: string | undefined, name: string): string {
  return suite === undefined ? name : `${suite.trim()} › ${name}`;
}
