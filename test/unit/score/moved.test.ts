// Two scores are compared by the inputs that both know. An input that only one of them knows is named with its
// points, so that the difference adds up.

import { expect, test } from 'vitest';
import { CATEGORIES, type Points } from '../../../server/src/core/model.ts';
import { compareScores } from '../../../server/src/core/score/pointsDifference.ts';

/** Each category by two inputs. */
const points = (values: readonly (readonly [number | null, number | null])[]): Points => ({
  ruler: { version: '1', hash: 'h' },
  total: values.flat().reduce<number>((sum, value) => sum + (value ?? 0), 0),
  max: 100,
  categories: Object.fromEntries(
    CATEGORIES.map((category, index) => {
      const inputs = values[index]!.map((value, place) => ({ name: `${category} ${place}`, points: value, max: 10 }));
      const known = inputs.filter((input) => input.points !== null);
      return [
        category,
        {
          points: known.length === 0 ? null : known.reduce((sum, input) => sum + (input.points ?? 0), 0),
          max: 20,
          unknown: [],
          inputs,
        },
      ];
    }),
  ) as unknown as Points['categories'],
});
const before = points([
  [5, 5],
  [9, 9],
  [2, 3],
  [2, 3],
  [2, 3],
]);

test('coverage that is no longer known is named with its points, and is nothing that a change did', () => {
  const { gain, lost, found, by, step } = compareScores(
    before,
    points([
      [6, 5],
      [null, null],
      [2, 3],
      [2, 2.5],
      [2, 3],
    ]),
  );
  expect({ gain, lost, found, step }).toEqual({
    gain: 0.5,
    lost: [
      { category: 'testCoverage', name: 'testCoverage 0', points: 9 },
      { category: 'testCoverage', name: 'testCoverage 1', points: 9 },
    ],
    found: [],
    step: -17.5,
  });
  expect(by.map(({ category }) => category)).not.toContain('testCoverage');
});

test('what is measured now is named with its points', () => {
  const after = points([
    [5, 5],
    [9, 9],
    [2, 3],
    [2, 3],
    [2, 3],
  ]);
  expect(
    compareScores(
      points([
        [5, 5],
        [null, null],
        [2, 3],
        [2, 3],
        [2, 3],
      ]),
      after,
    ),
  ).toMatchObject({ gain: 0, lost: [], found: [{ points: 9 }, { points: 9 }], step: 18 });
});

test('of a category that rests on other inputs, those that both know are compared', () => {
  expect(
    compareScores(
      before,
      points([
        [7, null],
        [9, 9],
        [2, 3],
        [2, 3],
        [2, 4],
      ]),
    ),
  ).toMatchObject({ gain: 3, lost: [{ name: 'codeQuality 1', points: 5 }], step: -2 });
});

test('scores of older versions are compared by their categories', () => {
  const old = (of: Points): Points => ({
    ...of,
    categories: Object.fromEntries(
      CATEGORIES.map((category) => [category, { points: of.categories[category].points, max: 20, unknown: [] }]),
    ) as unknown as Points['categories'],
  });
  expect(
    compareScores(
      old(before),
      old(
        points([
          [6, 5],
          [null, null],
          [2, 3],
          [2, 3],
          [2, 3],
        ]),
      ),
    ),
  ).toMatchObject({ gain: 1, lost: [{ category: 'testCoverage', points: 18 }] });
});
