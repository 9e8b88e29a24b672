// Self times of processes added up to hot functions.

import { expect, test } from 'vitest';
import { findHotFunctions, readProfileLines } from '../../../../server/src/core/verify/hot/profile.ts';
import type { FunctionMetrics } from '../../../../server/src/core/model.ts';

const at = (name: string, line: number, endLine: number) =>
  ({ path: 'a.ts', name, line, endLine }) as Partial<FunctionMetrics> as FunctionMetrics;
const functions = [at('Store.get', 2, 9), at('get', 20, 29), at('outer', 40, 60), at('outer › inner', 45, 50)];
const functionsOf = (path: string) => (path === 'a.ts' ? functions : null);
const lineOf = (total: number, ...times: readonly (readonly [string, number, number])[]) => ({
  total,
  functions: times.map(([name, line, micros]) => ['a.ts', name, line, micros] as const),
});

test('the nearest function of the name, or without a name the innermost around the line', () => {
  const { millis, found } = findHotFunctions(
    [lineOf(100_000, ['get', 4, 30_000], ['get', 24, 20_000]), lineOf(100_000, ['get', 5, 10_000], ['', 46, 50_000])],
    functionsOf,
  );
  expect(millis).toBe(200);
  expect(found.map(({ name, share, millis: own }) => `${name} ${share} ${own}`)).toEqual([
    'outer › inner 0.25 50',
    'Store.get 0.2 40',
    'get 0.1 20',
  ]);
});

test('what has less than 2 % or is not of the repository is left out', () => {
  const line = lineOf(1_000_000, ['outer', 40, 19_000], ['get', 21, 20_000], ['gone', 99, 500_000]);
  const other = { total: 0, functions: [['b.ts', 'get', 1, 900_000]] as const };
  expect(findHotFunctions([line, other], functionsOf).found.map(({ name }) => name)).toEqual(['get']);
});

test('lines that were cut or are of another kind are left out', () => {
  const line = lineOf(5, ['get', 4, 5]);
  expect(readProfileLines(`${JSON.stringify(line)}\n{"total":3}\nnull\n{"total":1,"functions":[["a`)).toEqual([line]);
});
