// What two scores both know, and only that, tells how the points moved.

import { expect, test } from 'vitest';
import { CATEGORIES, type Points } from '../../../server/src/core/model.ts';
import { movedBetween } from '../../../server/src/core/score/moved.ts';

const points = (values: readonly (number | null)[], unknown: readonly string[] = []): Points => ({
  ruler: { version: '1', hash: 'h' },
  total: values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
  max: 100,
  categories: Object.fromEntries(CATEGORIES.map((category, index) => [category, { points: values[index] ?? null, max: 20, unknown: index === 0 ? unknown : [] }])) as unknown as Points['categories'],
});

test('coverage that is no longer known costs nothing', () => {
  const { gain, lost, found, by } = movedBetween(points([10, 18, 5, 5, 5]), points([11, null, 5, 4.5, 5]));
  expect({ gain, lost, found }).toEqual({ gain: 0.5, lost: ['testCoverage'], found: [] });
  expect(by.map(({ category }) => category)).not.toContain('testCoverage');
});

test('and what is known now brings nothing', () => {
  expect(movedBetween(points([10, null, 5, 5, 5]), points([10, 18, 5, 5, 5]))).toMatchObject({ gain: 0, found: ['testCoverage'], lost: [] });
});

test('a category that rests on other inputs is not compared', () => {
  expect(movedBetween(points([10, 18, 5, 5, 5]), points([14, 18, 5, 5, 6], ['smells'])).gain).toBe(1);
});
