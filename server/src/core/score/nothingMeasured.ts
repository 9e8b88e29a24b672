// Tells whether points say anything: they do not where nothing could be measured.

import { CATEGORIES, type Points } from '../model.ts';

/** True if no category has points, for instance because there is no code. */
export function nothingMeasured({ categories }: Points): boolean {
  return CATEGORIES.every((category) => categories[category].points === null);
}
