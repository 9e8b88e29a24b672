// Variants of a change that are worse on purpose: one of each kind, near what the change touches.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../../server/src/core/model.ts';
import { planCheats } from '../../../../server/src/core/verify/cheats/planCheats.ts';

const code = (last: string) =>
  [
    'export function far(list) {',
    '  if (list.length === 0) return null;',
    '  return list[0];',
    '}',
    '',
    'export function near(value) {',
    "  if (value === '') return null;",
    "  if (value < 0) throw new Error('negative');",
    '  const limit = 9;',
    last,
    '}',
    '',
  ].join('\n');
const CODE: FileEdit = {
  path: 'src/a.js',
  before: code('  return value * limit + 1;'),
  after: code('  return value * limit;'),
};
const TESTS: FileEdit = {
  path: 'src/a.test.js',
  before: 'test("t", () => {\n  assert.equal(near(1), 10);\n  assert.equal(near(0), 0);\n});\n',
  after: 'test("t", () => {\n  assert.equal(near(1), 9);\n  assert.equal(near(0), 0);\n});\n',
};
const shown = (edits: readonly FileEdit[]) =>
  planCheats(edits).map(({ kind, path, line, edits: [...all] }) => {
    const of = all.find((one) => one.path === path)!;
    const then = edits.find((one) => one.path === path)!;
    expect(all.filter((one) => one.path !== path)).toEqual(edits.filter((one) => one.path !== path));
    expect(of.before).toBe(then.before);
    const lines = of.after!.split('\n');
    return [kind, `${path}:${line}`, lines.filter((text) => !then.after!.split('\n').includes(text)).join('|')];
  });

test('each kind is tried once, at the place nearest to the change; assertions in tests, the rest in code', () => {
  expect(shown([CODE, TESTS])).toEqual([
    ['weakened assertion', 'src/a.test.js:3', '  '],
    ['edge case dropped', 'src/a.js:8', '  '],
    ['error swallowed', 'src/a.js:8', '  if (value < 0) ;'],
    ['off by one', 'src/a.js:9', '  const limit = 10;'],
    ['hard-coded answer', 'src/a.js:10', '  return 0;'],
  ]);
});

test('assertions that the change brings are not weakened', () => {
  const own = 'test("t", () => {\n  assert.equal(near(1), 9);\n});\n';
  expect(planCheats([{ path: 'src/a.test.js', before: null, after: own }])).toEqual([]);
});

test('a variant that only undoes the change is none; neither is anything but a script', () => {
  const edits = [{ path: 'a.js', before: 'export const a = 2;\n', after: 'export const a = 1;\n' }];
  expect(planCheats(edits)).toEqual([]);
  expect(planCheats([{ path: 'a.py', before: 'a = 1\n', after: 'a = 3\n' }])).toEqual([]);
  expect(planCheats([{ path: 'a.js', before: 'a < 1;', after: null }])).toEqual([]);
});

test('a variant in a function that the change does not touch is marked; one in its function, or in tests, is not', () => {
  const beside = (edits: readonly FileEdit[]) => planCheats(edits).map(({ kind, isBeside }) => [kind, isBeside]);
  expect(beside([CODE, TESTS])).toEqual([
    ['weakened assertion', false],
    ['edge case dropped', false],
    ['error swallowed', false],
    ['off by one', false],
    ['hard-coded answer', false],
  ]);
  // The guard of the function whose last line changes is part of what the change is about; its neighbour is not.
  const within = (name: string, last: string) =>
    [`export function ${name}(list) {`, '  if (list === null) return null;', '  audit(list);', last, '}', ''].join(
      '\n',
    );
  const neighbours = (last: string) => `${within('one', last)}${'const far = "x";\n'.repeat(2)}`;
  const guarded = { path: 'a.js', before: neighbours('  log("a");'), after: neighbours('  log("b");') };
  expect(beside([guarded])).toEqual([['edge case dropped', false]]);
  const other = (last: string) => `${within('one', '  log("a");')}export function two() {\n${last}\n}\n`;
  const apart = { path: 'a.js', before: other('  log("a");'), after: other('  log("b");') };
  expect(beside([apart])).toEqual([['edge case dropped', true]]);
  // An inner function is judged by itself, and so is a statement outside functions.
  const inner = (last: string) => `export function f(list) {\n  list.map((one) => one * 2);\n${last}\n}\n`;
  const nested = { path: 'a.js', before: inner('  log("a");'), after: inner('  log("b");') };
  expect(beside([nested])).toEqual([['off by one', true]]);
  const limits = (text: string) => `export const LIMITS = {\n  most: 9,\n  name: ${text},\n};\n`;
  const together = { path: 'a.js', before: limits('"a"'), after: limits('"b"') };
  expect(beside([together])).toEqual([['off by one', false]]);
  // The change is within the statement that the variant drops.
  const long = (message: string) =>
    ['export function f(list) {', '  if (list === null) {', `    throw new Error(${message});`, '  }', '}', ''].join(
      '\n',
    );
  expect(beside([{ path: 'a.js', before: long('"a"'), after: long('"b"') }])).toContainEqual([
    'edge case dropped',
    false,
  ]);
});

test('a place far from the change is left alone', () => {
  const apart = (lines: number, last: string) =>
    ['export const less = (a, b) => a < b;', ...Array<string>(lines).fill(''), last, ''].join('\n');
  const kindsAt = (lines: number) =>
    planCheats([
      { path: 'a.js', before: apart(lines, 'export const x = "a";'), after: apart(lines, 'export const x = "b";') },
    ]).map(({ kind, line }) => [kind, line]);
  expect(kindsAt(9)).toEqual([['off by one', 1]]);
  expect(kindsAt(10)).toEqual([]);
});
