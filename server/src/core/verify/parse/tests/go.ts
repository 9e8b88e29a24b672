// Parses the output of go test -v: `--- PASS: TestAdds (0.00s)`, indented for subtests. The line of the package follows
// its tests: `ok<tab>example.com/sums<tab>0.01s`.

import { makeCounts, captureGroups, type TestCase, type TestCounts } from '../testCounts.ts';

/** The counts of a run; null if the text is not output of `go test -v`. */
export function parseGo(text: string): TestCounts | null {
  const captureTestNames = (outcome: string) =>
    captureGroups(text, new RegExp(`^[ \\t]*--- ${outcome}: (\\S+) \\(`, 'gm'));
  const [passed, failed, skipped] = [captureTestNames('PASS'), captureTestNames('FAIL'), captureTestNames('SKIP')];
  const unbuiltPackages = captureGroups(text, /^FAIL\t(\S+ \[(?:build|setup) failed\])/gm);
  const isSilent = /\[no test files\]|^testing: warning: no tests to run/m.test(text);
  if (passed.length + failed.length + skipped.length + unbuiltPackages.length === 0 && !isSilent) return null;
  return makeCounts(
    passed.length,
    failed.length + unbuiltPackages.length,
    skipped.length,
    [...failed, ...unbuiltPackages],
    [
      ...collectCases(text),
      ...unbuiltPackages.map((name): TestCase => ({ file: null, name, outcome: 'failed', millis: null })),
    ],
  );
}

function collectCases(text: string): TestCase[] {
  const outcomes = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' } as const;
  const packages = [...text.matchAll(/^(?:ok {2}|FAIL|---)\t(\S+)/gm)];
  let packageIndex = 0;
  return [...text.matchAll(/^[ \t]*--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)/gm)].map(
    ({ index, 1: word, 2: name = '', 3: seconds }) => {
      while (packageIndex < packages.length && packages[packageIndex]!.index < index) packageIndex += 1;
      return {
        file: null,
        package: packages[packageIndex]?.[1] ?? '',
        name,
        outcome: outcomes[word as keyof typeof outcomes],
        millis: Number(seconds) * 1000,
      };
    },
  );
}
