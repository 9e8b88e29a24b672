// Computes the points that a tree has lost by input of the ruler, and the counts behind them.

import type { Measures, PointCost } from '../model.ts';
import { INPUT_MAX, ruler, type DensityInput, type ShareInput } from './ruler.ts';
import { computeShare } from './score.ts';

/**
 * The costs of the inputs, most expensive first, without inputs that cost nothing or are unknown. The costs of a
 * category and the points of its unknown inputs add up to its missing points.
 */
export function computeCosts(sums: ReadonlyMap<string, number>): readonly PointCost[] {
  return ruler.definition.inputs
    .flatMap((input): PointCost[] => {
      const share = computeShare(input, sums);
      if (share === null || share >= 1) return [];
      return [
        {
          category: input.category,
          input: input.name,
          points: (INPUT_MAX[input.name] ?? 0) * (1 - share),
          counted: countByMeasure(input, (name) => sums.get(name) ?? 0),
        },
      ];
    })
    .sort((a, b) => b.points - a.points);
}

/**
 * The counts of an input by measure, without zeros, in descending order of the product of weight and count. `measure`
 * returns the count of a measure.
 */
export function countByMeasure(input: DensityInput | ShareInput, measure: (name: string) => number): Measures {
  const weights = input.kind === 'share' ? { [input.of]: 1, [input.per]: 1 } : input.of;
  const measureCounts = Object.entries(weights)
    .map(([name, weight]) => ({ name, count: measure(name), weight }))
    .filter(({ count }) => count > 0);
  measureCounts.sort((a, b) => b.weight * b.count - a.weight * a.count);
  return Object.fromEntries(measureCounts.map(({ name, count }) => [name, count]));
}
