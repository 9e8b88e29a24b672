// Parses the output of cargo test: `test result: ok. 2 passed; 0 failed; 1 ignored; …`, one such line for each binary.

import { makeCounts, captureGroups, sumMatches, type TestCase, type TestCounts } from '../testCounts.ts';

/** The sum of the counts of all binaries; null if the text is not from cargo. */
export function parseCargo(text: string): TestCounts | null {
  const summaries = captureGroups(text, /^test result: \w+\. (.+)$/gm);
  if (summaries.length === 0) return null;
  const results = summaries.join('\n');
  return makeCounts(
    sumMatches(results, /(?<!\d)(\d+) passed/g),
    sumMatches(results, /(?<!\d)(\d+) failed/g),
    sumMatches(results, /(?<!\d)(\d+) ignored/g),
    captureGroups(text, /^test (.+) \.\.\. FAILED$/gm),
    collectCases(text),
  );
}

function collectCases(text: string): TestCase[] {
  return [...text.matchAll(/^test (.+) \.\.\. (ok|FAILED|ignored)(?:,.*)?$/gm)].map(([, name = '', word]) => ({
    file: null,
    name,
    outcome: word === 'ok' ? 'passed' : word === 'FAILED' ? 'failed' : 'skipped',
    millis: null,
  }));
}
