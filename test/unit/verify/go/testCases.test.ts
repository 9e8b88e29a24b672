// What becomes of tests of Go that were there: which changes weaken them, and which only change them.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../../server/src/core/model.ts';
import { readGoTestCases } from '../../../../server/src/core/verify/judge/go/testCases.ts';
import { findTestChanges } from '../../../../server/src/core/verify/judge/testChanges.ts';
import { parser } from '../../index/support.ts';

const kindsOf = (before: string, after: string | null) => kindsIn([{ path: 'a_test.go', before, after }]);

async function kindsIn(edits: readonly FileEdit[]): Promise<readonly string[]> {
  const { changes } = await findTestChanges(edits, [], {
    inventory: async () => null,
    testCases: async (files) =>
      (await Promise.all(files.map(({ path, text }) => readGoTestCases(parser, path, text)))).flat(),
  });
  return changes.map(({ kind }) => kind);
}

const wrapped = (body: string) => `package a\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\t${body}\n}\n`;

const compare = 'if got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}';

test.each([
  ['an assertion goes', `${compare}\n\tif Add(2, 2) != 4 { t.Fatal() }`, compare, ['removed']],
  ['nothing fails any more', compare, 'if got := Add(1, 2); got != 3 {\n\t\tt.Logf("got %d", got)\n\t}', ['removed']],
  ['it is skipped', compare, `t.Skip("flaky")\n\t${compare}`, ['skipped']],
  ['it is skipped on a condition', compare, `if testing.Short() {\n\t\tt.SkipNow()\n\t}\n\t${compare}`, ['skipped']],
  ['its skip loses the condition', `if slow {\n\t\tt.Skip()\n\t}\n\t${compare}`, `t.Skip()\n\t${compare}`, ['skipped']],
  [
    'its skip gets a condition that always holds',
    `if slow {\n\t\tt.Skip()\n\t}\n\t${compare}`,
    `if true {\n\t\tt.Skip()\n\t}\n\t${compare}`,
    ['skipped'],
  ],
  ['it ends before', compare, `runtime.Goexit()\n\t${compare}`, ['removed']],
  ['it fails only if more holds', compare, compare.replace('got != 3', 'got != 3 && ok'), ['loosened']],
  ['the more stands before', compare, compare.replace('got != 3', 'ok && got != 3'), ['loosened']],
  ['less has to hold', compare.replace('got != 3', 'got != 3 && ok'), compare, ['rewritten']],
  ['it hangs on a condition', compare, `if ok {\n\t\t${compare}\n\t}`, ['loosened']],
  ['it is not reached', compare, `return\n\t${compare}`, ['removed']],
  [
    'it says what it is not',
    compare,
    'if got := Add(1, 2); got == 4 {\n\t\tt.Errorf("got %d", got)\n\t}',
    ['loosened'],
  ],
  ['another value is expected', compare, compare.replace('!= 3', '!= 4'), ['expected']],
  ['other words only', compare, compare.replace('"got %d"', '"Add: %d"'), ['rewritten']],
  ['another way to fail', compare, compare.replace('Errorf', 'Fatalf'), ['rewritten']],
  ['the same by testify', 'assert.Equal(t, 3, Add(1, 2))', 'require.Equal(t, 3, Add(1, 2))', ['rewritten']],
  ['testify accepts more', 'assert.Equal(t, 3, Add(1, 2))', 'assert.NotNil(t, Add(1, 2))', ['loosened']],
  ['testify expects another value', 'assert.Equal(t, 3, Add(1, 2))', 'assert.Equal(t, 4, Add(1, 2))', ['expected']],
  [
    'an error is no longer looked at',
    'require.NoError(t, Run())\n\tassert.True(t, ok)',
    'assert.True(t, ok)',
    ['removed'],
  ],
  ['it compares with itself', 'assert.Equal(t, 3, Add(1, 2))', 'assert.Equal(t, Add(1, 2), Add(1, 2))', ['removed']],
  ['it says nothing of the code', compare, 'if 1 != 1 {\n\t\tt.Fatal()\n\t}', ['removed']],
  ['a helper is no longer called', 'check(t, Add(1, 2), 3)', 'Add(1, 2)', ['removed']],
  ['a limit is raised', 'if Size() > 10 { t.Fatal() }', 'if Size() > 100 { t.Fatal() }', ['loosened']],
  ['a tolerance grows', 'assert.InDelta(t, 1.5, F(), 0.1)', 'assert.InDelta(t, 1.5, F(), 2.0)', ['loosened']],
  [
    'a subtest goes',
    `t.Run("a", func(t *testing.T) { ${compare} })\n\tt.Run("b", func(t *testing.T) { check(t, 2) })`,
    `t.Run("a", func(t *testing.T) { ${compare} })`,
    ['deleted'],
  ],
  [
    'a row goes',
    'tests := []struct{ a, want int }{{1, 2}, {2, 3}}\n\tfor _, tt := range tests { if Add(tt.a, 1) != tt.want { t.Error(tt) } }',
    'tests := []struct{ a, want int }{{1, 2}}\n\tfor _, tt := range tests { if Add(tt.a, 1) != tt.want { t.Error(tt) } }',
    ['removed'],
  ],
  [
    'a row expects another value',
    'for _, tt := range []struct{ a, want int }{{1, 2}} { if Add(tt.a, 1) != tt.want { t.Error(tt) } }',
    'for _, tt := range []struct{ a, want int }{{1, 3}} { if Add(tt.a, 1) != tt.want { t.Error(tt) } }',
    ['expected'],
  ],
  ['a variable has another value', `want := 3\n\tcheck(t, want)`, `want := 4\n\tcheck(t, want)`, ['rewritten']],
])('%s', async (_name, before, after, kinds) => {
  expect(await kindsOf(wrapped(before), wrapped(after))).toEqual(kinds);
});

test('a removed test, file or output of an example is told', async () => {
  const one = wrapped(compare);
  expect(await kindsOf(`${one}\nfunc TestB(t *testing.T) { check(t) }\n`, one)).toEqual(['deleted']);
  expect(await kindsOf(one, null)).toEqual(['deleted']);
  const example = 'package a\n\nfunc ExampleAdd() {\n\tfmt.Println(Add(1, 2))\n\t// Output: 3\n}\n';
  expect(await kindsOf(example, example.replace('\t// Output: 3\n', ''))).toEqual(['removed']);
});

test('a change outside of the tests is told, and what is added is not', async () => {
  const one = wrapped(compare);
  const table = `${one}\nvar rows = []struct{ a, want int }{{1, 2}, {2, 3}}\n`;
  expect(await kindsOf(table, table.replace('{2, 3}', '{2, 4}'))).toEqual(['expected']);
  expect(await kindsOf(table, table.replace(', {2, 3}', ''))).toEqual(['removed']);
  const limit = `${one}\nconst limit = 3\n`;
  expect(await kindsOf(limit, limit.replace('3\n', '4\n'))).toEqual(['rewritten']);
  expect(await kindsOf(one, table.replace('import "testing"', 'import (\n"os"\n"testing"\n)'))).toEqual([]);
});

test('a helper demands through any parameter of the type of a test', async () => {
  const helper = (body: string) =>
    `package a\n\nfunc check(test testing.TB, got int) {\n\tif got != 3 {\n\t\t${body}\n\t}\n}\n`;
  expect(await kindsOf(helper('test.Fatal(got)'), helper('test.Log(got)'))).toEqual(['removed']);
});

test('a test that the runner no longer takes counts as skipped', async () => {
  const one = wrapped(compare);
  expect(await kindsOf(one, `//go:build never\n\n${one}`)).toEqual(['skipped']);
  expect(await kindsOf(`//go:build linux\n\n${one}`, one)).toEqual([]);
  expect(await kindsOf(one, one.replace('func TestAdd', 'func (s suite) TestAdd'))).toEqual(['skipped']);
  const moved: readonly FileEdit[] = [
    { path: 'a_test.go', before: one, after: null },
    { path: 'a_plan9_test.go', before: null, after: one },
  ];
  expect(await kindsIn(moved)).toEqual(['skipped']);
  const main = (body: string) => `${one}\nfunc TestMain(m *testing.M) {\n\t${body}\n}\n`;
  expect(await kindsOf(one, main('os.Exit(0)'))).toEqual(['skipped']);
  expect(await kindsOf(one, main('if ok {\n\t\tm.Run()\n\t}'))).toEqual(['skipped']);
  expect(await kindsOf(one, main('os.Exit(m.Run())'))).toEqual([]);
});

test('a new or a renamed test weakens nothing', async () => {
  const one = wrapped(compare);
  expect(await kindsOf(one, `${one}\nfunc TestB(t *testing.T) { check(t) }\n`)).toEqual([]);
  expect(await kindsOf(one, one.replace('TestAdd', 'TestSum'))).toEqual([]);
});

test('suites and checks of other libraries', async () => {
  const suite = (body: string) => `package a\n\nfunc (s *Suite) TestAdd() {\n\t${body}\n}\n`;
  expect(await kindsOf(suite('s.Equal(3, Add(1, 2))\n\ts.NoError(err)'), suite('s.NoError(err)'))).toEqual(['removed']);
  expect(await kindsOf(suite('s.Require().Equal(3, Add(1, 2))'), suite('s.Equal(3, Add(1, 2))'))).toEqual([
    'rewritten',
  ]);
  const check = (body: string) => `package a\n\nfunc (s *S) TestAdd(c *C) {\n\t${body}\n}\n`;
  expect(await kindsOf(check('c.Assert(Add(1), Equals, 2)'), check('c.Assert(Add(1), NotNil)'))).toEqual(['loosened']);
});
