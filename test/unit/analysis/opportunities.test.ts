// Ids that survive edits elsewhere, symbols, and which files are spared.

import { expect, test } from 'vitest';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { analyse } from './analyseCase.ts';

const base = `import { a, unused } from './a';
export function sign(value: number) {
  if (value > 0) {
    return a;
  } else {
    let negative = 0;
    for (const one of [value]) {
      negative -= one;
    }
    return negative > 0 ? -1 : 0;
  }
}
`;
const ids = (path: string, text: string): string[] =>
  analyse(path, text).opportunities.map(({ rule, id }) => `${rule} ${id}`);

/** Edits that leave the constructs alone. */
const elsewhere: readonly (readonly [string, (text: string) => string])[] = [
  ['lines above', (text) => `// A word first.\n\nexport const first = 1;\n${text}`],
  ['another function below', (text) => `${text}export function other() {\n  return 1;\n}\n`],
  ['indentation', (text) => text.replaceAll('  ', '\t')],
  ['line ends', (text) => text.replaceAll('\n', '\r\n')],
];

test.each(elsewhere)('ids stay: %s', (_, edit) => {
  expect(ids('src/a.ts', edit(base))).toEqual(ids('src/a.ts', base));
  expect(ids('src/a.ts', base)).toHaveLength(2);
});

test('ids differ by path, by content and among equals', () => {
  const seen = [
    ...ids('src/a.ts', base),
    ...ids('src/b.ts', base),
    ...ids('src/a.ts', base.replace('value > 0', 'value > 1')).filter((id) => id.startsWith('else')),
  ];
  expect(new Set(seen).size).toBe(seen.length);
  const twice = ids(
    'src/a.ts',
    'export function f(x: () => void) {\n  try {\n    x();\n  } catch {}\n  try {\n    x();\n  } catch {}\n}\n',
  );
  expect(twice).toHaveLength(2);
  expect(new Set(twice).size).toBe(2);
});

/** Two equal constructs under test: what stands around them, and the second alone. */
const twins: readonly (readonly [string, string, string])[] = [
  [
    'in different blocks',
    'export function f(x: () => void, y: () => void) {\n  if (x) {\n    x();\n    try { x(); } catch {}\n  }\n  for (;;) {\n    try { x(); } catch {}\n  }\n}\n',
    '  if (x) {\n    x();\n    try { x(); } catch {}\n  }\n',
  ],
  [
    'in different functions without a symbol',
    'run("a", () => {\n  try { x(); } catch {}\n});\nrun("b", () => {\n  try { x(); } catch {}\n});\nexport {};\n',
    'run("a", () => {\n  try { x(); } catch {}\n});\n',
  ],
];
test.each(twins)('when one of two equals goes, the other keeps its id: %s', (_, text, first) => {
  const [one, two] = ids('src/a.ts', text);
  expect(one).not.toBe(two);
  expect(text).toContain(first);
  expect(ids('src/a.ts', text.replace(first, ''))).toEqual([two]);
});

test('side by side, the one that stays never gets the id of the one that went', () => {
  const first = '  try { x(); } catch {}\n  x(1);\n';
  const text = `export function f(x: (n?: number) => void) {\n${first}  try { x(); } catch {}\n  x(2);\n}\n`;
  const [one, two] = ids('src/a.ts', text);
  expect(one).not.toBe(two);
  expect(ids('src/a.ts', text.replace(first, ''))).not.toContain(one);
});

test('a long function keeps its id while it is edited', () => {
  const text = (statement: string): string =>
    `export function f(a: () => void) {\n${'  a();\n'.repeat(90)}${statement}}\n`;
  const [long, ...others] = ids('src/a.ts', text('')).filter((id) => id.startsWith('long-function'));
  expect([long, others]).toEqual([expect.any(String), []]);
  expect(ids('src/a.ts', text('  a();\n'))).toContain(long);
});

test('the innermost symbol around the place is named', () => {
  const range = (startLine: number, endLine: number) => ({ startLine, startColumn: 1, endLine, endColumn: 2 });
  const symbol = (path: string, startLine: number, endLine: number): SymbolInfo => ({
    name: path,
    path,
    kind: 'class',
    range: range(startLine, endLine),
    nameRange: range(startLine, startLine),
    exported: false,
  });
  const found = analyse('src/a.ts', base, {
    symbols: [symbol('whole', 1, 12), symbol('whole.sign', 2, 12), symbol('far', 20, 30)],
  }).opportunities;
  expect(found.map(({ rule, symbol: name }) => [rule, name])).toEqual([
    ['unused-import', 'whole'],
    ['else-after-return', 'whole.sign'],
  ]);
});

test('opportunities lie within the text', () => {
  for (const { range, nameRange } of analyse('src/a.ts', base).opportunities) {
    for (const one of [range, nameRange]) {
      expect(one.endLine - one.startLine || one.endColumn - one.startColumn).toBeGreaterThan(0);
      expect(one.startLine).toBeGreaterThanOrEqual(1);
      expect(one.endLine).toBeLessThanOrEqual(base.split('\n').length);
    }
  }
});

const silent: readonly (readonly [string, string, { generated?: boolean }])[] = [
  ['src/a.d.ts', base, {}],
  ['src/a.d.mts', base, {}],
  ['src/a.ts', base, { generated: true }],
  ['src/a.md', base, {}],
];
test.each(silent)('nothing is reported: %s %#', (path, text, options) => {
  expect(analyse(path, text, options).opportunities).toEqual([]);
});

test('unused names are not judged in a file with syntax errors', () => {
  expect(ids('src/a.ts', `${base}const = ;`).filter((id) => id.startsWith('unused'))).toEqual([]);
  expect(ids('src/a.ts', `${base}const = ;`).filter((id) => id.startsWith('else'))).toHaveLength(1);
});

test('tests are looked at for what is unused only', () => {
  expect(ids('src/a.test.ts', base).map((id) => id.split(' ')[0])).toEqual(['unused-import']);
});

const places: readonly (readonly [string, boolean])[] = [
  ['src/a.test.ts', true],
  ['src/a.spec.tsx', true],
  ['src/__tests__/a.ts', true],
  ['src.ts/_tests/a.ts', true],
  ['test/helpers/a.ts', true],
  ['packages/x/tests/a.js', true],
  ['src/__benchmarks__/a.bench.ts', true],
  ['pkg/a_test.go', true],
  ['pkg/test_a.py', true],
  ['src/main/java/ATest.java', true],
  ['src/test/java/a/B.java', true],
  ['src/tests/a.ts', true],
  ['packages/b/test/deep/a.ts', true],
  ['src/report/tests/junit.ts', false],
  ['src/report/tests/junit.test.ts', true],
  ['src/latest/a.ts', false],
  ['src/contest.ts', false],
  ['src/testFile.ts', false],
  ['src/specification/a.ts', false],
  ['src/attest.py', false],
  ['type-definitions/flow-tests/covariance.js', true],
  ['runtime-tests/node/index.ts', true],
  ['integration_tests/run.ts', true],
  ['src/experiments/ab-tests/assign.ts', false],
  ['src/latests/list.ts', false],
  ['__performance_tests__/todo.mjs', true],
  ['perf-testing/run.js', true],
  ['src/performance/trace.ts', false],
];
test.each(places)('%s is test code: %s', (path, expected) => {
  expect(isTestFile(path)).toBe(expected);
});
