// Which parts of files fit into a question.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitIntoBudget, showPlaces, type ExcerptFile } from '../../../server/src/core/proposers/excerpts.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';

const linesOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `const ${name}${index + 1} = ${index + 1};`).join('\n');
const file = (path: string, count: number, more: Partial<ExcerptFile> = {}): ExcerptFile => ({
  ...{ path, text: linesOf(count, path), role: 'target' },
  ...more,
});

test('a large file leaves room for the others, and is shown around its places', () => {
  const large = file('large', 3_000, { places: [{ startLine: 1_500, endLine: 1_502 }] });
  const shown = fitIntoBudget([large, file('a', 100), file('b', 100)], 5_000);
  expect(shown.map(({ path }) => path)).toEqual(['large', 'a', 'b']);
  const [text] = shown.map((one) => one.text);
  expect(text).toContain('const large1 = 1;');
  expect(text).toContain('(Lines are not shown here.)');
  for (const line of [1_495, 1_500, 1_502, 1_505]) expect(text).toContain(`const large${line} = ${line};`);
  expect(text).toMatch(/\(The rest of this file is not shown\.\)$/);
  expect(shown[1]).toEqual({ path: 'a', text: linesOf(100, 'a'), role: 'target' });
});

test('a file that does not fit does not keep smaller ones out, and nothing is left unused', () => {
  const size = estimateTokens(linesOf(400, 'a'));
  const half = { share: 0.5 };
  const files = [file('a', 400, half), file('b', 400, half), file('c', 400), file('d', 5)];
  expect(fitIntoBudget(files, 2 * size + 150).map(({ path }) => path)).toEqual(['a', 'b', 'd']);
  const used = fitIntoBudget([file('a', 900), file('b', 2_000)], 6_000).reduce(
    (sum, { text }) => sum + estimateTokens(text),
    0,
  );
  expect(used).toBeLessThanOrEqual(6_000);
  expect(used).toBeGreaterThan(5_800);
  // With nothing else to show, one file takes all the room that it needs.
  expect(fitIntoBudget([file('a', 400)], 6_000)).toEqual([{ path: 'a', text: linesOf(400, 'a'), role: 'target' }]);
});

test('a file may have a smaller share', () => {
  const [user, large] = fitIntoBudget([file('user', 3_000, { share: 0.1 }), file('large', 900)], 10_000);
  expect(large?.text).toBe(linesOf(900, 'large'));
  expect(estimateTokens(user!.text)).toBeLessThanOrEqual(10_000 - estimateTokens(large!.text));
});

test('shown lines are lines of the file in their order, within the budget', () => {
  const ranges = fc.array(fc.tuple(fc.integer({ min: -3, max: 320 }), fc.integer({ min: -3, max: 320 })), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(ranges, fc.integer({ min: 0, max: 2_500 }), (pairs, budget) => {
      const text = linesOf(300, 'x');
      const places = pairs.map(([startLine, endLine]) => ({ startLine, endLine }));
      const shown = showPlaces(text, places, budget);
      expect(estimateTokens(shown)).toBeLessThanOrEqual(budget + 30);
      const numbers = [...shown.matchAll(/^const x(\d+) =/gm)].map(([, number]) => Number(number));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    }),
  );
});
