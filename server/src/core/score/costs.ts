// Where the points of a tree went: what each input of the ruler costs, and what was counted for it.

import type { Category, PointCost } from '../model.ts';
import { ruler } from './ruler.ts';
import { shareOf } from './score.ts';

/** Dearest first; inputs that cost nothing, or of which nothing is known, are left out. The costs of a category sum up to what it lacks of its maximum. */
export function costsOf(sums: ReadonlyMap<string, number>): readonly PointCost[] {
  const { inputs, max } = ruler.definition;
  const shares = inputs.map((input) => ({ input, share: shareOf(input, sums) }));
  const weights = (category: Category) => shares.reduce((sum, { input, share }) => (input.category === category && share !== null ? sum + input.weight : sum), 0);
  return shares
    .flatMap(({ input, share }): PointCost[] => {
      if (share === null || share >= 1) return [];
      const points = (max[input.category] * input.weight * (1 - share)) / weights(input.category);
      const weighed = input.kind === 'share' ? { [input.of]: 1, [input.per]: 1 } : input.of;
      const counted = Object.entries(weighed).map(([name, weight]) => ({ name, count: sums.get(name) ?? 0, weight })).filter(({ count }) => count > 0);
      counted.sort((a, b) => b.weight * b.count - a.weight * a.count);
      return [{ category: input.category, input: input.name, points, counted: Object.fromEntries(counted.map(({ name, count }) => [name, count])) }];
    })
    .sort((a, b) => b.points - a.points);
}
