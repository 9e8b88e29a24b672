// Less common ways to weaken tests: conditions, empty loops, limits in other files, and tests that become rows.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import { findTestChanges } from '../../../server/src/core/verify/judge/testChanges.ts';

async function changesOf(edits: readonly FileEdit[]) {
  const { changes } = await findTestChanges(edits, [], {
    inventory: async () => null,
    testCases: async (files) => files.flatMap(({ path, text }) => parseTestCases(path, text)),
  });
  return { kinds: changes.map(({ kind }) => kind), changes };
}

async function kindsOf(before: string, after: string): Promise<readonly string[]> {
  return (await changesOf([{ path: 'test/a.test.ts', before, after }])).kinds;
}

test.each([
  ['a runIf of the runner', (one: string) => one.replace('test(', `test${'.'}runIf(!process.env.CI)(`), 'skipped'],
  ['a table without rows', (one: string) => one.replace('test(', 'test.each([])('), 'skipped'],
  ['a loop over nothing', (one: string) => one.replace('expect(', 'for (const n of []) expect('), 'loosened'],
  ['the same as a call', (one: string) => one.replace(/expect.*?;/, '[].forEach(() => { $& });'), 'loosened'],
])('a test that never runs is weakened: %s', async (_, change, kind) => {
  const one = "test('adds', () => { expect(a(1)).toBe(2); });\n";
  expect(change(one)).not.toBe(one);
  expect(await kindsOf(one, change(one))).toContain(kind);
  expect(await kindsOf(change(one), one)).not.toContain(kind);
});

test('a deleted test names the new case that may declare it as a row', async () => {
  const old = ['one', 'two'].map((name) => `test('${name}', () => { expect(a('${name}')).toBe(1); });\n`).join('');
  const loop = (body: string) => `for (const name of ['one', 'two']) test(name, () => { ${body} });\n`;
  const rowOf = async (after: string) =>
    (await changesOf([{ path: 'test/a.test.ts', before: old, after }])).changes
      .filter(({ kind }) => kind === 'deleted')
      .map(({ test, perhapsRowOf }) => [test, perhapsRowOf?.line]);
  expect(await rowOf(loop('expect(a(name)).toBe(1);'))).toEqual([['two', 1]]);
  expect(await rowOf(loop('if (name) expect(a(name)).toBe(1);'))).toEqual([['two', undefined]]);
  expect(await rowOf(loop('a(name);'))).toEqual([
    ['one', undefined],
    ['two', undefined],
  ]);
  // Another test of the file that stays declares nothing new.
  expect(await rowOf(old.slice(0, old.indexOf("test('two'")))).toEqual([['two', undefined]]);
});

test.each([
  ['a loop', '  for (const n of list) add(n);\n', 'for (const n of bulk) expect(a(n)).toBe(n);'],
  ['a call', '  normalise(list);\n', 'expect(a(normalise(1))).toBe(1);'],
  ['a call with a function', '  normalise(list, () => {\n    add();\n  });\n', 'expect(a(normalise(1))).toBe(1);'],
])('code that loses %s loses no name, so its deleted test is not gone', async (_, line, body) => {
  const code = (text: string) => `export function a(list) {\n${text}  return list;\n}\n`;
  const edits = [
    { path: 'src/a.ts', before: code(line), after: code('') },
    { path: 'test/a.test.ts', before: `test('bulk', () => { ${body} });`, after: null },
  ];
  expect((await changesOf(edits)).kinds).toEqual(['deleted']);
});

test.each([
  ['oldest() {\n    return 1;\n  }'],
  ['static async oldest(one = f(1), { two } = {}): Promise<number> {\n    return 1;\n  }'],
])('a test goes with the method that it tests: %s', async (method) => {
  const code = (text: string) => `export class A {\n  ${text}\n  newest() {}\n}\n`;
  const edits = [
    { path: 'src/a.ts', before: code(method), after: code('') },
    { path: 'test/a.test.ts', before: "test('a', () => { expect(new A().oldest()).toBe(1); });", after: null },
  ];
  expect((await changesOf(edits)).kinds).toEqual(['gone']);
});

test.each([
  ['pixels that may differ', '{ threshold: 0.3 }', '{ threshold: 0.1 }'],
  ['a share of pixels', '{ maxDiffPixelRatio: 0.2 }', '{ maxDiffPixelRatio: 0.05 }'],
])('Playwright accepts fewer %s: that is stricter', async (_, loose, strict) => {
  const text = (limits: string) => `export default { expect: { toHaveScreenshot: ${limits} } };\n`;
  const edit = (before: string, after: string) => [
    { path: 'playwright.config.ts', before: text(before), after: text(after) },
  ];
  expect((await changesOf(edit(loose, strict))).kinds).toEqual([]);
  expect((await changesOf(edit(strict, loose))).kinds).toEqual(['threshold']);
});

test('limits that a deleted file set are kept by another file, or are lowered', async () => {
  const deleted = { path: '.nycrc.json', before: '{"branches": 90, "lines": 80}', after: null };
  const moved = (path: string, after: string, before: string | null = null) => ({ path, before, after });
  expect((await changesOf([deleted])).kinds).toEqual(['threshold', 'threshold']);
  expect((await changesOf([deleted, moved('.nycrc', '{"branches": 90, "lines": 60}')])).kinds).toEqual(['threshold']);
  expect((await changesOf([deleted, moved('.nycrc', '{"branches": 90, "lines": 85}')])).kinds).toEqual([]);
  const manifest = '{"c8": {"lines": 80, "branches": 90}}';
  expect((await changesOf([deleted, moved('package.json', manifest, '{}')])).kinds).toEqual([]);
});

test('a limit of warnings that a linter loses is lowered, and one that goes with its linter is not', async () => {
  const manifest = (lint: string) => JSON.stringify({ scripts: { lint } });
  const kindsAfter = async (lint: string) =>
    (
      await changesOf([
        { path: 'package.json', before: manifest('eslint src --max-warnings 0'), after: manifest(lint) },
      ])
    ).kinds;
  expect(await kindsAfter('eslint src')).toEqual(['threshold']);
  expect(await kindsAfter('biome ci --error-on-warnings')).toEqual([]);
  expect(await kindsAfter('eslint . --max-warnings=0')).toEqual([]);
});
