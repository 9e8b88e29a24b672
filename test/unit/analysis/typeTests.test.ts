// Tests of types are read by the type checker alone, so nothing in them is reported.

import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { isTypeTestSource } from '../../../server/src/core/analysis/shared/typeTests.ts';

test.each([
  ['atom/errors.ts', '// THROWS Expected 1 arguments, but got 0\nlet $store3 = atom<string>()\n'],
  ['types/tests.ts', '  // $ExpectType number\nconst sum = add(1, 2);\n'],
  ['types/tests.ts', '// $ExpectError\nadd();\n'],
  ['test/add.test-d.ts', 'expectType<number>(add(1, 2));\n'],
])('%s with %j is a test of types', (path, text) => {
  expect(isTypeTestSource({ path, text })).toBe(true);
});

test.each([
  ['src/add.ts', '// throws if the sum is too large\nexport const add = 1;\n'],
  ['src/add.ts', "const text = '// THROWS an error';\n"],
  ['src/add.ts', '// It THROWS an error.\n'],
  ['test/add.test.ts', 'expectTypeOf(add(1, 2)).toBeNumber();\n'],
])('%s with %j is none', (path, text) => {
  expect(isTypeTestSource({ path, text })).toBe(false);
});

test('nothing is reported in a test of types', () => {
  const code = "const name: string = 'a';\nname.toUpperCase();\n";
  const rulesIn = (text: string) =>
    analyseSource({
      path: 'src/errors.ts',
      text,
      language: 'typescript',
      tree: null,
      symbols: null,
      generated: false,
    }).opportunities.map(({ rule }) => rule);
  expect(rulesIn(code)).toEqual(['bug-pattern']);
  expect(rulesIn(`// THROWS Property 'set' does not exist\n${code}`)).toEqual([]);
});
