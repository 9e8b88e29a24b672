// Computes the difference between two scores on one ruler, and its reasons: inputs that both measured, and inputs that
// only one measured.

import { CATEGORIES, type Category, type CategoryPoints, type InputPoints, type Points } from '../model.ts';

/** A difference between two scores. */
export interface PointsDifference {
  /**
   * The difference of each category, from the inputs that both scores measured. A category without such an input is
   * omitted.
   */
  readonly by: readonly { readonly category: Category; readonly delta: number }[];
  /** Sum of `by`: the effect of the change. */
  readonly gain: number;
  /** Inputs that only the first score measured, with their points, which the second lacks. */
  readonly lost: readonly MovedInput[];
  /** Inputs that only the second score measured, with their points. */
  readonly found: readonly MovedInput[];
  /** Difference of the totals: `gain` minus the points of `lost` plus the points of `found`. */
  readonly step: number;
}

/** An input that only one of two scores measured. */
export interface MovedInput {
  readonly category: Category;
  readonly name: string;
  readonly points: number;
}

/** The name of an input with its verb: "test coverage is", "unused exports are". */
export function addVerb(input: string): string {
  return `${input} ${/[^s]s$/.test(input) ? 'are' : 'is'}`;
}

/** The difference between two scores, which must be on the same ruler. */
export function compareScores(before: Points, after: Points): PointsDifference {
  const pairs = CATEGORIES.flatMap((category) =>
    collectPairs(category, before.categories[category], after.categories[category]),
  );
  const categoryDifferences = CATEGORIES.flatMap((category) => {
    const commonPairs = pairs.filter(
      (pair) => pair.category === category && pair.pointsBefore !== null && pair.pointsAfter !== null,
    );
    return commonPairs.length === 0
      ? []
      : [
          {
            category,
            delta: commonPairs.reduce(
              (sum, { pointsBefore, pointsAfter }) => sum + (pointsAfter ?? 0) - (pointsBefore ?? 0),
              0,
            ),
          },
        ];
  });
  return {
    by: categoryDifferences,
    gain: categoryDifferences.reduce((sum, { delta }) => sum + delta, 0),
    lost: pairs.flatMap(({ category, name, pointsBefore, pointsAfter }) =>
      pointsBefore !== null && pointsAfter === null ? [{ category, name, points: pointsBefore }] : [],
    ),
    found: pairs.flatMap(({ category, name, pointsBefore, pointsAfter }) =>
      pointsBefore === null && pointsAfter !== null ? [{ category, name, points: pointsAfter }] : [],
    ),
    step: after.total - before.total,
  };
}

/** One input with its points in both scores. The points are null if the score did not measure the input. */
interface InputPair {
  readonly category: Category;
  readonly name: string;
  readonly pointsBefore: number | null;
  readonly pointsAfter: number | null;
}

function collectPairs(category: Category, before: CategoryPoints, after: CategoryPoints): readonly InputPair[] {
  const afterByName = new Map(collectInputs(category, after).map(({ name, points }) => [name, points]));
  return collectInputs(category, before).map(({ name, points }) => ({
    category,
    name,
    pointsBefore: points,
    pointsAfter: afterByName.get(name) ?? null,
  }));
}

/** The inputs of a category. Older scores contain only whole categories, which then count as one input. */
function collectInputs(
  category: Category,
  { inputs, points }: CategoryPoints,
): readonly Pick<InputPoints, 'name' | 'points'>[] {
  return inputs ?? [{ name: category, points }];
}
