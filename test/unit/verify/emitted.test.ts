// Programs that differ only in what they export.

import { expect, test } from 'vitest';
import { emitJavaScript, findUnexportedNames } from '../../../server/src/core/verify/differential/emitJavaScript.ts';

const between = (before: string, after: string) =>
  findUnexportedNames(emitJavaScript('a.ts', before), emitJavaScript('a.ts', after));

test.each([
  [
    'a function',
    'export function a() { return 1; }\nexport const b = 2;\n',
    'function a() { return 1; }\nexport const b = 2;\n',
    ['a'],
  ],
  [
    'an async one, and a class',
    'export async function a() {}\nexport class B {}\n',
    'async function a() {}\nclass B {}\n',
    ['a', 'B'],
  ],
  ['names of a list', 'const a = 1, b = 2;\nexport { a, b as c };\n', 'const a = 1, b = 2;\nexport { a };\n', ['c']],
  ['a whole list', 'const a = 1;\nexport { a };\n', 'const a = 1;\n', ['a']],
  ['what is taken apart', 'export const { a, b: [c] } = d;\n', 'const { a, b: [c] } = d;\n', ['a', 'c']],
  ['with another comment', 'export const a = 1;\n', '// Local.\nconst a = 1;\n', ['a']],
])('%s', (_what, before, after, names) => {
  expect(between(before, after)).toEqual(names);
});

test.each([
  ['the same', 'export const a = 1;\n', 'export const a = 1;\n'],
  ['another value', 'export const a = 1;\n', 'const a = 2;\n'],
  ['one gone, one new', 'export const a = 1;\nconst b = 2;\n', 'const a = 1;\nexport const b = 2;\n'],
  ['only new ones', 'const a = 1;\n', 'export const a = 1;\n'],
  ['the default export', 'export default function a() {}\n', 'function a() {}\n'],
  ['from elsewhere', "export { a } from './b.ts';\n", ''],
  ['all from elsewhere', "export * from './b.ts';\n", ''],
  ['another order', 'export const a = f();\nexport const b = g();\n', 'const b = g();\nconst a = f();\n'],
])('no more than that is not all: %s', (_what, before, after) => {
  expect(between(before, after)).toEqual([]);
});
