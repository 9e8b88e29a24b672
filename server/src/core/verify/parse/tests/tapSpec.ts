// Parses the summary of tap-spec, which prints TAP for people: `total: 4`, `passing: 3`, `failing: 1`. It counts
// assertions, like TAP.

import { makeCounts, type TestCounts } from '../testCounts.ts';

/** Captures the numbers of a summary. */
const SUMMARY_PATTERN =
  /^ {2}total: +(\d+)\n {2}passing: +(\d+)\n(?: {2}failing: +(\d+)\n)?(?: {2}\w+: +\d+\n)? {2}duration: /gm;
/** Captures the list in the last part below `Failed Tests: There were 2 failures`. */
const FAILED_PATTERN = /^ {2}Failed Tests: There were? (?:was )?\d+ failures?\n([\s\S]*?)^ {2}total: /gm;

/** The sum of the counts of all summaries; null if there is none. */
export function parseTapSpec(text: string): TestCounts | null {
  const summaries = [...text.matchAll(SUMMARY_PATTERN)];
  if (summaries.length === 0) return null;
  const sumGroup = (group: number) => summaries.reduce((sum, summary) => sum + Number(summary[group] ?? 0), 0);
  const names = [...text.matchAll(FAILED_PATTERN)].flatMap(([, block = '']) => parseNames(block));
  return makeCounts(sumGroup(2), sumGroup(3), 0, names);
}

/** The failed assertions of a block, each behind the title of its test. */
function parseNames(block: string): readonly string[] {
  let title = '';
  return block.split('\n').flatMap((line) => {
    const [, failed] = /^ {6}\u2716 (.+)$/.exec(line) ?? [];
    if (failed === undefined) title = /^ {4}(\S.*)$/.exec(line)?.[1] ?? title;
    return failed === undefined ? [] : [`${title} › ${failed}`];
  });
}
