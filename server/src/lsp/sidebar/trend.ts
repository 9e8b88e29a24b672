// Computes the trend of the points from the ledger: the measurements, and what happened between them. Uses only
// measurements with the current ruler (the definition of what is scored), because others are not comparable.

import type { TrendPoint } from '#protocol/state';
import { CATEGORIES, type Category, type Points } from '../../core/model.ts';
import { capitalise } from '../../util/visible.ts';
import { compareScores, addVerb } from '../../core/score/pointsDifference.ts';
import { categoryLabels } from '../../core/score/categoryLabels.ts';
import type { StoredEvent } from '../../core/ports/ledger.ts';

/** Maximum number of measurements in the trend, which is as many as the sidebar can show. */
const MAX_POINTS = 120;
/** The smallest difference in points that counts as one. Smaller ones are rounding errors. */
const MIN_DIFFERENCE = 0.0005;

/** Types of the events that `computeTrend` reads. */
export const TREND_EVENT_TYPES = ['points', 'applied', 'rolledBack', 'kept'] as const;

/**
 * The trend, oldest measurement first. `events`: events of the types `TREND_EVENT_TYPES`, oldest first. `ruler`: the
 * hash of the current ruler. `titleOf`: returns the title of a proposal, or null if it is unknown. A step of the trend
 * also states the inputs that are measured for the first time or no longer measured, with the points that this adds or
 * removes. For example, a coverage report may be older than the code.
 */
export function computeTrend(
  events: readonly StoredEvent[],
  ruler: string,
  titleOf: (proposal: string) => string | null,
): readonly TrendPoint[] {
  const trend: TrendPoint[] = [];
  let previousPoints: Points | null = null;
  let causes: string[] = [];
  for (const { type, at, data } of events) {
    if (type !== 'points') {
      const cause = findCause(type, data as { readonly proposal?: string | null }, titleOf);
      if (cause !== null) causes.push(cause);
      continue;
    }
    const { points } = data as { readonly points: Points | null };
    if (points?.ruler.hash !== ruler) continue;
    if (previousPoints && haveEqualScores(previousPoints, points)) continue;
    trend.push({
      at,
      total: points.total,
      ...(previousPoints ? describeStep(previousPoints, points, causes) : { cause: null, moved: [] }),
    });
    previousPoints = points;
    causes = [];
  }
  return trend.slice(-MAX_POINTS);
}

/** The causes of the difference between two measurements, and the categories that it concerns. */
function describeStep(before: Points, after: Points, causes: readonly string[]): Pick<TrendPoint, 'cause' | 'moved'> {
  const { gain, lost, found } = compareScores(before, after);
  const measurementCauses = [
    ...found.map(({ name, points }) => `${capitalise(addVerb(name))} measured now: ${formatSigned(points)}`),
    ...lost.map(({ name, points }) => `${capitalise(addVerb(name))} no longer measured: ${formatSigned(-points)}`),
  ];
  const editCauses = measurementCauses.length === 0 || Math.abs(gain) >= MIN_DIFFERENCE ? ['Edits of the files'] : [];
  const causeTexts = causes.length > 0 ? [causes.join(', ')] : editCauses;
  const changes = CATEGORIES.map((category) => ({
    label: categoryLabels[category],
    delta: pointsOf(after, category) - pointsOf(before, category),
  }));
  return {
    cause: [...causeTexts, ...measurementCauses].join('; '),
    moved: changes.filter(({ delta }) => Math.abs(delta) >= MIN_DIFFERENCE),
  };
}

function pointsOf({ categories }: Points, category: Category): number {
  return categories[category].points ?? 0;
}

/** Points with their sign, such as "+196.0". */
function formatSigned(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`;
}

/** The cause of a step as text; null for events that have not changed the tree, such as `kept`. */
function findCause(
  type: string,
  { proposal }: { readonly proposal?: string | null },
  titleOf: (proposal: string) => string | null,
): string | null {
  const title = typeof proposal === 'string' ? titleOf(proposal) : null;
  if (type === 'applied') return title ?? 'A change was applied';
  if (type === 'rolledBack') return title === null ? 'A change was rolled back' : `Rolled back: ${title}`;
  return null;
}

function haveEqualScores(points: Points, otherPoints: Points): boolean {
  return (
    Math.abs(points.total - otherPoints.total) < MIN_DIFFERENCE &&
    points.max === otherPoints.max &&
    CATEGORIES.every(
      (name) =>
        Math.abs((points.categories[name].points ?? -1) - (otherPoints.categories[name].points ?? -1)) < MIN_DIFFERENCE,
    )
  );
}
