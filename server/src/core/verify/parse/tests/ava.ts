// Reads the output of AVA: `2 tests passed`, or, if some fail, `1 test failed` without the number that passed.

import { counts, groups, sum, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text is not AVA's. */
export function parseAva(text: string): TestCounts | null {
  if (!/^[ \t]+\d+ tests? (passed|failed)$/m.test(text))
    return /Couldn’t find any files to test/.test(text) ? counts(0, 0, 0, []) : null;
  const said = sum(text, /^[ \t]+(\d+) tests? passed$/gm);
  const passed = said > 0 ? said : groups(text, /^[ \t]+✔ (.+)$/gm).length;
  return counts(
    passed,
    sum(text, /^[ \t]+(\d+) tests? failed$/gm),
    sum(text, /^[ \t]+(\d+) tests? (?:skipped|todo)$/gm),
    groups(text, /^[ \t]+✘ \[fail\]: (.+)$/gm),
  );
}
