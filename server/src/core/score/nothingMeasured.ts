// Decides whether a score is meaningful: it is not if nothing could be measured.

import { CATEGORIES, type Points } from '../model.ts';

/** True if no category has points, for instance because there is no code. */
export function isNothingMeasured({ categories }: Points): boolean {
  return CATEGORIES.every((category) => categories[category].points === null);
}
