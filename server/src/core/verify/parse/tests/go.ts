// Reads the output of go test -v: `--- PASS: TestAdds (0.00s)`, indented for subtests.

import { counts, groups, type TestCase, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text is not that of `go test -v`. */
export function parseGo(text: string): TestCounts | null {
  const testsWith = (outcome: string) => groups(text, new RegExp(`^[ \\t]*--- ${outcome}: (\\S+) \\(`, 'gm'));
  const [passed, failed, skipped] = [testsWith('PASS'), testsWith('FAIL'), testsWith('SKIP')];
  const unbuiltPackages = groups(text, /^FAIL\t(\S+ \[(?:build|setup) failed\])/gm);
  const silent = /\[no test files\]|^testing: warning: no tests to run/m.test(text);
  if (passed.length + failed.length + skipped.length + unbuiltPackages.length === 0 && !silent) return null;
  return counts(
    passed.length,
    failed.length + unbuiltPackages.length,
    skipped.length,
    [...failed, ...unbuiltPackages],
    [
      ...cases(text),
      ...unbuiltPackages.map((name): TestCase => ({ file: null, name, outcome: 'failed', millis: null })),
    ],
  );
}

function cases(text: string): TestCase[] {
  const outcomes = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' } as const;
  return [...text.matchAll(/^[ \t]*--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)/gm)].map(
    ([, word, name = '', seconds]) => ({
      file: null,
      name,
      outcome: outcomes[word as keyof typeof outcomes],
      millis: Number(seconds) * 1000,
    }),
  );
}
