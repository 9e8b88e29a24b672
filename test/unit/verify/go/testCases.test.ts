// What becomes of tests of Go that were there: which changes weaken them, and which only change them.

import { expect, test } from 'vitest';
import { goTestCases } from '../../../../server/src/core/verify/judge/go/testCases.ts';
import { testChangesIn } from '../../../../server/src/core/verify/judge/testChanges.ts';
import { parser } from '../../index/support.ts';

async function kindsOf(before: string, after: string | null): Promise<readonly string[]> {
  const { changes } = await testChangesIn([{ path: 'a_test.go', before, after }], [], {
    inventory: async () => null,
    testCases: async (files) =>
      (await Promise.all(files.map(({ path, text }) => goTestCases(parser, path, text)))).flat(),
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
  ['it hangs on a condition', compare, `if ok {\n\t\t${compare}\n\t}`, ['loosened']],
  ['it is not reached', compare, `return\n\t${compare}`, ['removed']],
  [
    'it says what it is not',
    compare,
    'if got := Add(1, 2); got == 4 {\n\t\tt.Errorf("got %d", got)\n\t}',
    ['loosened'],
  ],
  ['another value is expected', compare, compare.replace('!= 3', '!= 4'), ['expected']],
  ['other words only', compare, compare.replace('"got %d"', '"Add: %d"'), []],
  ['another way to fail', compare, compare.replace('Errorf', 'Fatalf'), []],
  ['the same by testify', 'assert.Equal(t, 3, Add(1, 2))', 'require.Equal(t, 3, Add(1, 2))', []],
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

test('a new or a renamed test weakens nothing', async () => {
  const one = wrapped(compare);
  expect(await kindsOf(one, `${one}\nfunc TestB(t *testing.T) { check(t) }\n`)).toEqual([]);
  expect(await kindsOf(one, one.replace('TestAdd', 'TestSum'))).toEqual([]);
});

test('suites and checks of other libraries', async () => {
  const suite = (body: string) => `package a\n\nfunc (s *Suite) TestAdd() {\n\t${body}\n}\n`;
  expect(await kindsOf(suite('s.Equal(3, Add(1, 2))\n\ts.NoError(err)'), suite('s.NoError(err)'))).toEqual(['removed']);
  expect(await kindsOf(suite('s.Require().Equal(3, Add(1, 2))'), suite('s.Equal(3, Add(1, 2))'))).toEqual([]);
  const check = (body: string) => `package a\n\nfunc (s *S) TestAdd(c *C) {\n\t${body}\n}\n`;
  expect(await kindsOf(check('c.Assert(Add(1), Equals, 2)'), check('c.Assert(Add(1), NotNil)'))).toEqual(['loosened']);
});
