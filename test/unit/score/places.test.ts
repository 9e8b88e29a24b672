// Where the points went: which places are named, in which order, and where in a file to look first.

import { expect, test } from 'vitest';
import type { Measures } from '../../../server/src/core/model.ts';
import { findCostliestPlaces, MIN_COST, type PlaceFile } from '../../../server/src/core/score/expensivePlaces.ts';
import { formatPlace } from '../../../server/src/core/score/measureTexts.ts';
import { sumMeasures } from '../../../server/src/core/score/score.ts';

const file = (path: string, measures: Measures, rest: Partial<PlaceFile> = {}): PlaceFile => ({
  path,
  measures,
  functions: [],
  findings: [],
  ...rest,
});
const placesOf = (...files: PlaceFile[]) =>
  findCostliestPlaces(files, sumMeasures([{ statements: 100_000 }, ...files.map(({ measures }) => measures)]));
const of = (input: string, files: PlaceFile[]) => placesOf(...files).filter((place) => place.input === input);

test('the dearest comes first; of two that cost the same, the first by name', () => {
  const files = [file('c.ts', { excess: 50 }), file('b.ts', { excess: 20 }), file('a.ts', { excess: 20 })];
  const places = of('over-complex functions', files);
  expect(places.map(({ path }) => path)).toEqual(['c.ts', 'a.ts', 'b.ts']);
  expect(places[0]!.points).toBeCloseTo(2.5 * places[1]!.points, 9);
  expect(of('over-complex functions', files.toReversed())).toEqual(places);
});

test('a file that costs nothing, and one that costs next to nothing, are not named', () => {
  const places = of('over-complex functions', [
    file('dear.ts', { excess: 400 }),
    file('cheap.ts', { excess: 1 }),
    file('free.ts', { excess: 0 }),
  ]);
  expect(places.map(({ path }) => path)).toEqual(['dear.ts']);
  for (const { points } of placesOf(file('dear.ts', { excess: 400 }), file('cheap.ts', { excess: 1 })))
    expect(points).toBeGreaterThanOrEqual(MIN_COST);
});

test('eight places of a category at most', () => {
  const files = Array.from({ length: 12 }, (_, at) => file(`f${at}.ts`, { excess: 100 - at }));
  expect(of('over-complex functions', files).map(({ path }) => path)).toEqual(
    Array.from({ length: 8 }, (_, at) => `f${at}.ts`),
  );
});

test('of more files that cost the same, the first by name are named', () => {
  const names = [...'abcdefghijkl'];
  const places = of(
    'over-complex functions',
    names.toReversed().map((name) => file(`${name}.ts`, { excess: 100 })),
  );
  expect(places.map(({ path }) => path)).toEqual(names.slice(0, 8).map((name) => `${name}.ts`));
});

test('a place is the function that weighs most, or else what a rule found, or else the first line', () => {
  const functions = [
    { name: 'small', line: 3, cognitive: 4, nesting: 1 },
    { name: 'large', line: 9, cognitive: 30, nesting: 2 },
    { name: 'other', line: 20, cognitive: 30, nesting: 2 },
  ];
  const [heavy] = of('over-complex functions', [file('a.ts', { excess: 400 }, { functions })]);
  expect(heavy).toMatchObject({ line: 9, symbol: 'large' });
  const [bare] = of('over-complex functions', [file('a.ts', { excess: 400 })]);
  expect(bare).toMatchObject({ line: 1, symbol: null });
});

test('a place is where that begins which costs most in the file', () => {
  const measures = { 'script.statements': 50, 'script.nonNull': 20, 'script.any': 10 };
  const firstLines = { 'script.nonNull': 3, 'script.any': 17 };
  const findings = [{ rule: 'swallowed-error', line: 40, symbol: 'load' }];
  const [place] = of('hazards', [file('a.ts', measures, { firstLines, findings })]);
  expect(place).toMatchObject({ line: 17, symbol: null });
  const [found] = of('hazards', [file('a.ts', measures, { findings })]);
  expect(found).toMatchObject({ line: 40, symbol: 'load' });
});

test('dead code of which the list has no opportunity is marked; other places are not', () => {
  const dead = { 'checked.unused': 400, 'checked.statements': 1000 };
  const found = [{ rule: 'unused-local', line: 2, symbol: null }];
  const places = placesOf(
    file('silent.ts', dead),
    file('told.ts', dead, { findings: found }),
    file('c.ts', { excess: 400 }),
  );
  const marked = (path: string) =>
    places.filter((place) => place.path === path).map(({ unlisted }) => unlisted ?? false);
  expect(marked('silent.ts')).toContain(true);
  expect(marked('told.ts')).not.toContain(true);
  expect(marked('c.ts')).toEqual(marked('c.ts').map(() => false));
  expect(formatPlace(places.find(({ unlisted }) => unlisted)!)).toMatch(
    /in the file, which are no opportunity because/,
  );
});
