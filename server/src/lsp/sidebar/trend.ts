// How the points went, and what stands between one measurement and the next. Only measurements on the ruler of today: others cannot be compared.

import type { TrendPoint } from '#protocol/state';
import { CATEGORIES, type Points } from '../../core/model.ts';
import type { StoredEvent } from '../../core/ports.ts';
import { movedBetween } from '../../core/score/moved.ts';
import { categoryLabels } from './categoryLabels.ts';

/** As many as a sidebar has room for. */
const shownPoints = 120;
/** Differences below are noise of floating point. */
const nothing = 0.0005;

/** Types of the events that `trendOf` reads. */
export const trendTypes = ['points', 'applied', 'rolledBack', 'kept'] as const;

/**
 * `events` oldest first, of these types. `ruler`: hash of the ruler of today. What is known changes as well, as where a report of
 * coverage becomes older than the code: that moves no points, so all totals are on what is known at the end.
 */
export function trendOf(events: readonly StoredEvent[], ruler: string, titleOf: (proposal: string) => string | null): readonly TrendPoint[] {
  const trend: TrendPoint[] = [];
  let before: Points | null = null;
  let causes: string[] = [];
  for (const { type, at, data } of events) {
    if (type !== 'points') {
      const cause = causeOf(type, data as { readonly proposal?: string | null }, titleOf);
      if (cause !== null) causes.push(cause);
      continue;
    }
    const { points } = data as { readonly points: Points | null };
    if (points?.ruler.hash !== ruler) continue;
    if (before && same(before, points)) continue;
    trend.push({ at, total: points.total, ...(before ? step(before, points, causes) : { cause: null, moved: [] }) });
    before = points;
    causes = [];
  }
  return onTheLastBasis(trend.slice(-shownPoints));
}

function step(before: Points, after: Points, causes: readonly string[]): Pick<TrendPoint, 'cause' | 'moved'> {
  const { by, lost, found } = movedBetween(before, after);
  const known = [...lost.map((category) => `${categoryLabels[category]} is no longer known`), ...found.map((category) => `${categoryLabels[category]} is known now`)];
  const moved = by.filter(({ delta }) => Math.abs(delta) >= nothing).map(({ category, delta }) => ({ label: categoryLabels[category], delta }));
  return { cause: [causes.join(', ') || 'Edits of the files', ...known].join('; '), moved };
}

/** From the last total back, by what moved. */
function onTheLastBasis(trend: readonly TrendPoint[]): readonly TrendPoint[] {
  let total = trend.at(-1)?.total ?? 0;
  return trend
    .toReversed()
    .map((point) => {
      const based = { ...point, total };
      total -= point.moved.reduce((sum, { delta }) => sum + delta, 0);
      return based;
    })
    .toReversed();
}

/** A change that was kept was applied before; only what moved the tree is a cause. */
function causeOf(type: string, { proposal }: { readonly proposal?: string | null }, titleOf: (proposal: string) => string | null): string | null {
  const title = typeof proposal === 'string' ? titleOf(proposal) : null;
  if (type === 'applied') return title ?? 'A change was applied';
  if (type === 'rolledBack') return title === null ? 'A change was rolled back' : `Rolled back: ${title}`;
  return null;
}

function same(one: Points, other: Points): boolean {
  return Math.abs(one.total - other.total) < nothing && one.max === other.max && CATEGORIES.every((name) => Math.abs((one.categories[name].points ?? -1) - (other.categories[name].points ?? -1)) < nothing);
}
