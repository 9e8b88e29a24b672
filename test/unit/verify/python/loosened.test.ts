// Which assertions of Python tests newly demand less, and which edits are ordinary.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../../server/src/core/model.ts';
import { findTestChanges } from '../../../../server/src/core/verify/judge/testChanges.ts';

async function changesOf(edits: readonly FileEdit[], renamed: readonly { from: string; to: string }[] = []) {
  const reader = { inventory: async () => null, testCases: async () => [] };
  const { changes } = await findTestChanges(edits, renamed, reader);
  const weakened = changes.filter(({ kind }) => kind !== 'rewritten');
  return weakened.map(({ kind, line, before, after }) => [kind, line, before, after]);
}

const inPython = (before: string, after: string, path = 'tests/test_a.py') => changesOf([{ path, before, after }]);
const text = (line: string) => `class TestA:\n  def test_a(self):\n    # says == 1\n    ${line}\n`;
const loosened = (before: string, after: string) => [['loosened', 4, before, after]];

test.each([
  ['self.assertEqual(r, "a")', 'self.assertTrue(r)'],
  ['assert a(1) == 2', 'assert a(1)'],
  ['assert a(1) == 2', 'assert a(1) is not None'],
  ['assert a(1) == 2', 'assert a(1) != 3'],
  ['assert a(1) == 2', 'assert isinstance(a(1), int)'],
  ['assert 2 == a("b")', "assert a('b'), 'why'"],
  ['assert await a(1) == 2', 'assert await a(1)'],
  ['assert a(1) == 2 and b == 3', 'assert a(1) and b == 3'],
  ['assert x.y[0] == (2)', 'assert (x.y[0])'],
  ['self.assertEqual(a(1), 2)', 'self.assertIsNotNone(a(1))'],
  ['self.assertTrue(a(1) == 2)', 'self.assertTrue(a(1))'],
  ["self.assertRaisesRegex(E, 'no', a)", 'self.assertRaises(E, a)'],
  ["with self.assertRaisesRegex(E, 'no'): a()", 'with self.assertRaises(E): a()'],
  ['assert a(1) == 2', 'assert a(1) == 2 or True'],
  ['assert a(1) == 2', 'assert True or a(1)'],
  ['assert a([i for i in b]) == 2', 'assert a([i for i in b])'],
])('%s is more than %s', async (before, after) => {
  expect(await inPython(text(before), text(after))).toEqual(loosened(before, after));
  expect(await inPython(text(after), text(before))).toEqual([]);
});

test.each(['1 == 1', 'a(1) == a(1)', 'True', "'a' == 'a'"])('%s makes up for nothing', async (filler) => {
  const after = 'assert a(1)';
  expect(await inPython(text('assert a(1) == 2'), text(`${after}\n    assert ${filler}`))).toEqual(
    loosened('assert a(1) == 2', after),
  );
});

test.each([
  ['another value', 'assert a(1) == 2', 'assert a(1) == 3'],
  ['another style', 'self.assertEqual(a(1), 2)', 'assert a(1) == 2'],
  ['a helper of its own', 'self.assertEqual(a(1), 2)', 'self.assertPrice(a(1), 2)'],
  ['a function as helper', 'assert a(1) == 2', 'assert same(a(1), 2)'],
  ['a comparison in a text', 'assert a(1), "is == 1"', 'assert a(1), "is not"'],
  ['one more', 'assert a(1) == 2', 'assert a(1) == 2\n    assert a(2)'],
  ['several lines', 'assert a(1) == 2', 'assert a(\n        1,\n    ) == 2'],
  ['true', 'assert ok(2) == True', 'assert ok(2)'],
  ['false', 'assert ok(2) == False', 'assert not ok(2)'],
  ['true in unittest', 'self.assertEqual(x, True)', 'self.assertTrue(x)'],
  ['a truth value that is computed', 'assert a(1) == (b > 2)', 'assert a(1)'],
  ['nothing', 'assert a(1) == None', 'assert a(1) is not None'],
  ['an empty list', 'assert leaks == []', 'assert not leaks'],
  ['a type', 'assert type(x) == int', 'assert isinstance(x, int)'],
  ['a class', 'assert x.category == UserWarning', 'assert isinstance(x.category, UserWarning)'],
  ['a tolerance', 'assert x == 0.3', 'assert math.isclose(x, 0.3)'],
  ['arrays', 'assert x == y', 'assert np.allclose(x, y)'],
  ['frames', 'assert a == b', 'assert a.equals(b)'],
  ['a remainder', 'assert x % 2 == 1', 'assert x % 2'],
  ['the opposite', 'assert a(1) == 2', 'assert a(1) != 2'],
  ['its parts instead', 'assert x == [1, 2]', 'assert x\n    assert x[0] == 1'],
  ['another expression', 'assert a(1) == 2', 'assert b(1)'],
  [
    'the message of the error afterwards',
    "with self.assertRaisesRegex(E, 'no'): a()",
    "with self.assertRaises(E) as e: a()\n    self.assertEqual(str(e.exception), 'no')",
  ],
])('%s does not demand less', async (_, before, after) => {
  expect(await inPython(text(before), text(after))).toEqual([]);
});

test('assertions are compared within one test, and one that moved to another is still there', async () => {
  const other = text('assert a(1)').replace('test_a', 'test_b');
  expect(await inPython(text('assert a(1) == 2'), other)).toEqual([]);
  expect(await inPython(text('assert a(1) == 2'), text('assert a(1)').replace('TestA', 'TestB'))).toEqual([]);
  const moved = `${text('assert a(1)')}  def test_b(self):\n    assert a(1) == 2\n`;
  expect(await inPython(text('assert a(1) == 2'), moved)).toEqual([]);
  const split = `${text('assert a(b)')}  def test_b(self):\n    assert not a(b)\n`;
  expect(await inPython(text('assert a(b) == c'), split)).toEqual([]);
  expect(await inPython('def check():\n  assert a(1) == 2\n', 'def check():\n  assert a(1)\n')).toEqual([]);
});

test('a file that is renamed on the way is compared with its old text', async () => {
  const [from, to] = ['tests/test_a.py', 'tests/test_b.py'];
  const [before, after] = ['assert a(1) == 2', 'assert a(1)'];
  const edits = [
    { path: from, before: text(before), after: null },
    { path: to, before: null, after: text(after) },
  ];
  expect(await changesOf(edits, [{ from, to }])).toEqual(loosened(before, after));
  expect(await changesOf(edits)).toEqual([]);
});

test('what goes with its code weakens nothing', async () => {
  const [before, after] = ['assert a(1) == old_price(2)', 'assert a(1)'];
  const edit = { path: 'tests/test_a.py', before: text(before), after: text(after) };
  const code = { path: 'shop.py', before: 'def old_price(n):\n    return n\n', after: 'x = 1\n' };
  expect(await changesOf([edit, code])).toEqual([['gone', 4, before, after]]);
  expect(await changesOf([edit, { ...code, after: code.before }])).toEqual(loosened(before, after));
});

test.each(['tests/fixtures/test_a.py', 'tests/testdata/a.py', 'benchmarks/test_a.py'])(
  '%s is no test whose assertions count',
  async (path) => {
    const found = await inPython(text('assert a(1) == 2'), text('assert a(1)'), path);
    expect(found.filter(([kind]) => kind === 'loosened')).toEqual([]);
  },
);
