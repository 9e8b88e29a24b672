// Added tests with spies, and tests of uvu: what may be kept without a person, and what changes other tests.

import { expect, test } from 'vitest';
import { onlyAddsCases } from '../../../server/src/core/verify/claims/addedTests.ts';

const HEAD = "import { expect, it, vi } from 'vitest';\nimport { save } from './save';\n\n";
const OLD = "it('one', () => {\n  expect(save()).toBe(1);\n});\n";
const isKept = (added: string, before: string | null = HEAD + OLD) =>
  onlyAddsCases([{ path: 'save.test.ts', before, after: (before ?? '') + added }]);
const testOf = (...lines: readonly string[]) =>
  `\nit('two', () => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;

test.each([['vi.fn()'], ['jest.fn()'], ['mock.fn()'], ['sinon.spy()'], ['sinon.fake()']])(
  'a test that makes its own spy with %s and reads its calls only adds a case',
  (made) => {
    expect(isKept(testOf(`const onSave = ${made};`, 'save(onSave);', 'expect(onSave).toHaveBeenCalledTimes(1);'))).toBe(
      true,
    );
    expect(
      isKept(testOf(`const onSave = ${made};`, 'save(onSave);', 'expect(onSave.mock.calls).toEqual([[1]]);')),
    ).toBe(true);
  },
);

test('a new file may import the spies of its runner', () => {
  const body = testOf('const onSave = vi.fn();', 'save(onSave);', 'expect(onSave.mock.calls).toEqual([[1]]);');
  expect(isKept(HEAD + body, null)).toBe(true);
  expect(isKept(HEAD.replace('vi }', 'vi as v }') + testOf('v.resetModules();'), null)).toBe(false);
  expect(isKept(HEAD.replace('vitest', './helper') + body, null)).toBe(false);
});

test('a list of calls needs no spy', () => {
  expect(
    isKept(
      testOf(
        'const calls: unknown[][] = [];',
        'const onSave = (...args: unknown[]) => {',
        '  calls.push(args);',
        '};',
        'save(onSave);',
        'expect(calls).toEqual([[1]]);',
      ),
    ),
  ).toBe(true);
});

test.each([
  ['a mocked module', testOf("vi.mock('./other');")],
  ['a spy on a shared object', testOf("const onSave = vi.spyOn(save, 'call');")],
  ['a clock', testOf('vi.useFakeTimers();')],
  ['a global', testOf("vi.stubGlobal('name', 1);")],
  ['a module registry', testOf('jest.resetModules();')],
  ['another name for the object', testOf('const tools = vi;')],
  ['a spy with an implementation', testOf('const onSave = vi.fn(() => vi.resetModules());')],
  ['a spy whose implementation follows', testOf('const onSave = vi.fn();', 'onSave.mockReturnValue(save());')],
  ['a statement behind the spy', testOf('const onSave = vi.fn(); vi.resetModules();')],
  ['a spy that can be replaced', testOf('let onSave = vi.fn();')],
  ['a spy outside of a test', '\nconst onSave = vi.fn();\n'],
  ['a spy of a whole group', "\ndescribe('two', () => {\n  const onSave = vi.fn();\n});\n"],
  ['the calls of a spy that others share', testOf('expect(save.mock.calls).toEqual([]);')],
  ['changed calls of its spy', testOf('const onSave = vi.fn();', 'onSave.mock.calls.length = 0;')],
  [
    'the calls of a spy of another test',
    testOf('const onSave = vi.fn();') + testOf('expect(onSave.mock.calls).toEqual([]);'),
  ],
  ['sinon that replaces a method', testOf("sinon.replace(save, 'call', sinon.fake());")],
])('%s asks a person', (_, added) => {
  expect(isKept(added)).toBe(false);
});

const TITLE = 'has returns true after add';
test.each([
  ["import { suite } from 'uvu';", "const bags = suite('bags');", 'bags', true],
  ["const { suite } = require('uvu');", "const $bags = suite('bags');", '$bags', true],
  ["import * as uvu from 'uvu';", "const bags = uvu.suite('bags');", 'bags', true],
  ["import * as uvu from 'uvu';", '', 'uvu.test', true],
  ["import { suite } from './own';", "const bags = suite('bags');", 'bags', false],
  ["import { suite } from 'uvu';", "const bags = own.suite('bags');", 'bags', false],
  ["import { suite } from 'uvu';", "const bags = register('bags');", 'bags', false],
  ["import { suite } from 'uvu';", "const mocks = suite('bags');", 'mocks', false],
])('%s %s: the title of a test of %s', (imported, declared, name, kept) => {
  const before = `${imported}\nimport * as assert from 'uvu/assert';\nimport { Bag } from './bag.js';\n${declared}\n\n`;
  const after = `${before}${name}('${TITLE}', () => {\n  assert.is(new Bag().add(1).has(1), true);\n});\n`;
  expect(onlyAddsCases([{ path: 'bag.test.js', before, after }])).toBe(kept);
});
