// Python tests that newly mock what they test, and honest mocks that look alike.

import { expect, test } from 'vitest';
import { WEAKENING_KINDS } from '../../../../server/src/core/model/judgement.ts';
import { findTestChanges } from '../../../../server/src/core/verify/judge/testChanges.ts';

const CODE = {
  path: 'lib/prices.py',
  before: 'def half(n):\n    return n / 2\n',
  after: 'def half(n):\n    return n\n',
};

async function weakening(before: string, after: string) {
  const edits = [CODE, { path: 'tests/test_prices.py', before, after }];
  const { changes } = await findTestChanges(edits, [], { inventory: async () => null, testCases: async () => [] });
  return changes.map(({ kind }) => kind).filter((kind) => WEAKENING_KINDS.has(kind));
}

const HEAD = `from unittest import mock
from unittest.mock import patch
import lib.prices
from lib import prices, net
from lib.prices import half, Basket
`;
const inTest = (...lines: readonly string[]) => [
  `${HEAD}\ndef test_a():\n    ${lines.at(-1)!}\n`,
  `${HEAD}\ndef test_a():\n${lines.map((line) => `    ${line}\n`).join('')}`,
];
const decorated = (decorator: string, tested: string) => [
  `${HEAD}\ndef test_a():\n    ${tested}\n`,
  `${HEAD}\n${decorator}\ndef test_a(*_):\n    ${tested}\n`,
];
const inClass = (decorator: string, tested: string, members = '') => [
  `${HEAD}\nclass TestA:\n    def test_a(self):\n        ${tested}\n`,
  `${HEAD}\n${decorator}class TestA:\n${members}    def test_a(self, *_):\n        ${tested}\n`,
];
const withFixture = (fixture: string, parameter: string, tested: string) => [
  `${HEAD}\ndef test_a():\n    ${tested}\n`,
  `${HEAD}\n${fixture}\n\ndef test_a(${parameter}):\n    ${tested}\n`,
];
const HALF = 'assert half(2) == 1';
const MEMBER = 'assert prices.half(2) == 1';
const BASKET = 'assert Basket([1]).total(2) == 3';

test.each([
  ['a decorator', decorated("@patch('lib.prices.half', return_value=1)", HALF)],
  ['a decorator of a member', decorated("@mock.patch.object(prices, 'half', return_value=1)", MEMBER)],
  ['a decorator of the class', inClass("@patch('lib.prices.half', return_value=1)\n", HALF)],
  ['the same of a member', inClass("@mock.patch.object(prices, 'half', return_value=1)\n", MEMBER)],
  ['a decorator of a method of a class', inClass("@patch.object(Basket, 'total', return_value=3)\n", BASKET)],
  ['a method by its path', decorated("@patch('lib.prices.Basket.total', return_value=3)", BASKET)],
  [
    'a method of an object that the test makes',
    [
      `${HEAD}\ndef test_a():\n    b = Basket([1])\n    assert b.total(2) == 3\n`,
      `${HEAD}\n@patch.object(Basket, 'total', return_value=3)\ndef test_a(_):\n    b = Basket([1])\n    assert b.total(2) == 3\n`,
    ],
  ],
  ['the name in the test file', decorated("@patch(f'{__name__}.half', return_value=1)", HALF)],
  [
    'a hook of the class',
    inClass('', MEMBER, "    def setUp(self):\n        patch('lib.prices.half', return_value=1).start()\n\n"),
  ],
  [
    'a fixture for all tests',
    withFixture(
      "@pytest.fixture(autouse=True)\ndef fast(monkeypatch):\n    monkeypatch.setattr(prices, 'half', lambda n: 1)",
      '',
      MEMBER,
    ),
  ],
  [
    'a fixture of the test',
    withFixture(
      "@pytest.fixture\ndef fast(mocker):\n    mocker.patch('lib.prices.half', return_value=1)",
      'fast',
      MEMBER,
    ),
  ],
  [
    'a mock behind a helper',
    [
      `${HEAD}\ndef at(n):\n    return prices.half(n)\n\n\ndef test_a():\n    assert at(2) == 1\n`,
      `${HEAD}\ndef at(n):\n    return prices.half(n)\n\n\n@patch.object(prices, 'half', return_value=1)\ndef test_a(_):\n    assert at(2) == 1\n`,
    ],
  ],
  ['monkeypatch', inTest("monkeypatch.setattr(prices, 'half', lambda n: 1)", MEMBER)],
  ['monkeypatch by a path', inTest("monkeypatch.setattr('lib.prices.half', lambda n: 1)", MEMBER)],
  ['an assignment', inTest('prices.half = lambda n: 1', MEMBER)],
  ['an assigned mock', inTest('prices.half = mock.MagicMock(return_value=1)', MEMBER)],
  ['setattr', inTest("setattr(prices, 'half', lambda n: 1)", MEMBER)],
  ['several members', decorated("@patch.multiple('lib.prices', half=lambda n: 1)", MEMBER)],
  ['a path by keyword', decorated("@patch(target='lib.prices.half', return_value=1)", HALF)],
  ['an object by keyword', decorated("@patch.object(target=prices, attribute='half', new=fake)", MEMBER)],
  ['the dictionary of a module', inTest("patch.dict(prices.__dict__, {'limit': 1, 'half': fake}).start()", MEMBER)],
  ['the same by its path', decorated("@patch.dict('lib.prices.__dict__', half=fake)", MEMBER)],
  [
    'a later one of several members',
    decorated("@patch.multiple(prices, OPTIONS={'a': (1, 2)}, half=lambda n: 1)", MEMBER),
  ],
  ['several members of an object', decorated('@patch.multiple(prices, half=lambda n: 1)', MEMBER)],
])('loosened: the subject is replaced by %s', async (_, [before, after]) => {
  expect(await weakening(before!, after!)).toContain('loosened');
});

test.each([
  ['the network', decorated("@patch('lib.net.get', return_value=1)", `net.get('a'); ${HALF}`)],
  ['a library', decorated("@patch('requests.get', return_value=1)", HALF)],
  [
    'the library of the subject, of which another object has a method of the same name',
    decorated(
      "@patch('lib.prices.requests.get', return_value=1)",
      `client = net.open(prices); assert client.get('a') == 1`,
    ),
  ],
  [
    'the same of the module',
    decorated("@patch.object(prices.requests, 'get')", "d = {}; assert d.get('x') == prices.half(1)"),
  ],
  ['what the subject calls', decorated("@patch('lib.prices.fetch', return_value=1)", HALF)],
  ['what the subject calls, for a class', inClass("@patch.object(prices, 'fetch')\n", MEMBER)],
  ['the clock', inTest("monkeypatch.setattr('time.time', lambda: 1)", HALF)],
  ['a variable of the environment', inTest("monkeypatch.setenv('A', '1')", HALF)],
  ['a dictionary', inTest("patch.dict(prices.cache, {'half': 1}).start()", MEMBER)],
  ['variables of the environment', inTest("patch.dict('os.environ', {'half': '1'}).start()", MEMBER)],
  ['a key of a constant', decorated("@patch.multiple(prices, OPTIONS={'half': 1})", MEMBER)],
  ['an argument in a value', decorated('@patch.multiple(prices, OPTIONS=dict(a=1, half=2))', MEMBER)],
  ['a key in a value', inTest("patch.dict(prices.__dict__, {'limit': {'a': 1, 'half': 2}}).start()", MEMBER)],
  ['a constant', inTest("monkeypatch.setattr(prices, 'LIMIT', 3)", MEMBER)],
  ['a setting', inTest('prices.limit = 3', MEMBER)],
  ['a method of another class', inClass("@patch.object(Basket, 'load', return_value=3)\n", BASKET)],
  ['something that passes calls on', decorated("@patch.object(prices, 'half', wraps=prices.half)", MEMBER)],
  [
    'a fixture that the test does not use',
    withFixture("@pytest.fixture\ndef fast(mocker):\n    mocker.patch('lib.prices.half')", '', MEMBER),
  ],
  [
    'what it was, in another way',
    [
      `${HEAD}\ndef test_a():\n    with patch('lib.prices.half', return_value=1):\n        ${MEMBER}\n`,
      `${HEAD}\n@patch('lib.prices.half', return_value=1)\ndef test_a(_):\n    ${MEMBER}\n`,
    ],
  ],
  [
    'what it was, for all tests of a class',
    [
      `${HEAD}\nclass TestA:\n    @patch('lib.prices.half', return_value=1)\n    def test_a(self, _):\n        ${MEMBER}\n`,
      `${HEAD}\n@patch('lib.prices.half', return_value=1)\nclass TestA:\n    def test_a(self, _):\n        ${MEMBER}\n`,
    ],
  ],
])('not weakened: %s', async (_, [before, after]) => {
  expect(await weakening(before!, after!)).toEqual([]);
});
