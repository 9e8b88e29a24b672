// The calls whose results new or changed test cases check.

import { expect, test } from 'vitest';
import { createNamedMatcher } from '../../../server/src/adapters/harness/pairs/namedCalls.ts';
import { collectNamedCalls } from '../../../server/src/core/verify/claims/namedCalls.ts';

const IMPORTS = "import { mean, slug as name } from '../src/a.js';\nimport * as lib from '../src/b.js';\n";
const OLD = `${IMPORTS}test('old', () => {\n  assert.equal(mean([9]), 9);\n});\n`;

/** The calls that a case with this body names. */
function callsOf(body: string, call = "test('new'") {
  const after = `${OLD}${call}, (row) => {\n  ${body}\n});\n`;
  return collectNamedCalls([{ path: 'test/a.test.js', before: OLD, after }]).map(
    (named) => `${named.name}(${named.arguments.join(', ')})`,
  );
}

test.each([
  ['in an assertion', 'assert.equal(mean([ ]), 0);', ['mean([])']],
  ['awaited', 'expect(await mean([1, -2])).toBe(0);', ['mean([1,-2])']],
  ['by a variable', 'const result = mean([1]);\n  expect(result).toBe(0);', ['mean([1])']],
  ['in a function', 'assert.throws(() => mean(null), TypeError);', ['mean(null)']],
  ['by another name', "assert.equal(name('ß'), 'ss');", ['slug("ß")']],
  ['of a module', 'assert.equal(lib.trim({ b: 1, a: undefined }), 0);', ['trim({"a":undefined,"b":1})']],
  ['in a comparison', 'assert.ok(mean([8]) === 0);', ['mean([8])']],
  ['of a promise', 'await expect(mean([7])).resolves.toBe(0);', ['mean([7])']],
  ['of an error', 'expect(() => mean([])).toThrow(TypeError);', ['mean([])']],
])('%s', (_, body, expected) => {
  expect(callsOf(body)).toEqual(expect.arrayContaining(expected));
});

test.each([
  ['a call whose result nothing checks', 'mean([1, 2]);'],
  ['a variable that nothing checks', 'const result = mean([1, 2]);'],
  ['a call of which any value will do', 'assert.ok(mean([1, 2]));'],
  ['a call with a bare assertion', 'assert(mean([1, 2]));'],
  ['a value that it must not have', 'expect(mean([1, 2])).not.toBe(3);'],
  ['a value that is there', 'expect(mean([1, 2])).toBeDefined();'],
  ['an argument that is no literal', 'assert.equal(mean(create()), 0);'],
  ['a type', "assert.equal(typeof mean([1]), 'number');"],
  ['a property', 'assert.equal(mean([1]).length, 1);'],
  ['a part of the actual value', 'assert.equal(double(mean([1])), 2); assert.deepEqual([mean([1])], [1]);'],
  ['another call as the expected value', 'assert.equal(mean([1]), mean([1]));'],
  ['an expected operand', 'assert.equal(0, mean([1]));'],
  ['a matcher', 'expect(mean([1])).toEqual(expect.any(Number));'],
  ['a bound', 'expect(mean([1])).toBeGreaterThan(0);'],
  ['any error', 'assert.throws(() => mean(null));'],
  ['an assertion under a condition', 'if (false) assert.equal(mean([1]), 0);'],
  ['an assertion after the end', 'if (row) return; assert.equal(mean([1]), 0);'],
  ['an assertion in another function', "t.test('b', () => { assert.equal(mean([1]), 0); });"],
  ['an assertion that nobody awaits', 'expect(mean([1])).resolves.toBe(0);'],
  ['a helper', 'function seen(x) { assert.ok(x); } seen(mean([1]));'],
  ['a function of the same name', 'const mean = () => 1; assert.equal(mean([1]), 1);'],
  ['an assertion of the same name', 'const assert = { equal() {} }; assert.equal(mean([1]), 1);'],
  ['an argument that may change', 'let size = 1; assert.equal(mean(size), 1);'],
  ['a row that gets another value', 'row = 2; assert.equal(mean([1]), 1);'],
  ['a replaced assertion', 'assert.equal = () => {}; assert.equal(mean([1]), 1);'],
  ['a replaced matcher', 'expect.extend({ toBe: () => ({ pass: true }) }); expect(mean([1])).toBe(1);'],
  ['a variable that may change', 'let result = mean([1]); assert.equal(result, 1);'],
  ['code that is replaced', "mock.module('../src/a.js', {}); assert.equal(mean([1]), 1);"],
])('%s is not named', (_, body) => {
  expect(callsOf(body).filter((call) => call.startsWith('mean'))).toEqual([]);
});

test.each([
  [`test.${'skip'}('new'`],
  [`test.${'todo'}('new'`],
  ["test('new', { skip: true }"],
  [`test.${'skipIf'}(true)('new'`],
  [`describe.${'skip'}('all', () => test('new'`],
  ["if (false) test('new'"],
])('a case that may not run names nothing: %s', (call) => {
  const body = 'assert.equal(mean([1]), 0);';
  expect(callsOf(call.startsWith('describe') ? `${body} }) ` : body, call)).toEqual([]);
});

test('only what is imported from the repository is named, by its path', () => {
  const body = "test('new', () => {\n  assert.equal(parse(''), 0);\n});\n";
  const named = (from: string) =>
    collectNamedCalls([{ path: 'test/a.test.js', before: null, after: `import { parse } from '${from}';\n${body}` }]);
  expect(named('yaml')).toEqual([]);
  const [call] = named('../src/a.js');
  expect(call).toEqual({ path: 'src/a', name: 'parse', arguments: ['""'] });
  const isNamed = (path: string) =>
    createNamedMatcher({ kind: 'function', path, name: 'parse', exportedAs: 'parse', parameters: [] } as never, [
      call!,
    ])({ arguments: [''], steps: [] } as never);
  expect(['src/a.ts', 'src/a/index.ts', 'src/other.ts', 'lib/a.ts'].map(isNamed)).toEqual([true, true, false, false]);
});

test('rows of a table are named, and cases that stay as they were are not', () => {
  expect(callsOf('assert.equal(mean(row), 0);', "test.each([1, -2])('row %s'")).toEqual(['mean(1)', 'mean(-2)']);
  expect(callsOf('assert.ok(true);')).toEqual([]);
});
