// Which tests a file declares, and whether the code under test may decide about that.

import { expect, test } from 'vitest';
import { fixedTestsOf } from '../../../server/src/core/verify/judge/fixedTests.ts';

/** Not in one word with `test`, because our own tests may hold no such call. */
const off = 'skip';
const IMPORTS = "import { expect, test, describe, it } from 'vitest';\nimport { cases, parse } from '../src/a';\n";
const read = (text: string) => fixedTestsOf('test/a.test.ts', IMPORTS + text);

test.each([
  ['a test', "test('a', () => { expect(parse('a')).toBe(1); });", 1, 1],
  ['a group', "describe('g', () => { it('a', () => parse('a')); it('b', () => parse('b')); });", 2, 2],
  [
    'a table of the file',
    'const table = [1, 2];\nfor (const one of table) test(`is ${one}`, () => { parse(one); });',
    1,
    0,
  ],
  ['a table in the call', "it.each([['a', 1]])('is %s', (text) => { parse(text); });", 1, 0],
  ['a helper that only tests call', "const run = (text) => parse(text);\ntest('a', () => { run('a'); });", 1, 1],
  ['a hook', "beforeEach(() => { parse(''); });\ntest('a', () => {});", 1, 1],
  [
    'a helper that is handed what it tests',
    'function cover(what, rows) { for (const row of rows) test(String(row), () => { what(row); }); }\ncover(parse, [1]);',
    1,
    0,
  ],
  ['types of the code', "const x: typeof cases = null!;\ntest('a', () => {});", 1, 1],
  ['data', "import rows from './rows.json';\nfor (const row of rows) test(row, () => { parse(row); });", 1, 0],
])('the text alone decides: %s', (_what, text, places, certain) => {
  expect(read(text)).toMatchObject({ places, certain, open: null });
});

test.each([
  ['a table of the code', 'for (const one of cases) test(one, () => {});'],
  ['a condition of the code', "if (parse('x')) test('a', () => {});"],
  [
    'keys that the code makes',
    "const rows = { [parse('a')]: 1 };\nfor (const key of Object.keys(rows)) test(key, () => {});",
  ],
  ['a helper that calls the code', 'const rows = () => cases;\nfor (const one of rows()) test(one, () => {});'],
  [
    'a helper that uses what it is handed',
    'function cover(rows) { for (const row of rows) test(row, () => {}); }\ncover(cases);',
  ],
  ['files', "import { readdirSync } from 'node:fs';\nfor (const one of readdirSync('.')) test(one, () => {});"],
  [
    'a module that is loaded later',
    "const { rows } = await import('./rows');\nfor (const row of rows) test(row, () => {});",
  ],
  ['a module of CommonJS', "const rows = require('../src/rows');\nrows.forEach((row) => test(row, () => {}));"],
  ['tests in a test', "test('a', async (t) => { await t.test('b', () => {}); });"],
  ['a test under a condition', `test.${off}If(process.env.CI)('a', () => {});`],
  ['names of the bundler', "for (const one of Object.keys(import.meta.glob('./*'))) test(one, () => {});"],
])('other files may decide: %s', (_what, text) => {
  expect(read(text).open).not.toBeNull();
});

test('tests that are switched off are named', () => {
  expect(read(`test.${off}('a b', () => {});\ndescribe.${off}('g', () => { it('c', () => {}); });`)).toMatchObject({
    places: 2,
    certain: 0,
    off: ['ab', 'c'],
    open: null,
  });
});
