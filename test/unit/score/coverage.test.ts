// Coverage is measured from reports that fit the files, in each format; anything else is unknown.

import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import {
  measureCoverage,
  type AnalysedFile,
  type OwnCoverage,
} from '../../../server/src/core/score/coverage/measureCoverage.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const SUM = `// Adds figures.
export function sum(a: number, b: number) {
  const total = a + b;
  return total;
}

export function half(a: number) {
  const part = a / 2;
  return part;
}
`;
const sources = { 'src/sum.ts': SUM, 'test/sum.test.ts': "test('sum', () => expect(sum(1, 2)).toBe(3));\n" };

/** `sum` ran, `half` did not. */
const lcov = [
  'SF:src/sum.ts',
  'FN:2,sum',
  'FN:7,half',
  'DA:3,4',
  'DA:4,4',
  'DA:8,0',
  'DA:9,0',
  'end_of_record',
  '',
].join('\n');
const place = (line: number) => ({ start: { line, column: 2 }, end: { line, column: 20 } });
const istanbul = JSON.stringify({
  '/elsewhere/shop/src/sum.ts': {
    path: '/elsewhere/shop/src/sum.ts',
    statementMap: { 0: place(3), 1: place(4), 2: place(8), 3: place(9) },
    s: { 0: 4, 1: 4, 2: 0, 3: 0 },
    fnMap: {
      0: { name: 'sum', decl: place(2), loc: place(2) },
      1: { name: '(anonymous_1)', decl: place(7), loc: place(7) },
    },
  },
});
const cobertura = `<?xml version="1.0" ?><coverage line-rate="0.5"><sources><source>/elsewhere/shop</source></sources><packages><package name="src"><classes>
<class name="sum.ts" filename="src/sum.ts" line-rate="0.5"><methods><method name="sum" hits="4"><lines><line number="3" hits="4"/></lines></method></methods>
<lines><line number="3" hits="4"/><line number="4" hits="4"/><line number="8" hits="0"/><line number="9" hits="0"/></lines></class>
</classes></package></packages></coverage>`;

async function measured(files: Readonly<Record<string, string>>, own: OwnCoverage | null = null) {
  const tree = new Map<string, AnalysedFile>(
    Object.entries(files).flatMap(([path, text]) => {
      const language = detectLanguage(path, text);
      return language
        ? [
            [
              path,
              { language, ...analyseSource({ path, text, language, tree: null, symbols: [], generated: false }) },
            ] as const,
          ]
        : [];
    }),
  );
  return measureCoverage(createMemoryFiles(files), tree, own);
}

const half = { 'coverage.covered': 2, 'coverage.coverable': 4 };

test.each([
  ['coverage/lcov.info', lcov],
  ['lcov.info', lcov.replaceAll('\n', '\r\n')],
  ['coverage/lcov.info', lcov.replace('SF:src', 'SF:C:\\shop\\src').replace('src/sum', 'src\\sum')],
  ['coverage/coverage-final.json', istanbul],
  ['coverage/cobertura-coverage.xml', cobertura],
])('%s', async (path, report) => {
  expect(await measured({ ...sources, [path]: report })).toMatchObject({
    measures: half,
    explanation: `Coverage is taken from ${path}.`,
  });
});

test('records of one file are added up', async () => {
  const other = ['SF:src/sum.ts', 'DA:3,0', 'DA:4,0', 'DA:8,1', 'DA:9,1', 'end_of_record', ''].join('\n');
  expect((await measured({ ...sources, 'lcov.info': lcov + other })).measures).toEqual({
    'coverage.covered': 4,
    'coverage.coverable': 4,
  });
});

test('what no test has loaded is not covered', async () => {
  const more = {
    'src/more.ts': 'export function run(list: string[]) {\n  list.push("a");\n  list.pop();\n}\n',
    'src/types.ts': `${'export type A = string;\n'.repeat(0)}export interface A {}\n`,
  };
  const { measures, byFile } = await measured({ ...sources, ...more, 'lcov.info': lcov });
  expect([byFile.get('src/sum.ts'), byFile.get('src/more.ts')]).toEqual([
    half,
    { 'coverage.covered': 0, 'coverage.coverable': 2 },
  ]);
  expect(measures['coverage.covered']).toBe(2);
  expect(measures['coverage.coverable']).toBeGreaterThanOrEqual(6);
  expect(
    (await measured({ ...sources, 'lcov.info': lcov, 'tool.py': 'def f():\n    a = 1\n    return a\n' })).measures,
  ).toEqual(half);
});

/** Edits of the source after the report was written. */
test.each<[string, (text: string) => string]>([
  ['a line is put before', (text) => `// Written by hand.\n${text}`],
  ['a line is taken away', (text) => text.replace('// Adds figures.\n', '')],
  [
    'a function is added',
    (text) => `${text}\nexport function third(a: number) {\n  const part = a / 3;\n  return part;\n}\n`,
  ],
  ['the end is missing', (text) => text.slice(0, text.indexOf('export function half'))],
  ['a function is renamed', (text) => text.replace('function sum', 'function add')],
])('a report that is older than the code is unknown: %s', async (_, edit) => {
  for (const [path, report] of [
    ['lcov.info', lcov],
    ['coverage/coverage-final.json', istanbul],
  ] as const) {
    const text = edit(SUM);
    const { measures, explanation } = await measured({ ...sources, 'src/sum.ts': text, [path]: report });
    expect(measures).toEqual({});
    expect(explanation).toBe(`${path} does not fit the files as they are: run the tests with coverage again.`);
  }
});

test('what cannot be checked or read is unknown', async () => {
  expect(await measured(sources)).toEqual({
    measures: {},
    explanation: 'There is no report of coverage. `selfware coverage` measures it.',
    reasons: { 'test coverage': 'There is no report of coverage. `selfware coverage` measures it.' },
    byFile: new Map(),
  });
  expect(await measured({ ...sources, 'coverage.xml/notes.txt': 'A folder.' })).toMatchObject({
    measures: {},
    explanation: 'There is no report of coverage. `selfware coverage` measures it.',
  });
  expect(
    (await measured({ ...sources, 'coverage/coverage-summary.json': '{"total":{"lines":{"pct":100}}}' })).explanation,
  ).toContain('holds sums only');
  for (const report of ['', 'SF:\n', '{"a":', '{}', '<coverage></coverage>']) {
    for (const path of ['lcov.info', 'coverage/coverage-final.json', 'coverage.xml'])
      expect((await measured({ ...sources, [path]: report })).measures).toEqual({});
  }
  expect(
    (await measured({ ...sources, 'lcov.info': lcov.replace('src/sum.ts', 'test/sum.test.ts') })).measures,
  ).toEqual({});
});

test('what Selfware has measured comes before a report, as long as it is not out of date', async () => {
  const lines = new Map([
    [3, 1],
    [4, 1],
    [8, 1],
    [9, 0],
  ]);
  const own = (known: ReadonlyMap<number, number>): OwnCoverage => ({
    explanation: 'Measured.',
    files: [{ path: 'src/sum.ts', lines: known, functions: [] }],
  });
  const files = { ...sources, 'coverage/lcov.info': lcov };
  expect(await measured(files, own(lines))).toMatchObject({
    measures: { 'coverage.covered': 3, 'coverage.coverable': 4 },
    explanation: 'Measured.',
  });
  // The file has changed since, so its lines are unknown.
  expect(await measured(files, own(new Map()))).toMatchObject({
    measures: half,
    explanation: 'Coverage is taken from coverage/lcov.info.',
  });
  expect(await measured(sources, own(new Map()))).toMatchObject({
    measures: {},
    explanation: expect.stringContaining('run it again'),
  });
});
