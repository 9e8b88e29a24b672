// The table of `selfware metrics`: the hardest first, with the points of complexity below a row where they are known.

import pc from 'picocolors';
import { expect, test } from 'vitest';
import { explainFunction } from '../../server/src/core/analysis/metrics/explain.ts';
import { formatMetrics, sortWorstFirst } from '../../server/src/cli/writers/metricsTable.ts';
import { analyse } from '../unit/analysis/analyseCase.ts';

const text = `const one = (a) => a;
function two(a) {
  if (a) {
    while (a) one(a);
  }
}
`;

test('hardest first, then by place', () => {
  const { functions } = analyse('src/a.ts', text);
  expect(sortWorstFirst(functions).map(({ name }) => name)).toEqual(['two', '(top level)', 'one']);
});

test('a row a function, and its points below it', () => {
  const [first, second] = sortWorstFirst(analyse('src/a.ts', text).functions);
  const explain = (one: typeof first) =>
    one === first ? explainFunction('src/a.ts', text, 'typescript', { line: 2, column: 1 }) : null;
  expect(formatMetrics([first!, second!], explain, pc.createColors(false)).split('\n')).toEqual([
    'cognitive cyclomatic nesting statements parameters volume maintainability  function',
    `        3          3       2          3          1 ${first!.halstead!.volume.toFixed(0).padStart(6)} ${first!.maintainability!.toFixed(0).padStart(15)}  src/a.ts:2:1 two`,
    '       +1 if at 3:3',
    '       +2 while (1 + 1 for nesting) at 4:5',
    `        0          1       0          2          0 ${second!.halstead!.volume.toFixed(0).padStart(6)} ${second!.maintainability!.toFixed(0).padStart(15)}  src/a.ts:1:1 (top level)`,
  ]);
});
