import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { countTestChecks } from '../../../server/src/core/analysis/script/testChecks.ts';

const checks = (text: string) => countTestChecks(ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true));

test.each([
  ["test('a', t => { t.is(add(1, 2), sum); })", 1, 1],
  ["test('a', async t => { await t.throwsAsync(() => run()); t.deepEqual(a, b); })", 1, 2],
  ["test('a', t => { t.true(isOdd(n)); t.pass(); t.plan(2); t.log(n); })", 1, 1],
  ["tap.test('a', (t) => { t.same(a, b); t.end(); })", 1, 1],
  ["const helper = (t, value) => t.truthy(value); test('a', t => { helper(t, 1); })", 1, 1],
  ["suite.test('a', () => { assert.equal(a, b); })", 1, 1],
  ["import { strictEqual } from 'node:assert'; test('a', () => { strictEqual(a, b); strictEqual(a, c); })", 1, 2],
  ["suite.test('a', (done) => { client.query(text, done); })", 1, 0],
  ["test('a', () => agent.get('/').expect(200).expect('Content-Type', /html/))", 1, 1],
  ["test('a', () => agent.get('/'))", 1, 0],
  ["test('a', () => { expect(1).toBe(1); chai.expect(1).to.equal(1); })", 1, 0],
])('%s', (text, cases, assertions) => {
  expect(checks(text)).toEqual({ cases, skipped: 0, assertions });
});

test('what is called like an assertion of a context, and is none', () => {
  // A pattern is given no function, and this object is no parameter.
  expect(checks('const found = pattern.test(text); const same = Object.is(a, b); list.match(x);')).toBeNull();
  expect(checks("test('a', t => { other.is(a, b); t.is(1, 1); })")).toEqual({ cases: 1, skipped: 0, assertions: 0 });
});
