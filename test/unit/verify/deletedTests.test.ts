// Tests that are deleted together with the code that they test, and tests that only seem to be.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import { findTestChanges } from '../../../server/src/core/verify/judge/testChanges.ts';

async function changesOf(edits: readonly FileEdit[]) {
  const { changes } = await findTestChanges(edits, [], {
    inventory: async () => null,
    testCases: async (files) => files.flatMap(({ path, text }) => parseTestCases(path, text)),
  });
  return { kinds: changes.map(({ kind }) => kind) };
}

test('a function is gone even if a member of an object keeps its name', async () => {
  const before = 'export function stripColor(s) {}\nexport const config = { stripColor: (s) => stripColor(s) };\n';
  const deleted = {
    path: 'test/a.test.ts',
    before: "test('b', () => { expect(stripColor('')).toBe(''); });",
    after: null,
  };
  const kindsWith = async (after: string) => (await changesOf([{ path: 'src/a.ts', before, after }, deleted])).kinds;
  expect(await kindsWith('// stripColor is optional\nexport const config = { stripColor: (s) => s };\n')).toEqual([
    'gone',
  ]);
  expect(await kindsWith(`const glob = \`a/*\`;\n${before}const other = \`*/\`;\n`)).toEqual(['deleted']);
  expect(await kindsWith(`import { stripColor } from './b.js';\n${before.split('\n')[1]}`)).toEqual(['deleted']);
});

test.each([
  'module.exports = { parse: (text) => text };',
  'exports.parse = (text) => text;',
  'module.exports.parse = function (text) { return text; };',
  'export default { parse(text) { return text; } };',
])('a function that is exported in another way is not gone: %s', async (after) => {
  const code = {
    path: 'src/a.js',
    before: 'function parse(text) { return text.trim(); }\nmodule.exports = { parse };\n',
    after,
  };
  const before = "const { parse } = require('../src/a');\ntest('b', () => { expect(parse(' a')).toBe('a'); });";
  expect((await changesOf([code, { path: 'test/a.test.js', before, after: null }])).kinds).toEqual(['deleted']);
});

test('a name in the title of a test is no use of the code', async () => {
  const code = { path: 'src/a.ts', before: 'const limit = 3;\n', after: 'const most = 9;\n' };
  const before = "test('keeps the limit', () => { expect(run(9)).toBe(3); });";
  expect((await changesOf([code, { path: 'test/a.test.ts', before, after: null }])).kinds).toEqual(['deleted']);
});
