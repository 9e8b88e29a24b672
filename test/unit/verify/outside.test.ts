// What test cases may use if nobody is asked about them: values of the program, and nothing that acts outside it.

import { expect, test } from 'vitest';
import { onlyAddsCases } from '../../../server/src/core/verify/claims/addedTests.ts';
import { findOutsideEffect, MAX_EXAMINED } from '../../../server/src/core/verify/claims/outsideEffects.ts';

const HEAD = "import { test } from 'node:test';\nimport { run } from './run.js';\n";
const added = (body: string) =>
  onlyAddsCases([{ path: 'run.test.js', before: HEAD, after: `${HEAD}test('more', async () => {\n  ${body}\n});\n` }]);

test.each([
  "assert.equal(run('a').length, 1);",
  "assert.deepEqual(run([1, 2])[0], { a: 'b', 'c-d': [3] });",
  "const { helper } = await ready; assert.equal(helper['a name'], 4);",
  "const again = require('./other.js'); again.run();",
  "import { expect } from 'vitest';",
  "const text = 'one: ' + run(`two ${1}`); assert.ok(text);",
  'const values: number[] = []; assert.equal(run(values), 0);',
  'if (run(1)) assert.equal([1, 2].length, 2);',
])('%s only adds a case', (body) => {
  expect(added(body)).toBe(true);
});

test('`Function` as a type makes no code', () => {
  const effect = (text: string) => findOutsideEffect([{ path: 'a.ts', text }]);
  for (const type of [
    '<T extends Function, U>(a: T) => 1',
    'T extends Function ? 1 : 2',
    '(run: Function, at: number)',
  ])
    expect(effect(type)).toBeNull();
  for (const use of [
    "new Function('a')",
    'class Own extends Function {}',
    '({ a: Function })',
    '(a ? b : Function)(c)',
  ])
    expect(effect(use)).toBe('`Function`, in a.ts');
});

test('the title of a case may show lists and names, and nothing behind it is taken for one', () => {
  const titled = (line: string) =>
    onlyAddsCases([{ path: 'run.test.js', before: HEAD, after: `${HEAD}${line}\n  assert.equal(run(1), 1);\n});\n` }]);
  expect(titled(`it('returns ["*", "b"] for "a", ["x"] and fetch', function () {`)).toBe(true);
  expect(titled("test('returns [1, 2] for [2]', () => {")).toBe(true);
  expect(titled("test('a', () => { run[run()]();")).toBe(false);
  expect(titled("test('a' + run[run()](), () => {")).toBe(false);
  expect(titled('test(`returns ${run[run()]()}`, () => {')).toBe(false);
});

test('a new file of Mocha may require the assertions of Node, with or without the prefix', () => {
  const file = (module: string) =>
    onlyAddsCases([
      {
        path: 'test/count.js',
        before: null,
        after: `const assert = require('${module}');\nconst run = require('..');\nit('counts', () => {\n  assert.equal(run(1), 1);\n});\n`,
      },
    ]);
  expect(['assert', 'node:assert', 'assert/strict'].map(file)).toEqual([true, true, true]);
  expect(['fs', 'child_process'].map(file)).toEqual([false, false]);
});

test.each([
  "await fetch('https://example.com/?' + run());",
  "const { execa } = await ready; import { execa } from 'execa';",
  "require('execa')('ls');",
  "require('child' + '_process').execSync('ls');",
  "require?.('./other.js');",
  'const need = require; need(`./other.js`);',
  "const key = 'const' + 'ructor'; run[key](run())();",
  "run['const' + 'ructor'](run())();",
  "run?.[`con${'structor'}`](run())();",
  "const { ['const' + 'ructor']: F } = run; F(run())();",
  'Reflect.get(run, run())(run());',
  'Object.getPrototypeOf(run);',
  "new WebSocket('wss://example.com');",
  'module.parent.require(run());',
  'process.exit(0);',
  "import rimraf from 'rimraf';",
])('%s asks a person', (body) => {
  expect(added(body)).toBe(false);
});

test.each([
  [
    "import { join } from 'node:path';\nimport { one } from './one.js';\n/* fetch */ export const two = one; // eval",
    null,
  ],
  ["import type { Server } from 'node:http';\nexport type { Other } from 'other';\nexport const a = 1;", null],
  ["if (process.env.NODE_ENV === 'x') throw new Error('no');", null],
  ["const isWindows = typeof navigator !== 'undefined' && navigator.platform.startsWith('Win');", null],
  ['const { clipboard } = navigator;', 'navigator'],
  ["navigator.sendBeacon('/spy');", 'navigator'],
  ["export const a = typeof navigator.sendBeacon('/spy');", 'navigator'],
  ["export const a = typeof navigator?.['sendBeacon']('/spy');", 'navigator'],
  ["import { rm } from 'node:fs/promises';", 'node:fs/promises'],
  ["import './shim.js';\nexport * from 'execa';", 'execa'],
  ["const { exec } = require('child_process');", 'child_process'],
  ['process.kill(process.ppid);', 'process'],
  ['export const load = (name) => import(name);', 'import('],
  ['export const load = (name) => require(name);', 'require'],
  ['export const get = (url) => fetch(url);', 'fetch'],
])('what code uses: %s', (text, found) => {
  const told = findOutsideEffect([{ path: 'code.js', text }]);
  if (found === null) expect(told).toBeNull();
  else expect(told).toContain(`\`${found}\`, in code.js`);
});

test('of more code than is looked at nobody knows', () => {
  const sources = Array.from({ length: MAX_EXAMINED }, (_, at) => ({ path: `${at}.js`, text: '' }));
  expect(findOutsideEffect(sources.slice(1))).toBeNull();
  expect(findOutsideEffect(sources)).toContain('files');
});

test('`Function` as a type, or compared with, acts on nothing', () => {
  const found = (text: string) => findOutsideEffect([{ path: 'a.ts', text }]);
  for (const text of [
    "export const isFunction = <T extends Function>(val: any): val is T => typeof val === 'function';",
    'export const call = (value: unknown) => (value as Function)(1);',
    'if (value instanceof Function) value();',
    'const both = value instanceof Function && other;',
  ])
    expect(found(text)).toBeNull();
  for (const text of [
    "Function('return process')();",
    "new Function('a');",
    "value instanceof Function('return 1');",
    "value instanceof Function\n('return 1');",
    "value instanceof Function /* */ ('return 1');",
    "value instanceof Function.prototype.constructor('a');",
    "value instanceof Function?.('a');",
    'const make = Function; make(text)();',
    "class Made extends Function { constructor() { super('return 1'); } }",
    'run({ make: Function });',
  ])
    expect(found(text)).toBe('`Function`, in a.ts');
});

test('Go is not examined, so it is not said to use what a script would', () => {
  const text = 'package m\n\nimport (\n\t"strings"\n)\n';
  expect(findOutsideEffect([{ path: 'a.go', text }])).toBe('a.go, which was not examined');
});
