// Which added lines of Go tests only compare results of calls.

import { expect, test } from 'vitest';
import { onlyAddsGoCases } from '../../../server/src/core/verify/claims/addedGoCases.ts';

const BEFORE =
  'package shop\n\nimport (\n\t"testing"\n)\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n';
const RESULTS = `
// TestParseResults records what Parse returns now.
func TestParseResults(t *testing.T) {
	value, err := NewPrice("1 // 2")
	if err != nil {
		t.Fatal(err)
	}
	if got := value.Cut([]string{"a", "b"}); !reflect.DeepEqual(got, []string{"a"}) {
		t.Errorf(\`value.Cut([]string{"a; go run()", "b"}) = %q; want []string{"a"}\`, got)
	}
	if got, err := Parse("for"); err != nil || got != 3 {
		t.Errorf(\`Parse("for") = %v, %v; want 3, nil\`, got, err)
	}
	if _, err := Parse(""); err == nil {
		t.Error(\`Parse("") returned no error\`)
	}
}
`;
const added = (after: string, path = 'shop/price_test.go', before: string | null = BEFORE) =>
  onlyAddsGoCases([{ path, before, after }]);

test('functions that compare, and their imports', () => {
  expect(added(BEFORE + RESULTS)).toBe(true);
  expect(added(BEFORE.replace('\t"testing"', '\t"reflect"\n\t"testing"') + RESULTS)).toBe(true);
  expect(added(`package shop\n\nimport "testing"\n${RESULTS}`, 'shop/new_test.go', null)).toBe(true);
});

test('a file that begins with a licence in a comment, and has other ones', () => {
  const licence = '/*\n * You don\'t need "permission" // or `more.\n */\n';
  const commented = licence + BEFORE.replace('Sum(1, 2)', 'Sum(1 /* "one */, 2)');
  expect(added(commented + RESULTS, 'shop/price_test.go', commented)).toBe(true);
  expect(added(`${commented}\n/*\nx*/ func init() {\n}\n`, 'shop/price_test.go', commented)).toBe(false);
  expect(added(commented + RESULTS.replace('Fatal(err)', 'Fatal(/* os */ err)'), 'a_test.go', commented)).toBe(false);
});

test.each([
  ['another import', BEFORE.replace('\t"testing"', '\t"os"\n\t"testing"') + RESULTS],
  ['a line that is gone', BEFORE.replace('!= 3', '!= 4') + RESULTS],
  ['a start of all tests', `${BEFORE}\nfunc TestMain(m *testing.M) {\n}\n`],
  ['a function at the start', `${BEFORE}\nfunc init() {\n}\n`],
  ['an assignment', `${BEFORE}\nfunc TestX(t *testing.T) {\n\tLimit = 3\n}\n`],
  ['a goroutine', `${BEFORE}\nfunc TestX(t *testing.T) {\n\tgo Run()\n}\n`],
  ['a call alone', `${BEFORE}\nfunc TestX(t *testing.T) {\n\tRemoveAll("/")\n}\n`],
  [
    'two statements on a line',
    `${BEFORE}\nfunc TestX(t *testing.T) {\n\tif got := Sum(1); got != 1 { Remove(); t.Fail() }\n}\n`,
  ],
  [
    'a function as an argument',
    `${BEFORE}\nfunc TestX(t *testing.T) {\n\tif got := Each(func() int { return 1 }); got != 1 {\n\t}\n}\n`,
  ],
  ['a test that is skipped', `${BEFORE}\nfunc TestX(t *testing.T) {\n\tt.Skip()\n}\n`],
  ['a variable', `${BEFORE}\nvar _ = Register()\n`],
])('%s is more', (_, after) => {
  expect(added(after)).toBe(false);
});

const inOld = (from: string, to: string) => BEFORE.replace(from, to);

test.each([
  ['a condition for the build', `//go:build ignore\n\n${BEFORE}${RESULTS}`],
  ['an older condition for the build', `// +build ignore\n\n${BEFORE}${RESULTS}`],
  ['a command of the tools', `${BEFORE}\n//go:generate rm -rf x\n${RESULTS}`],
  ['another place', `${BEFORE}\n//line other.go:1\n${RESULTS}`],
  ['an old check in a block', inOld('\t\tt.Fail()', '\tif err != nil {\n\t\tt.Fail()\n\t}')],
  ['a test that begins within an old one', inOld('\tif Sum', '}\n\nfunc TestNew(t *testing.T) {\n\tif Sum')],
  ['the end of a comment', `${BEFORE}\n/*\n*/\n`.replace('/*\n', `/*\n"*/ import _ "os" /*"\n`)],
  [
    'a text over several lines',
    `${BEFORE}\nfunc TestX(t *testing.T) {\n\tif got := Sum(\`"\`, Run(), \`\n\`); got != 1 {\n\t}\n}\n`,
  ],
  ['what the arguments assign', `${BEFORE}\nfunc TestX(t *testing.T) {\n\tif got := Sum(<-c); got != 1 {\n\t}\n}\n`],
])('%s hides nothing', (_, after) => {
  expect(added(after)).toBe(false);
});

test('a comment that an old file opens holds no tests', () => {
  const before = `${BEFORE}\n/*\n*/\n`;
  const after = `${BEFORE}\n/*\n"*/\nfunc TestMain(m *testing.M) {}\n/*"\n*/\n`;
  expect(added(after, 'shop/price_test.go', before)).toBe(false);
});

test('only Go test files count', () => {
  expect(added(BEFORE + RESULTS, 'shop/price.go')).toBe(false);
  expect(onlyAddsGoCases([])).toBe(false);
});
