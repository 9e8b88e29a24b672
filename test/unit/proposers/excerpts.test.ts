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

test('a named file gets room first, also a small one behind a large one', () => {
  const noise = Array.from({ length: 40 }, (_, index) => file(`noise${index}`, 60));
  const named = file('named', 500, { share: 1 });
  const budget = Math.round(estimateTokens(named.text) / 0.45);
  expect(fitIntoBudget([named, ...noise], budget)[0]?.text).toBe(named.text);
  const small = file('small', 100, { share: 1 });
  const shown = fitIntoBudget([file('huge', 9_000, { share: 1 }), small, ...noise], budget);
  expect(shown.slice(0, 2).map(({ path }) => path)).toEqual(['huge', 'small']);
  expect(shown[1]?.text).toBe(small.text);
});

test('the room of a file of which nothing fits is for the others', () => {
  const minified: ExcerptFile = { path: 'minified', text: 'a'.repeat(50_000), role: 'target' };
  const large = file('large', 3_000);
  expect(fitIntoBudget([minified, large], 5_000)).toEqual(fitIntoBudget([large], 5_000));
});

test('a part grows with the lines that it adds, not with all that it has', () => {
  const text = linesOf(40_000, 'x');
  const places = Array.from({ length: 40 }, (_, index) => ({ startLine: 20_000 + index, endLine: 20_002 + index }));
  const start = process.threadCpuUsage();
  showPlaces(text, places, 100_000);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1_000);
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
