// Counts the reasons why functions were not called.

import type { SkippedFunction } from './plan.ts';

/** The reasons with their numbers of functions, most frequent first. */
export function countReasons(
  skipped: readonly Pick<SkippedFunction, 'reason'>[],
): readonly { readonly reason: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}
