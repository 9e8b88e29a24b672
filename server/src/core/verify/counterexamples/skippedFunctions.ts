// Counts the reasons why functions were not called.

import { countBy } from '../../../util/values/countBy.ts';

/** The reasons with their numbers of functions, most frequent first. */
export function countReasons(
  skipped: readonly { readonly reason: string }[],
): readonly { readonly reason: string; readonly count: number }[] {
  return [...countBy(skipped, ({ reason }) => reason)]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count);
}
