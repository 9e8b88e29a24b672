// Parses the output of bun test: ` 3 pass`, ` 1 fail`, followed by `Ran 4 tests across 1 file.`

import { makeCounts, captureGroups, sumMatches, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text is not from Bun. */
export function parseBun(text: string): TestCounts | null {
  if (!/^Ran \d+ tests? across \d+ files?\./m.test(text)) return null;
  return makeCounts(
    sumMatches(text, /^[ \t]+(\d+) pass$/gm),
    sumMatches(text, /^[ \t]+(\d+) fail$/gm),
    sumMatches(text, /^[ \t]+(\d+) (?:skip|todo)$/gm),
    captureGroups(text, /^[ \t]*(?:✗|\(fail\)) (.+?)(?: \[[\d.]+m?s\])?$/gm),
  );
}
