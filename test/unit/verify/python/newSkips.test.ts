// Which Python tests that were there are skipped by a change, and which skips are only of new tests.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../../server/src/core/model.ts';
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
  ['a mark on its class', BEFORE.replace('class', '@unittest.skip("slow")\nclass'), 4],
  ['a hook', BEFORE.replace('    def test', '    def setUp(self):\n        self.skipTest("x")\n\n    def test'), 5],
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
