// The Test Anything Protocol: Node's runner when its output is no terminal, tape, tap and others.

import { counts, groups, sum, type TestCounts } from '../testCounts.ts';

export function parseTap(text: string): TestCounts | null {
  const points = [...text.matchAll(/^(not )?ok\b(?: \d+)?(.*)$/gm)];
  if (!/^(TAP version \d+|1\.\.\d+)/m.test(text)) return null;
  const names = groups(text, /^[ \t]*not ok\b(?: \d+)?(?: -)? (.+)$/gm).filter((name) => !/# (todo|skip)\b/i.test(name));
  if (/^# pass\s+\d+$/m.test(text)) {
    const failed = sum(text, /^# (?:fail|cancelled)\s+(\d+)$/gm);
    return { ...counts(sum(text, /^# pass\s+(\d+)$/gm), failed, sum(text, /^# (?:skipped|skip|todo)\s+(\d+)$/gm), names), failed };
  }
  const aside = points.filter((point) => /# (todo|skip)\b/i.test(point[2] ?? ''));
  const judged = points.filter((point) => !aside.includes(point));
  return counts(judged.filter((point) => !point[1]).length, judged.filter((point) => point[1]).length, aside.length, names);
}
