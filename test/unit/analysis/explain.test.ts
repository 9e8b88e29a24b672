// Where each point of complexity comes from: places, and sums that are the function's figures.

import { expect, test } from 'vitest';
import { explainFunction } from '../../../server/src/core/analysis/metrics/explain.ts';

const text = `import { b } from './b.ts';
export function f(a, c = 1) {
  if (a) {
    for (const x of a) b(x && a.y?.z && c);
  } else if (c) {
    b();
  }
  else b();
  const g = () => (a ? 1 : 2);
  class Inner { field = a ? g : 0; }
}
if (b) f(() => 1);
`;

test('every construct with its place, in the order of the text', () => {
  const found = explainFunction('src/a.ts', text, 'typescript', { line: 4, column: 10 });
  expect(found?.metrics).toMatchObject({ name: 'f', line: 2, column: 1, cyclomatic: 8, cognitive: 7 });
  expect(
    found?.steps.map(
      ({ line, column, construct, cyclomatic, cognitive, nesting }) =>
        `${line}:${column} ${construct} ${cyclomatic} ${cognitive} ${nesting}`,
    ),
  ).toEqual([
    '2:26 default value 1 0 0',
    '3:3 if 1 1 0',
    '4:5 for 1 2 1',
    '4:28 && 1 1 2',
    '4:34 ?. 1 0 2',
    '4:38 && 1 0 2',
    '5:5 else if 1 1 0',
    '8:3 else 0 1 0',
    '10:27 ?: 0 1 0',
  ]);
});

const places: readonly (readonly [number, number, string])[] = [
  [2, 1, 'f'],
  [2, 17, 'f'],
  [9, 20, 'g'],
  [10, 26, 'field'],
  [12, 14, '(anonymous)'],
  [12, 2, '(top level)'],
  [1, 1, '(top level)'],
];
test.each(places)('line %i, column %i is in %s', (line, column, name) => {
  const found = explainFunction('src/a.ts', text, 'typescript', { line, column });
  expect(found?.metrics.name).toBe(name);
  const sum = (of: 'cyclomatic' | 'cognitive') => found?.steps.reduce((total, step) => total + step[of], 0);
  expect(sum('cognitive')).toBe(found?.metrics.cognitive);
  expect(sum('cyclomatic')).toBe((found?.metrics.cyclomatic ?? 0) - 1);
});

test('null where there is nothing to explain', () => {
  expect(explainFunction('src/a.py', 'def f(): pass\n', 'python', { line: 1, column: 1 })).toBeNull();
  expect(explainFunction('src/a.ts', '', 'typescript', { line: 1, column: 1 })).toBeNull();
  expect(explainFunction('src/a.ts', text, 'typescript', { line: 99, column: 1 })).toBeNull();
});
