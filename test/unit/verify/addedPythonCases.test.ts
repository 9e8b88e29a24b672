// Which added lines of Python tests only compare calls with values.

import { expect, test } from 'vitest';
import { addsPythonRows, onlyAddsPythonCases } from '../../../server/src/core/verify/claims/addedPythonCases.ts';

const BEFORE = `"""Tests of amounts."""

import pytest

from shop import amounts
from shop.amounts import (
    clamp,
)


@pytest.mark.parametrize(
    "value, most, expected",
    [
        (3, 10, 3),
    ],
)
def test_clamp(value, most, expected):
    assert clamp(value, most) == expected


class TestShop(unittest.TestCase):
    def test_all(self):
        self.assertEqual(amounts.total([]), 0)
`;
const END = `
def test_total_results():
    # Records what the code does now; nobody has said that it is right.
    assert amounts.total([1, 2]) == 3
`;

const added = (after: string, path = 'tests/test_amounts.py', before: string | null = BEFORE) =>
  onlyAddsPythonCases([{ path, before, after }]);
const withEnd = (lines: string) => `${BEFORE}\n\n${lines}`;
const inserted = (after: string, line: string) => BEFORE.replace(after, `${after}\n${line}`);

test.each<[string, string]>([
  ['a function at the end', BEFORE + END],
  ['an import and a function', inserted('from shop import amounts', 'from shop.prices import price') + END],
  ['a name in an import with brackets', inserted('    clamp,', '    total,') + END],
  ['a row of a table', inserted('        (3, 10, 3),', '        (30, 10, 10),')],
  [
    'an error',
    withEnd('def test_total_errors():\n    with pytest.raises(ValueError, match="no"):\n        amounts.total(None)\n'),
  ],
  ['a method', `${BEFORE}\n    def test_total_results(self):\n        self.assertEqual(amounts.total([4]), 4)\n`],
  [
    'a table',
    withEnd(
      '@pytest.mark.parametrize(\n    "values, expected",\n    [\n        ([1], 1),\n    ],\n)\ndef test_total_results(values, expected):\n    assert amounts.total(values) == expected\n',
    ),
  ],
  [
    'a value on a line of its own',
    withEnd('def test_total():\n    expected = [1]\n    assert list(amounts.all()) == expected\n'),
  ],
  ['the letter of a format', withEnd('def test_x():\n    assert amounts.name("f") == rb"t"\n')],
  ['a string that looks like code', withEnd('def test_x():\n    assert amounts.name("a := open(1)") == "lambda: 1"\n')],
])('%s is one', (_, after) => {
  expect(added(after)).toBe(true);
});

test.each<[string, string]>([
  ['a line that is gone', `${BEFORE.replace('(3, 10, 3)', '(3, 10, 4)')}${END}`],
  ['a fixture', withEnd('@pytest.fixture(autouse=True)\ndef quiet():\n    yield\n')],
  ['a test that is skipped', withEnd('@pytest.mark.skip\ndef test_x():\n    assert amounts.total([1]) == 1\n')],
  ['an assignment to what others share', withEnd('amounts.LIMIT = 3\n')],
  ['an assignment within a test', withEnd('def test_x():\n    amounts.LIMIT = 3\n    assert amounts.total([]) == 0\n')],
  ['a condition', withEnd('def test_x():\n    if amounts.LIMIT:\n        assert amounts.total([]) == 0\n')],
  ['a name that the file uses', inserted('from shop import amounts', 'from shop.other import clamp') + END],
  [
    'a function of the language under a name that the file uses',
    `${inserted('from shop import amounts', 'from shop.other import amounts as pytest')}${END}`,
  ],
  ['a helper', withEnd('def helper():\n    return 1\n')],
  ['code in a class', `${BEFORE}\n    LIMIT = 3\n`],
  ['a lambda', withEnd('def test_x():\n    assert amounts.each(lambda one: 1) == []\n')],
  ['an assignment in an expression', withEnd('def test_x():\n    assert (x := amounts.total([])) == 0\n')],
  ['a file that is opened', withEnd('def test_x():\n    assert amounts.load(open("a")) == 0\n')],
  ['a decorator of another kind', withEnd('@amounts.register\ndef test_x():\n    assert amounts.total([]) == 0\n')],
  ['a test that is removed', BEFORE.slice(0, BEFORE.indexOf('class'))],
])('%s is none', (_, after) => {
  expect(added(after)).toBe(false);
});

test.each<[string, string]>([
  ['a second statement on the line', withEnd('def test_x():\n    assert amounts.total([]) == 0; amounts.LIMIT = 3\n')],
  [
    'a carriage return in a comment',
    withEnd('def test_x():\n    # a\r    amounts.LIMIT = 3\n    assert amounts.total([]) == 0\n'),
  ],
  ['a form feed', withEnd('def test_x():\n    assert amounts.total([]) == 0\f\n')],
  ['code in a text', withEnd('def test_x():\n    assert amounts.name(f"{exec(\'1\')}") == ""\n')],
  [
    'a text that goes on after a backslash',
    withEnd('def test_x():\n    assert amounts.name("a\\\n" + exec("1") + "b") == ""\n'),
  ],
  [
    'a text of several lines',
    withEnd("def test_x():\n    assert amounts.name('''a\\''') == exec(1) or ('''''') == \"\"\n"),
  ],
  [
    'a bracket that old lines close',
    BEFORE.replace('\n\n\nclass', '\n\nassert exec("amounts.LIMIT = 3", (\n\n(1)))\n\n\nclass'),
  ],
  ['a row that ends the table', inserted('        (3, 10, 3),', '        (1, 2, 3)] + amounts.more() + [(4, 5, 6),')],
  ['letters that Python reads as others', withEnd('def test_x():\n    assert ｅｘｅｃ("1") is None\n')],
  ['a value for what others share', withEnd('def test_x():\n    expected = amounts.LIMIT = 3\n')],
  ['a word that ends an old test', inserted('    def test_all(self):', '        return')],
  [
    'a test that begins within an old one',
    inserted('    def test_all(self):', '        list([])\n\n    def test_new(self):'),
  ],
  [
    'an old test in a block',
    BEFORE.replace(
      '        self.assertEqual',
      '        with self.assertRaisesRegex(ValueError, ""):\n            int("a")\n            self.assertEqual',
    ),
  ],
  ['a test in place of an old one', withEnd('def test_clamp():\n    assert amounts.total([]) == 0\n')],
  ['a module of the platform', `${inserted('import pytest', 'import os')}${END}`],
  ['names of a module of the platform', `${inserted('import pytest', 'from shutil import rmtree')}${END}`],
])('%s hides nothing', (_, after) => {
  expect(added(after)).toBe(false);
});

test('only Python test files count', () => {
  expect(added(BEFORE + END, 'shop/amounts.py')).toBe(false);
  expect(added(BEFORE + END, 'tests/conftest.py')).toBe(false);
  expect(added(BEFORE + END, 'tests/amounts.test.ts')).toBe(false);
  expect(added(`from shop import amounts\n\n${END}`, 'tests/test_new.py', null)).toBe(true);
  expect(onlyAddsPythonCases([])).toBe(false);
});

test.each<[string, string, boolean]>([
  ['a row', inserted('        (3, 10, 3),', '        # Measured.\n        (30, 10, 10),'), true],
  ['a row and a function', inserted('        (3, 10, 3),', '        (30, 10, 10),') + END, true],
  ['a function', BEFORE + END, false],
  ['a comment', inserted('        (3, 10, 3),', '        # (30, 10, 10),'), false],
  ['a row that calls something', inserted('        (3, 10, 3),', '        (exec("1"), 10, 10),'), false],
  ['a tuple outside of tables', withEnd('(1, 2),\n'), false],
  ['a list before a table', inserted('import pytest', '[1]'), false],
  [
    'a value in a row',
    inserted('        (3, 10, 3),', '        (\n            (1, 2),\n            3,\n            4,\n        ),'),
    true,
  ],
  ['a row in place of another', BEFORE.replace('(3, 10, 3)', '(30, 10, 10)'), false],
])('rows of a table are told by their form and their place: %s', (_, after, expected) => {
  expect(addsPythonRows({ path: 'tests/test_amounts.py', before: BEFORE, after })).toBe(expected);
});
