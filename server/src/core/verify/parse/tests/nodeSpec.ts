// Node's own runner with its spec reporter: `ℹ pass 2`.

import { counts, groups, sum, type TestCounts } from '../testCounts.ts';

export function parseNodeSpec(text: string): TestCounts | null {
  if (!/^ℹ pass \d+$/m.test(text)) return null;
  const names = groups(text, /^[ \t]*✖ (.+?) \(\d+(?:\.\d+)?ms\)/gm);
  const failed = sum(text, /^ℹ (?:fail|cancelled) (\d+)$/gm);
  const skipped = sum(text, /^ℹ (?:skipped|todo) (\d+)$/gm);
  // A failing suite is listed with its tests, and is not one: the summary's number stands.
  return { ...counts(sum(text, /^ℹ pass (\d+)$/gm), failed, skipped, names), failed };
}
