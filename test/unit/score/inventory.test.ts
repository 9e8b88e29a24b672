// What is taken stock of for a comparison: pieces, what would be missed of them, and what tests check.

import { expect, test } from 'vitest';
import { listContent } from '../../../server/src/core/analysis/inventory.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import type { Inventory } from '../../../server/src/core/model.ts';
import { findMissing } from '../../../server/src/core/score/missingCode.ts';

const inventory = (path: string, text: string, generated = false): Inventory =>
  listContent({ path, text, language: detectLanguage(path, text), generated });
const missing = (path: string, before: string, after: string | null): readonly string[] =>
  findMissing([inventory(path, before)], after === null ? [] : [inventory(path, after)]);

test('pieces by name, with what would be missed; locals, types, layout and comments are no part of it', () => {
  const { pieces } = inventory(
    'src/a.ts',
    "import { open } from 'door';\nexport function enter(key: Key) { const way = open(key.code, 'slowly'); return way ?? 404; }\nclass Room { size = 3; close() { this.size = 0; } }\n",
  );
  expect(pieces.map(({ name, dead, atoms, calls, decisions }) => ({ name, dead, atoms, calls, decisions }))).toEqual([
    {
      name: 'enter',
      dead: false,
      atoms: ['name code', 'name open', 'text 404', 'text slowly'],
      calls: ['open'],
      decisions: 1,
    },
    { name: 'Room.size', dead: true, atoms: ['text 3'], calls: [], decisions: 0 },
    { name: 'Room.close', dead: true, atoms: ['name size'], calls: [], decisions: 0 },
  ]);
  const other = inventory(
    'src/a.ts',
    "import { open as unlock } from 'door';\n// Anew.\nexport function enter(secret: string) {\n\n  const path = unlock(secret.code, `slowly`);\n  return path ?? 404;\n}\n",
  ).pieces[0]!;
  expect({ ...other, shape: '', mass: 0 }).toEqual({ ...pieces[0]!, shape: '', mass: 0 });
});

test('what has a body and takes nothing: namespaces, global declarations, static blocks, accessors', () => {
  const { pieces } = inventory(
    'src/a.ts',
    "declare global { interface Window { mine: string } }\ndeclare module 'door' { export function open(): void }\nnamespace Rooms.Small { export const door = knock('once'); }\nclass Room { static { enter(); } static #key = class { static { turn(); } }; get size() { return 3; } }\n",
  );
  expect(new Set(pieces.flatMap(({ calls }) => calls))).toEqual(new Set(['enter', 'knock', 'turn']));
});

/** Path, text before, text after (null: the file is gone), what is missing. */
test.each<[string, string, string, string | null, readonly RegExp[]]>([
  [
    'moved about',
    'src/a.ts',
    "export function a() { log('one'); }\nexport function b() { log('two'); }\n",
    "export function b() { log('two'); }\nexport function a() { log('one'); }\n",
    [],
  ],
  ['renamed', 'src/a.ts', "export function a() { log('one'); }\n", "export function c() { log('one'); }\n", []],
  [
    'taken apart',
    'src/a.ts',
    "export function a(x) { log('one'); if (x.big) warn('two'); }\n",
    "export function a(x) { log('one'); tell(x); }\nfunction tell(x) { if (x.big) warn('two'); }\n",
    [],
  ],
  [
    'put together',
    'src/a.ts',
    "export function a() { log('one'); b(); }\nfunction b() { warn('two'); }\n",
    "export function a() { log('one'); warn('two'); }\n",
    [/fewer calls of `b`/],
  ],
  [
    'a loop becomes a map',
    'src/a.ts',
    'export function a(rows) { const all = []; for (const row of rows) all.push(row.name); return all; }\n',
    'export function a(rows) { return rows.map((row) => row.name); }\n',
    [],
  ],
  [
    'a word is gone',
    'src/a.ts',
    "export function a() { log('one two'); }\n",
    "export function a() { log('one'); }\n",
    [/no longer holds `two`/],
  ],
  [
    'a twin is gone',
    'src/a.ts',
    "export function a() { log('one'); }\nexport function b() { log('one'); }\n",
    "export function a() { log('one'); }\n",
    [/fewer calls of `log`/],
  ],
  [
    'a function without words is gone',
    'src/a.ts',
    'export function a(x: number) { return x * x; }\nexport function b(x: number) { return x + x; }\n',
    'export function b(x: number) { return x + x; }\n',
    [/in use is gone: `a`/],
  ],
  [
    'dead code is gone',
    'src/a.ts',
    "function a() { log('one'); }\nexport function b() { log('two'); }\n",
    "export function b() { log('two'); }\n",
    [],
  ],
  [
    'a value of a built-in that nobody reads is gone',
    'src/a.ts',
    "import { join, sep } from 'node:path';\nexport function b(x: string) { const whole = join(x, 'one'); return sep; }\n",
    "import { sep } from 'node:path';\nexport function b(x: string) { return sep; }\n",
    [],
  ],
  [
    'a value that nobody reads and that something unknown computes is gone',
    'src/a.ts',
    "import { join } from './paths';\nexport function b(x: string) { const whole = join(x, 'one'); return x; }\n",
    'export function b(x: string) { return x; }\n',
    [/no longer holds `join`, `one`/, /fewer calls of `join`/],
  ],
  [
    'a value of a built-in that is read is gone',
    'src/a.ts',
    "import { join } from 'path';\nexport function b(x: string) { const whole = join(x, 'one'); return whole; }\n",
    'export function b(x: string) { return x; }\n',
    [/no longer holds `join`, `one`/, /fewer calls of `join`/],
  ],
  [
    'unreachable code is gone',
    'src/a.ts',
    "export function b() { log('two'); return 1; log('three'); }\n",
    "export function b() { log('two'); return 1; }\n",
    [],
  ],
  [
    'a Python file is gone',
    'src/a.py',
    "def pay(order):\n    bank.transfer(order.sum, 'now')\n",
    null,
    [/no longer holds `(now|pay|sum|transfer)`/, /fewer calls of `pay`, `transfer`/],
  ],
  [
    'a Python comment is gone',
    'src/a.py',
    "# The 'old' way.\ndef pay(order):\n    bank.transfer(order.sum)\n",
    'def pay(order):\n    bank.transfer(order.sum)\n',
    [],
  ],
])('%s', (_, path, before, after, expected) => {
  const told = missing(path, before, after);
  expect(told).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(told[index]).toMatch(pattern);
});

test('what is not measured has no pieces', () => {
  const text = "export function a() { log('one'); }\n";
  for (const [path, generated] of [
    ['test/a.test.ts', false],
    ['src/a.d.ts', false],
    ['src/a.ts', true],
    ['src/a.txt', false],
    ['src/a.vue', false],
  ] as const)
    expect(inventory(path, text, generated)).toMatchObject({ measured: false, pieces: [] });
  expect(inventory('src/a.ts', text).measured).toBe(true);
});

/** Text of a test, cases, skipped ones, assertions. */
test.each<[string, number, number, number]>([
  ["test('a', () => { expect(f()).toBe(1); });", 1, 0, 1],
  ["it.each([1])('a', (n) => { assert.equal(f(n), 1); assert(f(2)); });", 1, 0, 2],
  ["describe('a', () => { it('b', () => { check(f()); }); });", 1, 0, 1],
  [`test.${'skip'}('a', () => { expect(f()).toBe(1); });`, 1, 1, 1],
  [`${'xit'}('a', () => { expect(f()).toBe(1); });`, 1, 1, 1],
  [`describe.${'only'}('a', () => { test('b', () => { expect(f()).toBe(1); }); });`, 1, 1, 1],
  ["test('a', () => { f(); });", 1, 0, 0],
  ["test('a', () => { expect(true).toBe(true); });", 1, 0, 0],
  ["test('a', () => { return; expect(f()).toBe(1); });", 1, 0, 0],
  ["test('a', () => { if (false) expect(f()).toBe(1); });", 1, 0, 0],
])('checks: %s', (text, cases, skipped, assertions) => {
  expect(inventory('test/a.test.ts', text).tests).toEqual({ cases, skipped, assertions });
});

test('checks in other languages', () => {
  expect(
    inventory(
      'tests/test_a.py',
      'import pytest\n\ndef test_a():\n    assert f() == 1\n\n@pytest.mark.skip\ndef test_b():\n    assert f()\n',
    ).tests,
  ).toEqual({ cases: 2, skipped: 1, assertions: 2 });
  expect(inventory('test/helper.ts', 'export const a = 1;\n').tests).toBeNull();
});

test('an expected error is an assertion in Python', () => {
  const checks = (body: string) => inventory('tests/test_a.py', `def test_a():\n${body}`).tests;
  expect(checks('    with pytest.raises(ValueError):\n        f()\n')).toEqual({ cases: 1, skipped: 0, assertions: 1 });
  expect(checks('    f()\n')).toEqual({ cases: 1, skipped: 0, assertions: 0 });
});
