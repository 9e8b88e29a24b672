// How far two scores on one ruler differ. A category that one of both does not know, or knows by other inputs, moves nothing.

import { CATEGORIES, type Category, type Points } from '../model.ts';

export interface Moved {
  /** Points by category that both know. */
  readonly by: readonly { readonly category: Category; readonly delta: number }[];
  readonly gain: number;
  /** Known before alone, or after alone. */
  readonly lost: readonly Category[];
  readonly found: readonly Category[];
}

export function movedBetween(before: Points, after: Points): Moved {
  const by = CATEGORIES.flatMap((category) => {
    const [old, now] = [before.categories[category], after.categories[category]];
    return old.points === null || now.points === null || old.unknown.join() !== now.unknown.join() ? [] : [{ category, delta: now.points - old.points }];
  });
  const known = (points: Points, category: Category) => points.categories[category].points !== null;
  return {
    by,
    gain: by.reduce((sum, { delta }) => sum + delta, 0),
    lost: CATEGORIES.filter((category) => known(before, category) && !known(after, category)),
    found: CATEGORIES.filter((category) => !known(before, category) && known(after, category)),
  };
}
