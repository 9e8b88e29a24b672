// The calls whose results new or changed test cases check.

import { expect, test } from 'vitest';
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
  ['of AVA', 't.is(mean([NaN]), 0);', ['mean([NaN])']],
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
])('%s is not named', (_, body) => {
  expect(callsOf(body).filter((call) => call.startsWith('mean'))).toEqual([]);
});

test('rows of a table are named, and cases that stay as they were are not', () => {
  expect(callsOf('assert.equal(mean(row), 0);', "test.each([1, -2])('row %s'")).toEqual(['mean(1)', 'mean(-2)']);
  expect(callsOf('assert.ok(true);')).toEqual([]);
});
