// Decides whether a score says anything: it does not if nothing could be measured.

import { CATEGORIES, type Points } from '../model.ts';

/** True if no category has points, for instance because there is no code. */
export function nothingMeasured({ categories }: Points): boolean {
  return CATEGORIES.every((category) => categories[category].points === null);
}
