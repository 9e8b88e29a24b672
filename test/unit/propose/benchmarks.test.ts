// In benchmarks something may be made for nothing but being made.

import { expect, test } from 'vitest';
import { runRecipe } from './recipeCase.ts';

const text =
  "import { fill } from './fill.js';\n\nexport function run(list: number[]) {\n  const copy = 2 + 2;\n  return list.length;\n}\n";
const refused = { refused: expect.stringContaining('measured') };

test.each([
  'bench/list.ts',
  'perf-testing/list.ts',
  '__performance_tests__/list.ts',
  'src/list.bench.ts',
  'packages/a/benchmarks/deep/list.ts',
])('%s keeps its locals, and no import', (path) => {
  expect(runRecipe('remove-unused', path, text, { line: 4, symbol: 'copy' })).toEqual(refused);
  expect(runRecipe('remove-unused', path, text, { line: 1, symbol: 'fill' })).toEqual({
    after: expect.stringMatching(/^export function run/),
  });
});

test.each(['src/list.ts', 'src/performance.ts', 'src/workbench/list.ts', 'src/perfect/list.ts'])(
  '%s is no benchmark',
  (path) => {
    expect(runRecipe('remove-unused', path, text, { line: 4, symbol: 'copy' })).toEqual({
      after: expect.not.stringContaining('copy'),
    });
  },
);
