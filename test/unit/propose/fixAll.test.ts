// Everything that a machine may fix alone, in one go: to the end, in any order of finding, and nothing else.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { fixAll } from '../../../server/src/core/propose/fixAll.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';
import { parseSource, listSyntaxErrors } from '../../../server/src/core/propose/syntax/parse.ts';
import { recipes } from '../../../server/src/core/propose/recipes.ts';
import { findRecipeCases } from '../../helpers/ruleFolders.ts';
import { memoryTree } from './recipeCase.ts';
import type { SourceTree } from '../../../server/src/core/ports/sources.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const empty: SourceTree = {
  rootDir: '/',
  bytes: () => undefined,
  read: () => undefined,
  fileExists: () => false,
  folderExists: () => false,
  list: () => [],
  realPath: (path) => path,
};

function check(before: string, after: string, path = 'src/a.ts'): void {
  const { text } = fix(path, before);
  expect(text).toBe(after);
  expect(fix(path, text)).toEqual({ text, fixed: [], opportunities: [] });
}

function fix(path: string, text: string) {
  return fixAll(
    path,
    text,
    empty,
    (current) =>
      analyseSource({ path, text: current, language: 'typescript', tree: null, symbols: null, generated: false })
        .opportunities,
  );
}

const messy = `import { used, unused } from './a.ts';
import { none } from './b.ts';

// Says what grade it is.
export function grade(score: number): string {
  const forgotten = 1;
  if (score > used) {
    return 'A';
  } else {
    const best = 100;
    const half = best / 2;
    const good = score >= half;
    const mark = good ? 'B' : 'C';
    return mark;
  }
}

/** None at all. */
export type None = never;
`;

const tidy = `import { used } from './a.ts';

/** Says what grade it is. */
export function grade(score: number): string {
  if (score > used) {
    return 'A';
  }
  const best = 100;
  const half = best / 2;
  const good = score >= half;
  const mark = good ? 'B' : 'C';
  return mark;
}

/** None at all. */
export type None = never;
`;

test('several fixes in one text', () => check(messy, tidy));

test('line ends stay as they are', () => check(messy.replaceAll('\n', '\r\n'), tidy.replaceAll('\n', '\r\n')));

test('a byte order mark stays', () => check(`\uFEFF${messy}`, `\uFEFF${tidy}`));

test('nothing is done to a test, a declaration file, broken code, or another language', () => {
  for (const path of ['test/a.test.ts', 'src/a.d.ts'])
    expect(fix(path, messy)).toEqual({ text: messy, fixed: [], opportunities: [] });
  const broken = `${messy}\nfunction (`;
  expect(fix('src/a.ts', broken)).toEqual({ text: broken, fixed: [], opportunities: [] });
});

test('a function is not taken apart without a person', () => {
  const steps = Array.from(
    { length: 6 },
    (_, at) =>
      `  if (a > ${at}) {\n    total -= 1;\n    if (b > ${at}) {\n      total -= 2;\n      if (c > ${at}) total += ${at};\n    }\n  }\n`,
  ).join('');
  const text = `/** Adds up. */\nexport function sum(a: number, b: number, c: number): number {\n  let total = 0;\n${steps}  return total;\n}\n`;
  expect(
    analyseSource({
      path: 'src/a.ts',
      text,
      language: 'typescript',
      tree: null,
      symbols: null,
      generated: false,
    }).opportunities.map(({ recipe }) => recipe),
  ).toContain('extract-function');
  expect(fix('src/a.ts', text)).toEqual({ text, fixed: [], opportunities: [] });
});

test('a fix that would touch another file is none', () => {
  const elsewhere = analyseSource({
    path: 'src/other.ts',
    text: messy,
    language: 'typescript',
    tree: null,
    symbols: null,
    generated: false,
  }).opportunities;
  expect(fixAll('src/a.ts', 'export const a = 1;\n', empty, () => elsewhere)).toEqual({
    text: 'export const a = 1;\n',
    fixed: [],
    opportunities: [],
  });
});

thoroughTest('real sources: what comes out parses, keeps its meaning, and has nothing left to fix', () => {
  const texts = recipes
    .map(({ id }) => findRecipeCases(id))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    );
  expect(texts.length).toBeGreaterThan(20);
  let fixes = 0;
  for (const before of texts) {
    const { text, fixed } = fix('src/a.ts', before);
    fixes += fixed.length;
    if (text === before) continue;
    expect(listSyntaxErrors(parseSource('src/a.ts', text)!)).toEqual([]);
    // Every step was judged by itself; of several together the whole is more than can be proved at once.
    if (fixed.length === 1)
      expect(determineSafety([{ path: 'src/a.ts', before, after: text }], memoryTree({ 'src/a.ts': before }))).toMatch(
        /^(additive|behaviorPreserving)$/,
      );
    expect(fix('src/a.ts', text)).toEqual({ text, fixed: [], opportunities: [] });
  }
  expect(fixes).toBeGreaterThan(20);
});
