// Parses the epilogue of unittest: `Ran 4 tests in 0.001s`, then `FAILED (failures=1, errors=1, skipped=1)` or `OK
// (skipped=1)`.

import { makeCounts, captureGroups, sumMatches, type TestCounts } from '../testCounts.ts';

/** The counts of a run, with the names of the failed tests only; null if the text has no such epilogue. */
export function parseUnittest(text: string): TestCounts | null {
  const ends = captureGroups(
    text,
    /^Ran \d+ tests? in [\d.]+s\n\n((?:OK|FAILED|NO TESTS RAN)(?: \([\w =,]{1,120}\))?)$/gm,
  ).join('\n');
  if (ends === '') return null;
  const ranCount = sumMatches(text, /^Ran (\d+) tests? in [\d.]+s$/gm);
  const failed = sumMatches(ends, /(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g);
  const skipped = sumMatches(ends, /(?:skipped|expected failures)=(\d+)/g);
  const names = captureGroups(text, /^(?:FAIL|ERROR): (\S+ \(\S+\))/gm);
  return makeCounts(Math.max(0, ranCount - failed - skipped), failed, skipped, names);
}
