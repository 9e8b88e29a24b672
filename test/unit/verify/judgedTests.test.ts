// What becomes of tests that were there: which changes weaken them, and which only change them.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import { findTestChanges } from '../../../server/src/core/verify/judge/testChanges.ts';

const NO_COUNTS = { inventory: async () => null };

async function changesOf(edits: readonly FileEdit[], renamed: readonly { from: string; to: string }[] = []) {
  const { changes, added } = await findTestChanges(edits, renamed, {
    ...NO_COUNTS,
    testCases: async (files) => files.flatMap(({ path, text }) => parseTestCases(path, text)),
  });
  return { kinds: changes.map(({ kind }) => kind), changes, added };
}

async function kindsOf(before: string, after: string | null): Promise<readonly string[]> {
  return (await changesOf([{ path: 'test/a.test.ts', before, after }])).kinds;
}

const wrapped = (body: string) => `import { a } from '../src/a';\ntest('adds', async () => {\n  ${body}\n});\n`;

test.each([
  ['an assertion goes', 'expect(a(1)).toBe(2);\n  expect(a(2)).toBe(3);', 'expect(a(1)).toBe(2);', ['removed']],
  ['a matcher accepts more', 'expect(a(1)).toBe(2);', 'expect(a(1)).toBeDefined();', ['loosened']],
  ['it says what it is not', 'expect(a(1)).toBe(2);', 'expect(a(1)).not.toBe(3);', ['loosened']],
  [
    'an error of any kind will do',
    "expect(() => a()).toThrow('no number');",
    'expect(() => a()).toThrow();',
    ['loosened'],
  ],
  [
    'a property may have any value',
    "expect(a(1)).to.have.property('b', 2);",
    "expect(a(1)).to.have.property('b');",
    ['loosened'],
  ],
  [
    'such a property by should',
    "a(1).should.have.property('b', f(1, 2));",
    "a(1).should.have.property('b');",
    ['loosened'],
  ],
  [
    'a property of several words',
    "expect(a(1)).toHaveProperty(['b', 'c']);",
    "expect(a(1)).toHaveProperty(['b']);",
    ['expected'],
  ],
  [
    'an error has any message',
    "expect(() => a()).to.throw(Error, 'no');",
    'expect(() => a()).to.throw(Error);',
    ['loosened'],
  ],
  [
    'only the message of the assertion goes',
    "assert.property(a(1), 'b', 'says b');",
    "assert.property(a(1), 'b');",
    ['expected'],
  ],
  [
    'a negated property',
    "expect(a()).not.toHaveProperty('b', 1);",
    "expect(a()).not.toHaveProperty('b');",
    ['expected'],
  ],
  [
    'only a value of it',
    "expect(a()).not.toHaveProperty('b');",
    "expect(a()).not.toHaveProperty('b', 1);",
    ['loosened'],
  ],
  [
    'a negated bound is raised',
    'expect(a()).not.toBeGreaterThan(1);',
    'expect(a()).not.toBeGreaterThan(9);',
    ['loosened'],
  ],
  [
    'a negated bound is lowered',
    'expect(a()).not.toBeGreaterThan(9);',
    'expect(a()).not.toBeGreaterThan(1);',
    ['expected'],
  ],
  [
    'properties change places',
    "expect(a()).to.have.property('b', 2);\n  expect(a()).to.have.property('c');",
    "expect(a()).to.have.property('c');\n  expect(a()).to.have.property('b', 3);",
    ['expected'],
  ],
  ['a comma in a pattern', 'expect(a).to.throw(/a,b/);', 'expect(a).to.throw(/a/);', ['expected']],
  ['the class of an error', "expect(a).to.throw(Error, 'no');", "expect(a).to.throw('no');", ['expected']],
  [
    'a property on a line of its own',
    "expect(a()).to.have.property('b', 2);",
    "expect(a()).to.have.property('b');\n  expect(a().b).to.equal(2);",
    ['expected'],
  ],
  ['a member', "chai.expect(a()).to.have.property('b', 2);", "chai.expect(a()).to.have.property('b');", ['loosened']],
  ['a soft one', "expect.soft(a()).toHaveProperty('b', 2);", "expect.soft(a()).toHaveProperty('b');", ['loosened']],
  ['should()', "should(a()).have.property('b', 2);", "should(a()).have.property('b');", ['loosened']],
  ['a bound is lowered', 'expect(a(1)).toBeGreaterThan(90);', 'expect(a(1)).toBeGreaterThan(10);', ['loosened']],
  [
    'a budget of bytes grows a little',
    'expect(bundle.bytes).toBeLessThan(1000);',
    'expect(bundle.bytes).toBeLessThan(1050);',
    ['expected'],
  ],
  [
    'a budget of bytes doubles',
    'expect(bundle.bytes).toBeLessThan(1000);',
    'expect(bundle.bytes).toBeLessThan(2000);',
    ['loosened'],
  ],
  ['a bound is raised', 'expect(a(1)).toBeGreaterThan(10);', 'expect(a(1)).toBeGreaterThan(90);', ['expected']],
  [
    'anything will do',
    'expect(a(1)).toEqual({ b: 1 });',
    'expect(a(1)).toEqual({ b: expect.anything() });',
    ['loosened'],
  ],
  ['what it throws is caught', 'expect(a(1)).toBe(2);', 'try { expect(a(1)).toBe(2); } catch {}', ['loosened']],
  ['it hangs on a condition', 'expect(a(1)).toBe(2);', 'if (a(1)) expect(a(1)).toBe(2);', ['loosened']],
  ['it is never reached', 'expect(a(1)).toBe(2);', 'return;\n  expect(a(1)).toBe(2);', ['removed']],
  ['it says nothing of the code', 'expect(a(1)).toBe(2);', 'expect(true).toBe(true);', ['removed']],
  ['it compares with itself', 'expect(a(1)).toBe(2);', 'expect(a(1)).toBe(a(1));', ['removed']],
  ['a comparison becomes truth', 'assert(a(1) === 2);', 'assert(a(1));', ['loosened']],
  ['a comparison accepts more', 'expect(a(1) === 2).toBe(true);', 'expect(a(1) >= 2).toBe(true);', ['loosened']],
  ['half of two demands goes', 'assert.ok(a(1) === 2 && b(1) > 3);', 'assert.ok(a(1) === 2);', ['removed']],
  ['a comparison is put as a matcher', 'assert(a(1) === 2);', 'assert.strictEqual(a(1), 2);', ['rewritten']],
  ['a bound in words', 'assert(a(1) > 90);', 'assert(a(1) > 10);', ['loosened']],
  ['it is not what it was not', 'assert(!(a(1) === 2));', 'assert(a(1) !== 2);', ['rewritten']],
  [
    'nobody waits for it',
    "await expect(a(1)).rejects.toThrow('no');",
    "expect(a(1)).rejects.toThrow('no');",
    ['loosened'],
  ],
  [
    'it is returned instead',
    "await expect(a(1)).rejects.toThrow('no');",
    "return expect(a(1)).rejects.toThrow('no');",
    ['rewritten'],
  ],
  ['the matcher is not called', 'expect(a(1)).toBe(2);', 'expect(a(1)).toBe;', ['removed']],
  ['it hangs on a short circuit', 'expect(a(1)).toBe(2);', 'process.env.SLOW && expect(a(1)).toBe(2);', ['loosened']],
  ['it ends early', 'expect(a(1)).toBe(2);', 'if (process.env.CI) return;\n  expect(a(1)).toBe(2);', ['loosened']],
  [
    'another assertion twice',
    'expect(a(1)).toBe(2);\n  expect(b(1)).toBe(3);',
    'expect(a(1)).toBe(2);\n  expect(a(1)).toBe(2);',
    ['removed'],
  ],
  [
    'a table of cases in a loop',
    'expect(a(1)).toBe(2);',
    'for (const [one, two] of [[1, 2], [2, 3]]) expect(a(one)).toBe(two);',
    ['rewritten'],
  ],
  ['another value is expected', 'expect(a(1)).toBe(2);', 'expect(a(1)).toBe(3);', ['expected']],
  [
    'only the layout changes',
    "expect(a('x')).toEqual({ b: 1, c: 2 });",
    'expect(a("x")).toEqual({\n  b: 1,\n  c: 2,\n});',
    [],
  ],
  ['assert: a matcher accepts more', 'assert.strictEqual(a(1), 2);', 'assert.ok(a(1));', ['loosened']],
  ['chai: a property', 'expect(a(1)).to.be.true;', 'expect(a(1)).to.exist;', ['loosened']],
  [
    'an assertion is put in another way',
    'expect(a(1)).toBe(2);',
    'expect([a(1), a(2)]).toEqual([2, 3]);',
    ['rewritten'],
  ],
])('%s', async (_, before, after, kinds) => {
  expect(await kindsOf(wrapped(before), wrapped(after))).toEqual(kinds);
});

test('the object that AVA and tap hand to a test asserts', async () => {
  const before = "test('adds', (t) => { t.plan(1); t.is(a(1), 2); });";
  expect(await kindsOf(before, "test('adds', (t) => { t.plan(1); t.truthy(a(1)); });")).toEqual(['loosened']);
  expect(await kindsOf(before, "test('adds', (t) => { t.plan(1); });")).toEqual(['removed']);
});

test.each([
  ["import { strictEqual, ok } from 'node:assert';", 'strictEqual(a(1), 2);', 'ok(a(1));'],
  ["import { equal as eq, ok } from 'uvu/assert';", 'eq(a(1), 2);', 'ok(a(1));'],
  ["import * as is from 'uvu/assert';", 'is.equal(a(1), 2);', 'is.ok(a(1));'],
  ["import { deepStrictEqual, ok } from '@std/assert';", 'deepStrictEqual(a(1), 2);', 'ok(a(1));'],
  ["const { deepEqual, ok } = require('assert/strict');", 'deepEqual(a(1), 2);', 'ok(a(1));'],
  ["const eq = require('assert').strictEqual, { ok } = require('assert');", 'eq(a(1), 2);', 'ok(a(1));'],
  ["import t from 'tap';", 't.equal(a(1), 2);', 't.ok(a(1));'],
])('an assertion by the name that its import gives it: %s', async (imported, exact, weak) => {
  const text = (body: string) => `${imported}\n${wrapped(`${exact}\n  ${body}`)}`;
  const other = exact.replace('1', '7');
  expect(await kindsOf(text(other), text(weak.replace('1', '7')))).toEqual(['loosened']);
  expect(await kindsOf(text(other), text('a(7);'))).toEqual(['removed']);
  expect(await kindsOf(text(other), text(other))).toEqual([]);
});

test('a helper of the file that asserts is an assertion, as long as it does', async () => {
  const helpers = 'const close = (one, two) => Math.abs(one - two) < 1;\nfunction same(one, two) { both(one, two); }\n';
  const text = (both: string, body: string) => `${helpers}function both(one, two) { ${both} }\n${wrapped(body)}`;
  const asserts = 'expect(one).toEqual(two);';
  const before = text(asserts, 'same(a(1), 2);\n  close(a(2), 3);');
  expect(await kindsOf(before, text(asserts, 'close(a(2), 3);'))).toEqual(['removed']);
  expect(await kindsOf(before, text(asserts, 'same(a(1), 2);'))).toEqual(['rewritten']);
  expect(new Set(await kindsOf(before, text('', 'same(a(1), 2);\n  close(a(2), 3);')))).toEqual(
    new Set(['removed', 'rewritten']),
  );
});

test('an assertion that another import makes a weaker one is loosened', async () => {
  const text = (name: string) => `import { ${name} as same } from 'node:assert';\n${wrapped('same(a(1), 2);')}`;
  expect(await kindsOf(text('strictEqual'), text('ok'))).toEqual(['loosened']);
});

test.each([
  ['test.js', "import test from 'ava';\n"],
  ['packages/a/test.ts', "import { suite } from 'uvu';\n"],
  ['tests.js', "const assert = require('assert');\ndescribe('all', () => {});\n"],
])('a test that its path does not show is one by what it holds: %s', async (path, beginning) => {
  const text = (body: string) => `${beginning}${wrapped(body)}`;
  const edit = { path, before: text('expect(a(1)).toBe(2);'), after: text('expect(a(1)).toBeDefined();') };
  expect((await changesOf([edit])).kinds).toEqual(['loosened']);
});

test('no edit makes a test of code, and a subcommand called test is none', async () => {
  const code = "export function test(name) { return name === 'all'; }\n";
  const weaker = `${code}import 'vitest';\n`;
  expect((await changesOf([{ path: 'src/test.js', before: code, after: weaker }])).kinds).toEqual([]);
  expect(isTestEdit({ path: 'src/test.js', before: code, after: weaker })).toBe(false);
  expect(isTestEdit({ path: 'test.js', before: null, after: "test('adds', () => {});\n" })).toBe(true);
  expect(isTestEdit({ path: 'src/lib.rs', before: '#[cfg(test)]\nmod tests {}\n', after: '' })).toBe(false);
});

test('a test that goes, is skipped, or is passed over by another one is weakened', async () => {
  const one = "test('adds', () => { expect(a(1)).toBe(2); });\n";
  const two = "test('takes away', () => { expect(b(1)).toBe(0); });\n";
  expect(await kindsOf(one + two, one)).toEqual(['deleted']);
  expect(await kindsOf(one + two, null)).toEqual(['deleted', 'deleted']);
  expect(await kindsOf(one + two, one + two.replace('test(', `test${'.'}skip(`))).toEqual(['skipped']);
  expect(await kindsOf(one + two, one + two.replace('test(', `test${'.'}only(`))).toEqual(['skipped']);
  expect(await kindsOf(one, `describe${'.'}skip('all', () => { ${one} });`)).toEqual(['skipped']);
  expect(await kindsOf(one, one.replace('() => {', `(t) => { if (ci) t${'.'}skip();`))).toEqual(['skipped']);
  expect(await kindsOf(one, one.replace('() => {', `function () { this${'.'}skip();`))).toEqual(['skipped']);
  expect(await kindsOf(one, `if (process.env.SLOW) {\n${one}}\n`)).toEqual(['loosened', 'rewritten']);
});

test('fewer rows of a table are fewer tests', async () => {
  const table = (rows: string) => `test.each([${rows}])('adds %i', (n, sum) => { expect(a(n)).toBe(sum); });`;
  expect(await kindsOf(table('[1, 2], [2, 3]'), table('[1, 2]'))).toEqual(['removed']);
  expect(await kindsOf(table('[1, 2]'), table('[1, 2], [2, 3]'))).toEqual([]);
});

test('a test that moves to another file or gets another name is the same test', async () => {
  const body = 'const sum = a(1, 2, 3);\n  expect(sum).toBe(6);\n  expect(a()).toBe(0);';
  const moved = await changesOf([
    { path: 'test/a.test.ts', before: wrapped(body), after: null },
    { path: 'test/b.test.ts', before: null, after: wrapped(body).replace("'adds'", "'adds numbers'") },
  ]);
  expect(moved.kinds).toEqual([]);
  expect(moved.added).toBe(0);
  const renamed = await changesOf(
    [
      { path: 'test/a.test.ts', before: 'expect(a(1)).toBe(2);', after: null },
      { path: 'test/b.test.ts', before: null, after: 'expect(a(1)).toBe(2);' },
    ],
    [{ from: 'test/a.test.ts', to: 'test/b.test.ts' }],
  );
  expect(renamed.kinds).toEqual([]);
});

test('a test that goes together with what it tests is told, and weakens nothing', async () => {
  const edits: FileEdit[] = [
    {
      path: 'src/a.ts',
      before: 'export function oldest() {}\nexport function a() {}\n',
      after: 'export function a() {}\n',
    },
    {
      path: 'test/a.test.ts',
      before: "test('a', () => { expect(a()).toBe(1); });\ntest('b', () => { expect(oldest()).toBe(1); });",
      after: "test('a', () => { expect(a()).toBe(1); });",
    },
  ];
  expect((await changesOf(edits)).kinds).toEqual(['gone']);
});

test('asking only for the type of a value is less than asking for the value', async () => {
  const old = "test('a', () => { assert.strictEqual(ctx.fresh, true); });";
  for (const [subject, expected] of [
    ['typeof ctx.fresh', "'boolean'"],
    ['!!ctx.fresh', 'true'],
    ['ctx.fresh !== undefined', 'true'],
  ])
    expect(await kindsOf(old, old.replace('ctx.fresh, true', `${subject}, ${expected}`))).toEqual(['loosened']);
  expect(await kindsOf(old, old.replace('ctx.fresh', 'ctx.stale'))).toEqual(['rewritten']);
});

test('a renamed local variable takes no test with it', async () => {
  const code = (name: string) => `export function a() {\n  const ${name} = 1;\n  return ${name};\n}\n`;
  const changedCode = { path: 'src/a.ts', before: code('result'), after: code('sum') };
  for (const body of ['const result = a(); expect(result).toBe(1);', 'expect(a().result).toBe(1);']) {
    const deleted = { path: 'test/a.test.ts', before: `test('a', () => { ${body} });`, after: null };
    expect((await changesOf([changedCode, deleted])).kinds).toEqual(['deleted']);
  }
});

test('new tests are counted, and weaken nothing', async () => {
  const one = "test('adds', () => { expect(a(1)).toBe(2); });\n";
  const { kinds, added } = await changesOf([
    { path: 'test/a.test.ts', before: one, after: `${one}test('more', () => { expect(a(2)).toBe(3); });` },
    { path: 'test/b.test.ts', before: null, after: one.replace('adds', 'others') },
  ]);
  expect([kinds, added]).toEqual([[], 2]);
});

test.each([
  [
    'package.json',
    '{"jest": {"coverageThreshold": {"global": {"branches": 90}}}}',
    '{"jest": {"coverageThreshold": {"global": {"branches": 70}}}}',
  ],
  [
    'package.json',
    '{"scripts": {"lint": "eslint --max-warnings 0"}}',
    '{"scripts": {"lint": "eslint --max-warnings 50"}}',
  ],
  ['.nycrc', '{"check-coverage": true, "lines": 95}', '{"lines": 95}'],
  [
    'vitest.config.ts',
    'export default { test: { coverage: { thresholds: { lines: 80 } } } }',
    'export default { test: { coverage: {} } }',
  ],
  ['pyproject.toml', '[tool.coverage.report]\nfail_under = 90\n', '[tool.coverage.report]\nfail_under = 60\n'],
  ['test/a.test.ts', "it('a', f);", "it('a', { retry: 3 }, f);"],
])('a limit in %s is lowered', async (path, before, after) => {
  const { kinds } = await changesOf([{ path, before, after }]);
  expect(kinds).toContain('threshold');
  expect((await changesOf([{ path, before: after, after: before }])).kinds).not.toContain('threshold');
});

test('an option of the tested code that is called as those of a runner is no limit', async () => {
  const after =
    "it('a', async () => {\n  await fetch('', { retry: 3, retryDelay: 1 });\n});\nit('b', () => {\n  call(retry(2));\n});\n";
  expect((await changesOf([{ path: 'test/a.test.ts', before: "it('a', f);\n", after }])).kinds).not.toContain(
    'threshold',
  );
});

test('a version of a package is no limit', async () => {
  const text = (version: string) => JSON.stringify({ devDependencies: { all: version, lines: version } });
  expect((await changesOf([{ path: 'package.json', before: text('9.0.0'), after: text('8.0.0') }])).kinds).toEqual([]);
});

test.each([
  ['spec/a_spec.rb', [['skipped', '0 skipped tests', '1 skipped tests']]],
  // Skips of Python are found one by one.
  ['tests/test_a.py', []],
])('tests of other languages are counted: %s', async (path, skipped) => {
  const counts = { before: { cases: 3, skipped: 0, assertions: 5 }, after: { cases: 2, skipped: 1, assertions: 4 } };
  const { changes } = await findTestChanges([{ path, before: 'before', after: 'after' }], [], {
    testCases: async () => [],
    inventory: async (_, text) => ({ tests: counts[text as 'before' | 'after'], anyTypes: [] }),
  });
  const counted = changes.filter(({ kind }) => kind !== 'rewritten');
  expect(counted.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ['deleted', '3 tests', '2 tests'],
    ...skipped,
    ['removed', '5 assertions', '4 assertions'],
  ]);
});
