// What average lines cost on the ruler.

import { expect, test } from 'vitest';
import { countLostDocumentation } from '../../../server/src/core/analysis/script/exportedApi.ts';
import type { Language } from '../../../server/src/core/model.ts';
import { computeAveragePrice, countAddedLines, computePrice } from '../../../server/src/core/score/price.ts';
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
  expect(computeAveragePrice(sums, 2_000)).toBeCloseTo(foldSums(sums).total - foldSums(doubled).total, 9);
});

test('more lines cost more, none cost nothing, and clean code has no price', () => {
  const prices = [0, 1, 5, 50].map((lines) => computeAveragePrice(sums, lines));
  expect(prices[0]).toBe(0);
  expect(prices.toSorted((one, other) => one - other)).toEqual(prices);
  expect(new Set(prices).size).toBe(4);
  expect(
    computeAveragePrice(
      new Map([
        ['statements', 2_000],
        ['excess', 0],
        ['cognitive', 0],
      ]),
      100,
    ),
  ).toBe(0);
  expect(computeAveragePrice(new Map(), 100)).toBe(0);
});

test('code that is removed with its findings pays for no other loss', () => {
  const before = new Map([...sums, ['checked.statements', 2_000], ['checked.unused', 0]]);
  // A tenth is removed, so that every density stays, and a variable that nobody reads is added.
  const after = new Map([...before].map(([name, value]) => [name, value * 0.9])).set('checked.unused', 1);
  const change = { sums: before, sizes: after, newLines: 1, nesting: 0 };
  const price = computePrice({ ...change, before: foldSums(before), after: foldSums(after) });
  expect(price).toBeCloseTo(computeAveragePrice(before, 1), 9);
});

test('only lines of code that are new or written anew count', () => {
  const edit = (before: string | null, after: string | null) =>
    countAddedLines([{ path: 'a.ts', before, after }], () => 'typescript');
  expect(edit('a();\n', 'a();\n\n// why\n/** what\n * more\n */\nb();\n')).toBe(1);
  expect(edit('a();\nb();\n', 'a();\nc();\n')).toBe(1);
  expect(edit(null, 'a();\nb();\n')).toBe(2);
  expect(edit('a();\nb();\n', 'a();\n')).toBe(0);
  expect(edit('a();\n', null)).toBe(0);
});

test.each<[string, Language | null, string, number]>([
  ['private members and generators', 'typescript', 'class A {\n  #count = 0;\n  #add(n) {}\n  *all() {}\n}\n', 5],
  ['a pointer and a directive', 'c', '#include <a.h>\n*p = x;\n/* one\n * two */\n', 2],
  ['code after a block', 'java', '/* one */ a();\n/* two\n three */ b();\n/* four */ // five\n', 2],
  ['a comment in the middle of a block', 'rust', 'a();\n/*\n\nb();\n*/\nc();\n', 2],
  ['an attribute', 'rust', '#[test]\n// one\n', 1],
  ['an attribute beside a comment', 'php', '#[Test]\n# one\n// two\n', 1],
  ['hash comments', 'python', '# one\na()\n', 1],
  ['a block', 'ruby', '=begin\none\n=end\na\n# two\n', 1],
  ['dashes', 'lua', '-- one\n--[[ two\nthree ]]\na()\n', 1],
  ['dashes that are an operator', 'haskell', '-- one\n--- two\n--> a\n{- three -}\nb\n', 2],
  ['no block comments', 'zig', '/// one\na();\n', 1],
  ['a mark in a template', 'typescript', 'const a = `\n/* b\n// c\n`;\n// d\ne();\n', 5],
  ['a template in one line, and marks of templates elsewhere', 'javascript', 'a(`b`);\nc(/`/, "`"); // `\n// d\n', 2],
  ['a string of several lines', 'go', 'a := `\n/* b`\n/* c */\n', 2],
  ['an open block', 'typescript', '/* a\nb();\nc();\n', 3],
  ['an open block after a closed one', 'typescript', '/* a */\n/* b\nc();\n', 2],
  ['two blocks in a line', 'typescript', '/* a */ /* b\nc\n*/\nd();\n', 1],
  ['an unknown language', null, '// one\n\n# two\n', 2],
])('in the new lines of a file: %s', (_, language, text, count) => {
  expect(countAddedLines([{ path: 'a', before: null, after: text }], () => language)).toBe(count);
});

test('a rewritten line in a block that was there before is no code', () => {
  const edit = { path: 'a.ts', before: '/*\none\n*/\na();\n', after: '/*\ntwo\n*/\na();\n' };
  expect(countAddedLines([edit], () => 'typescript')).toBe(0);
});

test('lines that come out of a comment count, and lines that go into one do not', () => {
  const edit = (before: string, after: string) =>
    countAddedLines([{ path: 'a.ts', before, after }], () => 'typescript');
  const [code, comment] = ['a();\nb();\nc();\n', 'a();\n/*\nb();\nc();\n*/\n'];
  expect(edit(comment, code)).toBe(2);
  expect(edit(code, comment)).toBe(0);
});

test('new exports pay for no documentation that others lose', () => {
  const api = (exported: number, documented: number) =>
    new Map([...sums, ['api.exported', exported], ['api.documented', documented]]);
  const priceOf = (documentedAfter: number, lostNames: number) => {
    const [before, after] = [api(10, 5), api(11, documentedAfter)];
    const points = { before: foldSums(before), after: foldSums(after) };
    const lost = new Map([['api.documented', lostNames]]);
    return computePrice({ sums: before, sumsAfter: after, sizes: before, lost, newLines: 1, nesting: 0, ...points });
  };
  const priceOfLine = computeAveragePrice(sums, 1);
  expect(priceOf(5, 0)).toBeGreaterThan(priceOfLine + 1);
  expect(priceOf(5, 1)).toBeCloseTo(priceOfLine, 9);
  expect(priceOf(4, 1)).toBeCloseTo(priceOf(5, 0), 9);
});

test('documentation is lost where a name stays exported without it', () => {
  const documented = '/** Adds the tax of the country to a price. */\n';
  const [price, tax] = ['export function price() {}\n', 'export function tax() {}\n'];
  const lostBy = (before: string, after: string) => countLostDocumentation([{ path: 'src/a.ts', before, after }]);
  expect(lostBy(documented + price, price + documented + tax)).toBe(1);
  expect(lostBy(documented + price, documented + price + tax)).toBe(0);
  expect(lostBy(documented + price, tax)).toBe(0);
});
