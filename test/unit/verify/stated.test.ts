// Finds that the tests of a repository state.

import { expect, test } from 'vitest';
import { isStated } from '../../../server/src/core/verify/counterexamples/isStated.ts';
import { memoryTree } from '../propose/recipeCase.ts';

const tree = memoryTree({
  'src/path.ts': '',
  'index.js': '',
  'test.js': 't.is(trim(" "), "");\n',
  'src/path.test.ts':
    "is(stringifyPath( [] ), '');\nis(parsePath(''), ['']);\nthrows(() => first([]));\n// last([])\nfind( " +
    "\n`a b`,\n);\nlonger.first;isFirst(['b']);\n",
});
const isMeant = (...stated: string[]) => isStated({ path: 'src/path.ts', stated }, tree);

test('what the tests call with the same arguments is meant', () => {
  expect(isMeant('first([])')).toBe(true);
  expect(isMeant('stringifyPath([])', 'parsePath("")')).toBe(true);
  expect(isMeant("find('a b')")).toBe(true);
  expect(isStated({ path: 'index.js', stated: ["trim(' ')"] }, tree)).toBe(true);
});

test('a call that the tests do not make is a find, and so is a loss of which they show one half', () => {
  expect(isMeant('first(["a"])')).toBe(false);
  expect(isMeant('stringifyPath([])', 'parsePath("a")')).toBe(false);
  expect(isMeant()).toBe(false);
});

test('other blanks in a text, a longer name and a comment state nothing', () => {
  expect(isMeant("find('ab')")).toBe(false);
  expect(isMeant('First(["b"])')).toBe(false);
  expect(isMeant('last([])')).toBe(false);
});
