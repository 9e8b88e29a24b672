// What average lines cost on the ruler.

import { expect, test } from 'vitest';
import { addedLines, priceOf } from '../../../server/src/core/score/price.ts';
import { foldSums } from '../../../server/src/core/score/score.ts';

const sums = new Map([
  ['statements', 2_000],
  ['excess', 400],
  ['cognitive', 3_000],
  ['script.statements', 2_000],
  ['script.any', 20],
  ['coverage.covered', 500],
  ['coverage.coverable', 1_000],
]);

test('as many lines again cost what the same trouble again costs, on the size that is there', () => {
  const doubled = new Map(
    [...sums].map(([name, value]) => [name, /tatements|coverage/.test(name) ? value : 2 * value]),
  );
  expect(priceOf(sums, 2_000)).toBeCloseTo(foldSums(sums).total - foldSums(doubled).total, 9);
});

test('more lines cost more, none cost nothing, and clean code has no price', () => {
  const prices = [0, 1, 5, 50].map((lines) => priceOf(sums, lines));
  expect(prices[0]).toBe(0);
  expect(prices.toSorted((one, other) => one - other)).toEqual(prices);
  expect(new Set(prices).size).toBe(4);
  expect(
    priceOf(
      new Map([
        ['statements', 2_000],
        ['excess', 0],
        ['cognitive', 0],
      ]),
      100,
    ),
  ).toBe(0);
  expect(priceOf(new Map(), 100)).toBe(0);
});

test('only lines of code that are new or written anew count', () => {
  const edit = (before: string | null, after: string | null) => addedLines([{ path: 'a.ts', before, after }]);
  expect(edit('a();\n', 'a();\n\n// why\n/** what */\n * more\nb();\n')).toBe(1);
  expect(edit('a();\nb();\n', 'a();\nc();\n')).toBe(1);
  expect(edit(null, 'a();\nb();\n')).toBe(2);
  expect(edit('a();\nb();\n', 'a();\n')).toBe(0);
  expect(edit('a();\n', null)).toBe(0);
});
