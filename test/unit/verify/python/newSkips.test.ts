// Which Python tests that were there are skipped by a change, and which skips are only of new tests.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../../server/src/core/model.ts';
import { describeWeakenedTest } from '../../../../server/src/core/verify/judge/judgementTexts.ts';
import { findTestChanges } from '../../../../server/src/core/verify/judge/testChanges.ts';

async function skipsOf(edits: readonly FileEdit[]) {
  // The reader counts skipped tests by words, as it does for other languages.
  const reader = {
    inventory: async (_: string, text: string) => ({
      tests: { cases: 1, skipped: text.split('skip').length, assertions: 1 },
      anyTypes: [],
    }),
    testCases: async () => [],
  };
  const { changes } = await findTestChanges(edits, [], reader);
  return changes.filter(({ kind }) => kind === 'skipped').map(({ test: name, line, now }) => [name, line, now?.line]);
}

const skips = (before: string, after: string) => skipsOf([{ path: 'test_schedule.py', before, after }]);
const BEFORE = `import unittest


class Schedules(unittest.TestCase):
    def test_day(self):
        self.assertEqual(day(), 1)
`;

test.each([
  ['a mark on the test', BEFORE.replace('    def test', '    @unittest.skip("slow")\n    def test'), 5],
  ['a condition on the test', BEFORE.replace('    def test', '    @unittest.skipIf(OLD, "x")\n    def test'), 5],
  ['a call in the test', BEFORE.replace('        self.', '        self.skipTest("x")\n        self.'), 6],
  ['a call of an imported function', BEFORE.replace('        self.', '        skip("x")\n        self.'), 6],
  ['a mark on its class', BEFORE.replace('class', '@unittest.skip("slow")\nclass'), 4],
  ['a hook', BEFORE.replace('    def test', '    def setUp(self):\n        self.skipTest("x")\n\n    def test'), 6],
  ['a mark for the file', BEFORE.replace('\nclass', 'pytestmark = pytest.mark.skip\n\nclass'), 3],
  [
    'a helper that it uses now',
    BEFORE.replace('\nclass', 'slow = unittest.skipIf(OLD, "x")\n\nclass').replace('    def', '    @slow\n    def'),
    3,
  ],
])('%s skips a test that was there', async (_name, after, line) => {
  expect(await skips(BEFORE, after)).toEqual([['Schedules › test_day', 5, line]]);
  expect(await skips(after, BEFORE)).toEqual([]);
});

test('a new test that skips, and a helper that only new tests use, weaken nothing', async () => {
  const helper = '    def need_pytz(self):\n        self.skipTest("no pytz")\n\n';
  const added = '\n    def test_zone(self):\n        self.need_pytz()\n        self.skipTest("x")\n';
  expect(await skips(BEFORE, BEFORE.replace('    def test_day', `${helper}    def test_day`) + added)).toEqual([]);
  expect(await skips(BEFORE, `${BEFORE}\n\n@unittest.skip("x")\nclass More(unittest.TestCase):${added}`)).toEqual([]);
});

test('a module that may be missing skips all tests of the file', async () => {
  const after = `np = pytest.importorskip("numpy")\n\n${BEFORE}`;
  expect(await skips(BEFORE, after)).toEqual([['Schedules › test_day', 5, 1]]);
  expect(await skips(after, after.replace('numpy', 'scipy'))).toEqual([['Schedules › test_day', 7, 1]]);
  expect(await skipsOf([{ path: 'conftest.py', before: 'import os\n', after: after.split('class')[0]! }])).toEqual([
    ['', null, 1],
  ]);
});

test('a method that an old test calls skips it', async () => {
  const before = BEFORE.replace('    def', '    def need(self):\n        start()\n\n    def').replace(
    'day()',
    'self.need()',
  );
  const after = before.replace('start()', 'self.skipTest("x")');
  expect(await skips(before, after)).toEqual([['Schedules › test_day', 8, 6]]);
});

test('a test that moves to another file and is skipped there is skipped', async () => {
  const after = BEFORE.replace('    def test', '    @unittest.skip("slow")\n    def test');
  const edits = [
    { path: 'test_a.py', before: BEFORE, after: null },
    { path: 'test_b.py', before: null, after },
  ];
  expect(await skipsOf(edits)).toEqual([['Schedules › test_day', 5, 5]]);
});

test('skipping a row of the tested data is no skipped test', async () => {
  expect(await skips(BEFORE, BEFORE.replace('day()', 'cursor.skip(1)'))).toEqual([]);
});

const TOTAL = 'def test_total():\n    order = read("a")\n    assert total(order) == 3\n';
const renamed = (mark: string, text = TOTAL) => mark + text.replace('test_total', 'test_sum');

test.each([
  ['by a mark', renamed('@pytest.mark.skip\n'), 1],
  ['by a call', renamed('').replace('    order', '    pytest.skip("later")\n    order'), 2],
  ['on a condition', renamed('').replace('    order', '    if OLD:\n        pytest.skip("x")\n    order'), 3],
  ['while it changes', renamed('@pytest.mark.skip\n').replace('== 3', '== 4'), 1],
  ['while it is written again', '@pytest.mark.skip\ndef test_sum():\n    check()\n', 1],
])('a test that is renamed and skipped %s is skipped', async (_name, after, line) => {
  expect(await skips(TOTAL, after)).toEqual([['test_total', 1, line]]);
  const moved = [
    { path: 'test_a.py', before: TOTAL, after: null },
    { path: 'test_b.py', before: null, after },
  ];
  expect(await skipsOf(moved)).toEqual([['test_total', 1, line]]);
});

test('a skipped test in place of one whose code is gone, or that was skipped, weakens nothing', async () => {
  const other = '@pytest.mark.skip\ndef test_other():\n    check()\n';
  const code = { path: 'order.py', before: 'def total(order):\n    return 3\n', after: 'x = 1\n' };
  expect(await skipsOf([code, { path: 'test_a.py', before: TOTAL, after: other }])).toEqual([]);
  expect(await skips(`@pytest.mark.skip\n${TOTAL}`, other)).toEqual([]);
  expect(await skips(TOTAL, TOTAL + other)).toEqual([]);
});

test('a renamed test that stays as it was takes no mark of a new test', async () => {
  expect(await skips(TOTAL, `${renamed('@pytest.mark.skip\n').replace('test_sum', 'test_new')}\n\n${TOTAL}`)).toEqual(
    [],
  );
});

const table = (rows: string, head = '') =>
  `${head}@pytest.mark.parametrize("x", [${rows}])\ndef test_day(x):\n    assert day(x) == 1\n`;

test.each([
  [
    'all old rows, and one is added',
    '1, 2',
    'param(1, marks=pytest.mark.skip), param(2, marks=pytest.mark.skip), 3',
    1,
  ],
  ['one old row', '1, 2', '1, pytest.param(2, marks=[pytest.mark.xfail(reason="x")])', 1],
  ['a row of several values', '(1, 2), (3, 4)', 'pytest.param(1, 2, marks=pytest.mark.skip), (3, 4), (5, 6)', 1],
  ['a row with a title', 'param(1, id="a")', 'param(1, id="b", marks=pytest.mark.skip), 2', 1],
  ['a row on all systems', 'param(1, marks=pytest.mark.skipif(WIN))', 'param(1, marks=pytest.mark.skip), 2', 1],
  ['a row whose value changes', '1, 2', '1, param(2.0, marks=pytest.mark.skip), 3', 1],
])('marks of rows skip %s', async (_name, before, after, line) => {
  expect(await skips(table(before), table(after))).toEqual([['test_day', 1, line]]);
});

test('marks of rows skip old rows by a helper or in a table with a name', async () => {
  const head = 'slow = pytest.mark.skip\n\n';
  expect(await skips(table('1', head), table('param(1, marks=slow), 2', head))).toEqual([['test_day', 3, 3]]);
  const named = (rows: string) => `ROWS = [${rows}]\n\n${table('').replace('[]', 'ROWS')}`;
  expect(await skips(named('1, 2'), named('param(1, marks=pytest.mark.skip), 2, 3'))).toEqual([['test_day', 3, 3]]);
  expect(await skips(named('1, 2'), named('1, 2, param(3, marks=pytest.mark.skip)'))).toEqual([]);
});

test('marks of new rows weaken nothing', async () => {
  const head = 'slow = pytest.mark.skip\n\n';
  expect(await skips(table('1, 2'), table('1, 2, param(3, marks=pytest.mark.skip)'))).toEqual([]);
  expect(await skips(table('1, 2', head), table('1, 2, param(3, marks=slow)', head))).toEqual([]);
  expect(await skips(table('1, 2'), table('1, 2, param(3, marks=slow)', head))).toEqual([]);
  const marked = 'param(1, marks=pytest.mark.skip(reason="x"))';
  expect(await skips(table(marked), table(`${marked.replace('"x"', '"y"')}, 2`))).toEqual([]);
});

const marked = (mark: string) => `${mark}\n${TOTAL}`;

test('a skip on other conditions is a change, another reason is none', async () => {
  const conditional = marked('@pytest.mark.skipif(sys.platform == "win32", reason="x")');
  expect(await skips(conditional, marked('@pytest.mark.skip'))).toEqual([['test_total', 1, 1]]);
  expect(await skips(conditional, conditional.replace('win32', 'linux'))).toEqual([['test_total', 1, 1]]);
  expect(await skips(conditional, conditional.replace('"x"', '"y"'))).toEqual([]);
  expect(await skips(conditional, conditional.replace('"x"', '"y" "z"'))).toEqual([]);
  expect(await skips(marked('@pytest.mark.skip'), conditional)).toEqual([]);
  expect(await skips(marked('@pytest.mark.skip'), marked('@pytest.mark.skip(reason="x")'))).toEqual([]);
});

test('a string in a condition is no reason', async () => {
  const mark = marked('@pytest.mark.skipif(has(os.environ, "CI"))');
  expect(await skips(mark, mark.replace('"CI"', '"PATH"'))).toEqual([['test_total', 1, 1]]);
});

test('a condition around a skip that goes skips more', async () => {
  const guarded = TOTAL.replace('    order', '    if OLD:\n        pytest.skip("x")\n    order');
  const bare = TOTAL.replace('    order', '    pytest.skip("x")\n    order');
  expect(await skips(guarded, bare)).toEqual([['test_total', 1, 2]]);
  expect(await skips(bare, guarded)).toEqual([]);
});

const HELPERS =
  'import pytest\n\n\n@pytest.fixture(autouse=True)\ndef ready():\n    start()\n\n\ndef need():\n    start()\n';

test.each([
  ['an autouse fixture', HELPERS.replace('ready():', 'ready():\n    pytest.skip()'), 6],
  [
    'a hook',
    `${HELPERS}\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n` +
      '        item.add_marker(pytest.mark.skip(reason="later"))\n',
    15,
  ],
  [
    'a hook that names the mark',
    `${HELPERS}\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker("skip")\n`,
    15,
  ],
  ['what was declared', HELPERS.replace('need():', 'need():\n    pytest.skip()'), 10],
  [
    'what the declared uses',
    HELPERS.replace('need():', 'need():\n    more()').concat('\n\ndef more():\n    pytest.skip()\n'),
    15,
  ],
])('a skip in a file without tests counts: %s', async (_name, after, line) => {
  for (const path of ['conftest.py', 'tests/conftest.py', 'tests/helpers.py']) {
    expect(await skipsOf([{ path, before: HELPERS, after }])).toEqual([['', null, line]]);
    expect(await skipsOf([{ path, before: after, after: HELPERS }])).toEqual([]);
  }
  const isHook = line !== 10 && !after.includes('more');
  expect(await skipsOf([{ path: 'tests/conftest.py', before: null, after }])).toEqual(isHook ? [['', null, line]] : []);
});

test('a new helper counts if a test that was there uses it', async () => {
  const after = `${HELPERS}\n\nslow = pytest.mark.skip\n`;
  const helpers = { path: 'tests/helpers.py', before: HELPERS, after };
  const own = (text: string) => ({ path: 'tests/test_a.py', before: TOTAL, after: text });
  expect(await skipsOf([helpers])).toEqual([]);
  expect(await skipsOf([helpers, own(`${TOTAL}\n\n${renamed('@slow\n').replace('order', 'other')}`)])).toEqual([]);
  expect(await skipsOf([helpers, own(`@slow\n${TOTAL}`)])).toEqual([['', null, 13]]);
  expect(await skipsOf([{ ...helpers, before: null }, own(`@slow\n${TOTAL}`)])).toEqual([['', null, 13]]);
});

test('a hook that moves to another file weakens nothing', async () => {
  const after = HELPERS.replace('ready():', 'ready():\n    pytest.skip()');
  const edits = [
    { path: 'tests/conftest.py', before: after, after: 'import pytest\n' },
    { path: 'conftest.py', before: null, after },
  ];
  expect(await skipsOf(edits)).toEqual([]);
});

test('a skip that is new in a file has its new line', () => {
  const place = { kind: 'skipped', path: 'conftest.py', line: null, now: { path: 'conftest.py', line: 6 } } as const;
  expect(describeWeakenedTest({ ...place, test: '' })).toBe('skipped in conftest.py:6');
  expect(describeWeakenedTest({ ...place, line: 4, test: 'test_day' })).toBe('skipped in conftest.py:4 (test_day)');
});
