// Reads the Test Anything Protocol, which Node's runner (if its output is not a terminal), tape, tap and others write.

import { makeCounts, exactCounts, captureGroups, sumOfMatches, type TestCase, type TestCounts } from '../testCounts.ts';
import { tapDiagnosis } from './tapDiagnosis.ts';

/** The counts of a run; null if the text is not TAP. */
export function parseTap(text: string): TestCounts | null {
  const points = [...text.matchAll(/^(not )?ok\b(?: \d+)?(.*)$/gm)];
  if (!/^(TAP version \d+|1\.\.\d+)/m.test(text)) return null;
  const names = captureGroups(text, /^[ \t]*not ok\b(?: \d+)?(?: -)? (.+)$/gm).filter(
    (name) => !/# (todo|skip)\b/i.test(name),
  );
  if (/^# pass\s+\d+$/m.test(text)) {
    const failed = sumOfMatches(text, /^# (?:fail|cancelled)\s+(\d+)$/gm);
    return exactCounts(
      sumOfMatches(text, /^# pass\s+(\d+)$/gm),
      failed,
      sumOfMatches(text, /^# (?:skipped|skip|todo)\s+(\d+)$/gm),
      names,
      collectCases(text),
    );
  }
  const aside = points.filter((point) => /# (todo|skip)\b/i.test(point[2] ?? ''));
  const judged = points.filter((point) => !aside.includes(point));
  return makeCounts(
    judged.filter((point) => !point[1]).length,
    judged.filter((point) => point[1]).length,
    aside.length,
    names,
    collectCases(text),
  );
}

/** The test points of tests, not of suites, which follow the deeper indented points of their tests. */
function collectCases(text: string): TestCase[] {
  const points = [
    ...text.matchAll(/^([ \t]*)(not )?ok\b(?: \d+)?(?: -)?(?: (.*))?$((?:\n[ \t]*---$[^]*?^[ \t]*\.\.\.$)?)/gm),
  ];
  return points.flatMap(([, , not, rest = '', block = '']): TestCase[] => {
    if (/^[ \t]*type: 'suite'$/m.test(block)) return [];
    const aside = /^(.*?) ?# (todo|skip)\b/i.exec(rest);
    const millis = /^[ \t]*duration_ms: ([\d.]+)$/m.exec(block)?.[1];
    return [
      {
        file: null,
        name: aside?.[1] ?? rest,
        outcome: aside ? 'skipped' : not ? 'failed' : 'passed',
        millis: millis === undefined ? null : Number(millis),
        ...(not && !aside && block !== ''
          ? { failure: tapDiagnosis(block.replace(/^[ \t]*(?:---|\.\.\.)$/gm, '')) }
          : {}),
      },
    ];
  });
}
