// What the points were lost for.

import { expect, test } from 'vitest';
import { formatPoints } from '../../../server/src/cli/writers/points.ts';
import { CATEGORIES } from '../../../server/src/core/model.ts';
import { computeCosts } from '../../../server/src/core/score/costs.ts';
import { MEASURES_WITH_TEXT } from '../../../server/src/core/score/measureTexts.ts';
import { ruler } from '../../../server/src/core/score/ruler.ts';
import { foldSums } from '../../../server/src/core/score/score.ts';

const sums = new Map(
  Object.entries({
    statements: 2_000,
    'script.statements': 1_800,
    'checked.statements': 1_800,
    excess: 40,
    cognitive: 900,
    depth: 600,
    'checked.unused': 12,
    'script.any': 31,
    'script.uncheckedFile': 2,
    'script.nonNull': 12,
    'script.needlessCopy': 3,
    'project.copiedLines': 80,
    'script.roundabout': 0,
    'api.documented': 10,
    'api.exported': 40,
  }),
);

test('the costs of a category are what it lacks of its maximum', () => {
  const points = foldSums(sums);
  const costs = computeCosts(sums);
  for (const category of CATEGORIES) {
    const { points: value, max, inputs = [] } = points.categories[category];
    const lost = costs.filter((cost) => cost.category === category).reduce((sum, cost) => sum + cost.points, 0);
    const unknown = inputs.reduce((sum, input) => (input.points === null ? sum + input.max : sum), 0);
    expect([category, lost]).toEqual([category, expect.closeTo(max - (value ?? 0) - unknown, 9)]);
  }
  expect(costs.map(({ points: lost }) => lost)).toEqual(costs.map(({ points: lost }) => lost).sort((a, b) => b - a));
});

test('a category says what it lacks, what costs nothing is not named', () => {
  const shown = formatPoints({ ...foldSums(sums), costs: computeCosts(sums) });
  expect(shown).toMatch(
    /safety {11}\d+\.\d\d of 200\n {4}hazards: -\d+\.\d\d \(2 files without type checks, 31 any, 12 non-null marks \(!\)\)\n/,
  );
  expect(shown).toMatch(/documented API: -\d+\.\d\d \(40 exports, 10 documented exports\)/);
  expect(shown).not.toContain('roundabout');
});

test('every measure that costs points has words', () => {
  const counted = ruler.definition.inputs.flatMap((input) =>
    input.kind === 'share' ? [input.of, input.per] : Object.keys(input.of),
  );
  expect(counted.filter((measure) => !MEASURES_WITH_TEXT.has(measure))).toEqual([]);
  expect([...MEASURES_WITH_TEXT].filter((measure) => !counted.includes(measure))).toEqual([]);
});
