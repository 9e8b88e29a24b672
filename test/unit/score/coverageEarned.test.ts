// In a comparison, coverage rises only by lines in which new tests kill a mutant: a report proves nothing about a
// change.

import { expect, test } from 'vitest';
import { listContent } from '../../../server/src/core/analysis/inventory.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import type { Measures } from '../../../server/src/core/model.ts';
import { comparePoints } from '../../../server/src/core/score/comparePoints.ts';

const treeOf = (...files: Measures[]) => ({
  files: new Map(files.map((file, index) => [`${index}`, file])),
  inventories: new Map(),
});
const code = { statements: 2_000, excess: 10 };
const half = { 'coverage.covered': 50, 'coverage.coverable': 100 };

test('a better report gains nothing, a report that goes loses nothing, and neither does one that appears', () => {
  expect(
    comparePoints(treeOf(code, half), treeOf(code, { 'coverage.covered': 100, 'coverage.coverable': 100 })).gain,
  ).toBe(0);
  expect(
    comparePoints(treeOf(code, half), treeOf(code, { 'coverage.covered': 50, 'coverage.coverable': 50 })).gain,
  ).toBe(0);
  expect(comparePoints(treeOf(code, half), treeOf(code)).gain).toBe(0);
  const { gain, before, after } = comparePoints(treeOf(code), treeOf(code, half));
  expect([gain, before.categories.testCoverage.points, after.categories.testCoverage.points]).toEqual([0, null, null]);
});

test('lines in which new tests kill a mutant are covered, up to all that can be', () => {
  const guarded = (lines: number) =>
    comparePoints(treeOf(code, half), treeOf(code, half, { 'coverage.guarded': lines })).gain;
  expect(guarded(4)).toBeCloseTo(10, 9);
  expect(guarded(80)).toBeCloseTo(125, 9);
  // Those that were guarded before are no news.
  expect(
    comparePoints(treeOf(code, half, { 'coverage.guarded': 4 }), treeOf(code, half, { 'coverage.guarded': 6 })).gain,
  ).toBeCloseTo(5, 9);
});

test('where code went missing, tests earn nothing', () => {
  const text = "export function warn() { tell('fire'); }\n";
  const door = listContent({
    path: 'src/door.ts',
    text,
    language: detectLanguage('src/door.ts', text),
    generated: false,
  });
  const { withheld, before, after, gain } = comparePoints(
    { ...treeOf(code, half), inventories: new Map([[door.path, door]]) },
    treeOf(code, half, { 'coverage.guarded': 4 }),
  );
  expect(withheld).not.toEqual([]);
  expect(after.categories.testCoverage.points).toBe(before.categories.testCoverage.points);
  expect(gain).toBe(0);
});

test('where nothing was measured before, it counts for neither side', () => {
  expect(comparePoints(treeOf(code), treeOf(code, half, { 'coverage.guarded': 4 })).gain).toBe(0);
});

test('what gains nothing is not for a person to judge', () => {
  const promises = (count: number) => treeOf({ 'script.floatingPromise': count });
  expect(comparePoints(promises(1), promises(0))).toMatchObject({ gain: 0, asks: [] });
  const { gain, asks } = comparePoints(
    treeOf({ 'script.statements': 2_000, 'script.floatingPromise': 5 }),
    treeOf({ 'script.statements': 2_000, 'script.floatingPromise': 0 }),
  );
  expect(gain).toBeGreaterThan(0);
  expect(asks).toEqual([expect.stringContaining('A promise now counts as awaited')]);
});

test('where branches went from a file that no longer tells a measure, the measure counts as it did, and no more', () => {
  const tree = (text: string, measures: Measures) => ({
    files: new Map([['src/a.ts', measures]]),
    inventories: new Map([
      [
        'src/a.ts',
        listContent({ path: 'src/a.ts', text, language: detectLanguage('src/a.ts', text), generated: false }),
      ],
    ]),
  });
  const before = tree('export function a(b) { if (b) return 1; return 2; }\n', code);
  const after = 'export function a(b) { return 2; }\n';
  expect(comparePoints(before, tree(after, { statements: 2_000 })).gain).toBe(0);
  // Told, and less: a person is asked whether the rest decides the same.
  expect(comparePoints(before, tree(after, { ...code, excess: 1 })).gain).toBeLessThanOrEqual(0);
});
