// The comparison ends in bounded time and memory, and says what is missing.

import { expect, test } from 'vitest';
import { createSizes, isTooDeep } from '../../../server/src/adapters/harness/valueSizes.ts';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import type { Shape } from '../../../server/src/core/verify/differential/plan.ts';
import { compareTexts } from './comparing.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const before = 'export function twice(n: number): number {\n  return n * 2;\n}\n';
const edits = (old: string, from: string, to: string) => [
  { path: 'src/a.ts', before: old, after: old.replace(from, to) },
];

test('when its time is over, what is missing is unknown and named', async () => {
  const { plan, report } = await compareTexts(edits(before, 'n * 2', 'n + n'), {}, { budgetMs: 1 });
  expect(report.targets).toMatchObject([
    {
      name: 'twice',
      outcome: 'unknown',
      outOfTime: true,
      reason: 'The comparison was ended: its time was over (0 s).',
    },
  ]);
  expect(judgeReport(plan, report, { seed: 1, isMeantToDiffer: false, tests: 'node' }).outcome).toBe('unknown');
});

test('after one difference, the remaining functions are not compared if one is enough', async () => {
  const old = `${before}export function thrice(n: number): number {\n  return n * 3;\n}\n`;
  const changed = [{ path: 'src/a.ts', before: old, after: old.replace('n * 2', 'n * 4').replace('n * 3', 'n * 5') }];
  const namesOf = async (untilDifferent: boolean) =>
    (await compareTexts(changed, {}, { untilDifferent })).report.targets.map(
      ({ name, outcome }) => `${name} ${outcome}`,
    );
  expect(await namesOf(true)).toEqual(['twice different']);
  expect(await namesOf(false)).toEqual(['twice different', 'thrice different']);
});

test('where each input throws, 40 are enough', async () => {
  const throwing = "export function never(n: number): number {\n  throw new Error('no' + n);\n}\n";
  const { report } = await compareTexts(edits(throwing, "'no' + n", '`no${n}`'));
  expect(report.targets).toMatchObject([
    { outcome: 'unknown', inputs: 40, answered: 0, reason: 'It throws on each of 40 inputs.' },
  ]);
});

thoroughTest('types that name each other many times stay small', async () => {
  const fields = Array.from({ length: 24 }, (_, index) => `  f${index}: ${index % 2 ? 'A' : 'B'};\n`).join('');
  const code = `export interface A {\n  n: number;\n${fields}}\nexport interface B {\n  n: number;\n${fields}}\nexport function of(a: A | null, b: B[]): number {\n  return (a?.n ?? 0) + b.length;\n}\n`;
  const { report } = await compareTexts(edits(code, '(a?.n ?? 0)', '(a === null ? 0 : a.n ?? 0)'));
  expect(report.targets).toMatchObject([{ name: 'of', outcome: 'same' }]);
});

test('a type is made shallower until it fits, and not at all when it never does', () => {
  const ref = (name: string): Shape => ({ kind: 'ref', name });
  const wide = (of: Shape, count: number): Shape => ({
    kind: 'record',
    index: null,
    fields: Array.from({ length: count }, (_, index) => ({ name: `f${index}`, shape: of, optional: false })),
  });
  const ofItself = wide(ref('wide'), 30);
  const sizes = createSizes({
    small: wide({ kind: 'number' }, 3),
    wide: ofItself,
    endless: wide({ kind: 'number' }, 600),
  });
  expect(sizes.findFittingDepth(ref('small'), 0)).toBe(0);
  expect(sizes.findFittingDepth(ofItself, 0)).toBeGreaterThan(0);
  expect(isTooDeep(sizes.findFittingDepth(ref('endless'), 0))).toBe(true);
});

test('a difference that was seen once asks, as one that was confirmed', async () => {
  const { plan, report } = await compareTexts(edits(before, 'n * 2', 'n + n'));
  const [target] = report.targets;
  const seen = { call: 'twice(1)', before: 'returns 2', after: 'returns 3', expected: null, imported: null };
  const late = {
    ...report,
    targets: [{ ...target!, outcome: 'unknown' as const, reason: 'Late.', outOfTime: true as const, seen }],
  };
  expect(judgeReport(plan, late, { seed: 1, isMeantToDiffer: false, tests: 'node' })).toMatchObject({
    outcome: 'unknown',
    evidence: { call: 'twice(1)', before: 'returns 2', after: 'returns 3' },
  });
});

test('imports that only bundlers accept are followed: a folder of a package, a file without its extension', async () => {
  const text = (sum: string) =>
    `import { one } from 'numbers/small';\nimport { two } from 'numbers/large/two';\nexport function f(a: number) { return ${sum}; }\n`;
  const { report } = await compareTexts(
    [{ path: 'src/f.ts', before: text('a + one + two'), after: text('one + a + two') }],
    {
      'node_modules/numbers/package.json': '{"name": "numbers"}',
      'node_modules/numbers/small/index.js': 'exports.one = 1;\n',
      'node_modules/numbers/large/two.js': 'exports.two = 2;\n',
    },
  );
  expect(report.obstacle).toBeNull();
  expect(report.targets).toMatchObject([{ name: 'f', outcome: 'same' }]);
});
