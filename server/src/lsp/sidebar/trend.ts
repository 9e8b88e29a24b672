// How the points went, and what stands between one measurement and the next. Only measurements on the ruler of today: others cannot be compared.

import type { TrendPoint } from '#protocol/state';
import { CATEGORIES, type Points } from '../../core/model.ts';
import type { StoredEvent } from '../../core/ports.ts';
import { categoryLabels } from './categoryLabels.ts';

/** As many as a sidebar has room for. */
const shownPoints = 120;
/** Differences below are noise of floating point. */
const nothing = 0.0005;

/** Types of the events that `trendOf` reads. */
export const trendTypes = ['points', 'applied', 'rolledBack', 'kept'] as const;

/** `events` oldest first, of these types. `ruler`: hash of the ruler of today. */
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
    trend.push({ at, total: points.total, max: points.max, cause: before ? (causes.join(', ') || 'Edits of the files') : null, moved: before ? movedBetween(before, points) : [] });
    before = points;
    causes = [];
  }
  return trend.slice(-shownPoints);
}

/** A change that was kept was applied before; only what moved the tree is a cause. */
function causeOf(type: string, { proposal }: { readonly proposal?: string | null }, titleOf: (proposal: string) => string | null): string | null {
  const title = typeof proposal === 'string' ? titleOf(proposal) : null;
  if (type === 'applied') return title ?? 'A change was applied';
  if (type === 'rolledBack') return title === null ? 'A change was rolled back' : `Rolled back: ${title}`;
  return null;
}

function movedBetween(before: Points, after: Points): TrendPoint['moved'] {
  return CATEGORIES.flatMap((name) => {
    const [old, now] = [before.categories[name].points, after.categories[name].points];
    const delta = old === null || now === null ? 0 : now - old;
    return Math.abs(delta) < nothing ? [] : [{ label: categoryLabels[name], delta }];
  });
}

function same(one: Points, other: Points): boolean {
  return Math.abs(one.total - other.total) < nothing && one.max === other.max && CATEGORIES.every((name) => Math.abs((one.categories[name].points ?? -1) - (other.categories[name].points ?? -1)) < nothing);
}
