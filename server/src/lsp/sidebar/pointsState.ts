// Makes the points for the sidebar: each category with its inputs, and the places in the code that cost most points.

import type { CategoryState, PointsState } from '#protocol/state';
import { CATEGORIES, type Category, type Opportunity, type PointPlace, type Points } from '../../core/model.ts';
import { findOpportunities } from '../../core/score/inputRules.ts';
import { formatMeasures, formatPlace } from '../../core/score/measureTexts.ts';
import { categoryLabels } from '../../core/score/categoryLabels.ts';

/** Maximum number of places in each category. */
const MAX_PLACES = 5;

/**
 * The points of all categories. `improvable`: opportunities that a recipe can fix, best first. Null if nothing was
 * measured, because "0 of 1,000" would be wrong.
 */
export function createPointsState(points: Points, improvable: readonly Opportunity[]): PointsState | null {
  if (CATEGORIES.every((category) => points.categories[category].points === null)) return null;
  return {
    total: points.total,
    max: points.max,
    rulerVersion: points.ruler.version,
    categories: CATEGORIES.map((name) => createCategoryState(name, points, improvable)),
  };
}

/** A category with its inputs, and the places that cost most points in it. */
function createCategoryState(
  name: Category,
  { categories, costs = [], why = {}, places = [] }: Points,
  improvable: readonly Opportunity[],
): CategoryState {
  const { points, max, inputs = [] } = categories[name];
  const costliestPlaces = places.filter(({ category }) => category === name).slice(0, MAX_PLACES);
  const improvementByPlace = findOpportunities(costliestPlaces, improvable);
  return {
    name,
    label: categoryLabels[name],
    points,
    max,
    inputs: inputs.map((input) => ({
      ...input,
      said:
        input.points === null
          ? (why[input.name] ?? '')
          : formatMeasures(costs.find((cost) => cost.input === input.name)?.counted ?? {}),
    })),
    places: costliestPlaces.map((place, index) => createPlaceState(place, improvementByPlace[index] ?? null)),
  };
}

function createPlaceState(place: PointPlace, improvement: Opportunity | null): CategoryState['places'][number] {
  const { path, line, symbol, points, input, counted, unlisted } = place;
  return {
    path,
    line,
    symbol,
    points,
    input,
    said: unlisted ? formatPlace(place) : formatMeasures(counted),
    improvement: improvement && { opportunity: improvement.id, message: improvement.message },
  };
}
