// Calls that show mutants of Python functions, and the tests that record them: by the program itself, without a
// sandbox.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { spliced, type Splice } from '../../../server/src/core/verify/guard/unguarded.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

const PROGRAM = resolve('server/src/adapters/harness/python/selfware_unguarded.py');
const MARK = '@@selfware-report@@';

interface Found {
  readonly name: string;
  readonly calls: readonly { readonly call: string; readonly now: string; readonly tells: readonly object[] }[];
  readonly test: { readonly path: string; readonly added: string; readonly splices: readonly Splice[] };
}

/** `faults`: pairs of a part of the code, which occurs once, and what stands there instead. */
async function search(code: string, tests: string, faults: readonly (readonly [string, string])[]) {
  const repository = await createTemporaryRepository({ 'shop/__init__.py': '', 'shop/a.py': code, 'test_a.py': tests });
  try {
    const path = join(repository.dir, 'shop/a.py');
    const mutants = faults.map(([old, fresh], number) => {
      const start = code.indexOf(old);
      const line = code.slice(0, start).split('\n').length;
      return [number, start, start + old.length, fresh, line, line];
    });
    const file = { path, shown: 'shop/a.py', text: code, mutants, tests: [join(repository.dir, 'test_a.py')] };
    const order = join(repository.dir, 'order.json');
    await writeFile(order, JSON.stringify({ root: repository.dir, budgetMs: 120_000, most: 5, files: [file] }));
    const child = spawn('python3', ['-B', PROGRAM, order], { cwd: repository.dir, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(errors).toBe('');
    const report = JSON.parse(output.slice(output.lastIndexOf(MARK) + MARK.length)) as {
      readonly found: readonly Found[];
      readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
    };
    const after = (one: Found) => spliced(tests, one.test.splices);
    return { ...report, after };
  } finally {
    await repository.dispose();
  }
}

test('a call like those of the tests shows a mutant, and the test stands behind the tests of its function', async () => {
  const code = 'def clamp(value, most):\n    return most if value > most else value\n';
  const tests = [
    'from shop.a import clamp',
    '',
    '',
    'def test_clamp():',
    '    assert clamp(3, 10) == 3',
    '',
    '',
    'def test_other():',
    '    pass',
    '',
  ].join('\n');
  const { found, after } = await search(code, tests, [['value > most', 'False']]);
  expect(found).toMatchObject([{ name: 'clamp', calls: [{ now: expect.stringMatching(/^returns -?\d+$/) }] }]);
  expect(after(found[0]!)).toMatch(
    /def test_clamp\(\):\n.*\n\n\ndef test_clamp_results\(\):\n {4}# Records.*\n {4}assert clamp\(.*\) == -?\d+\n\n\ndef test_other/,
  );
});

test('a mutant that changes no result is not reported', async () => {
  const code = 'def double(value):\n    return value * 2\n';
  const tests = 'from shop.a import double\n\ndef test_it():\n    assert double(2) == 4\n';
  expect((await search(code, tests, [['value * 2', 'value + value']])).found).toEqual([]);
});

test('rows are added to a parametrized table', async () => {
  const code = 'def size(value, base=1000):\n    return value // base\n';
  const tests = [
    'import pytest',
    'from shop import a',
    '',
    '@pytest.mark.parametrize(',
    '    "value, expected",',
    '    [',
    '        (1000, 1),',
    '        (2000, 2),',
    '    ],',
    ')',
    'def test_size(value, expected):',
    '    assert a.size(value) == expected',
    '',
  ].join('\n');
  const { found, after } = await search(code, tests, [['value // base', 'value / base']]);
  expect(after(found[0]!)).toMatch(/\(2000, 2\),\n {8}# Records.*\n {8}\(-?\d+, -?\d+\),\n {4}\],\n\)\ndef test_size/);
});

test('a class of unittest gets a method, and errors are recorded with their message', async () => {
  const code = [
    'def price(count: int) -> int:',
    '    if count < 0:',
    '        raise ValueError("count must not be (negative)")',
    '    return count * 3',
    '',
  ].join('\n');
  const tests = [
    'import unittest',
    'from shop.a import price',
    '',
    '',
    'class PriceTest(unittest.TestCase):',
    '    def test_price(self):',
    '        self.assertEqual(price(2), 6)',
    '',
    '',
    "if __name__ == '__main__':",
    '    unittest.main()',
    '',
  ].join('\n');
  const { found, after } = await search(code, tests, [['count < 0', 'False']]);
  expect(after(found[0]!)).toContain(
    [
      '    def test_price_errors(self):',
      '        # Records what the code does now; nobody has said that it is right.',
      "        with self.assertRaisesRegex(ValueError, 'count must not be'):",
      '            price(-',
    ].join('\n'),
  );
});

test('examples in documentation and types give arguments where no test calls a function', async () => {
  const code = [
    'def documented(words):',
    '    """Joins words.',
    '',
    '    >>> some = ["a", "b"]',
    '    >>> documented(some)',
    "    'a-b'",
    '    """',
    '    return "-".join(words)',
    '',
    '',
    'def typed(text: str, count: int = 1) -> str:',
    '    return text * count',
    '',
    '',
    'def unknown(thing):',
    '    return thing.name + 1',
    '',
  ].join('\n');
  const { found, leftOut, after } = await search(code, 'import shop.a\n\n\ndef test_nothing():\n    pass\n', [
    ['"-".join', '"+".join'],
    ['text * count', 'None'],
    ['thing.name + 1', 'None'],
  ]);
  expect(found.map(({ name }) => name)).toEqual(['documented', 'typed']);
  expect(after(found[0]!)).toContain('import shop.a\nfrom shop.a import documented\n');
  expect(leftOut).toMatchObject([{ name: 'unknown', reason: expect.stringContaining('shows what it takes') }]);
});

test('results that depend on time, chance, or earlier calls are not recorded', async () => {
  const code = [
    'import datetime, random, time',
    'seen = []',
    '',
    'def year(add: int) -> int:',
    '    return datetime.date.today().year + add',
    '',
    'def later(add: int) -> int:',
    '    return int(time.time()) // 86400 + add',
    '',
    'def thrown(most: int) -> float:',
    '    return random.random() + most',
    '',
    'def counted(value: int) -> int:',
    '    seen.append(value)',
    '    return len(seen) + 0',
    '',
    'def zone(add: int) -> int:',
    '    return time.timezone + add',
    '',
    'def steady(add: int) -> int:',
    '    return add - 1',
    '',
  ].join('\n');
  const { found } = await search(code, 'import shop.a\n\n\ndef test_nothing():\n    pass\n', [
    ['.year + add', '.year - add'],
    ['// 86400 + add', '// 86400 - add'],
    ['random.random() + most', 'random.random() - most'],
    ['len(seen) + 0', 'len(seen) + 1'],
    ['time.timezone + add', 'time.timezone - add'],
    ['add - 1', 'add + 1'],
  ]);
  expect(found.map(({ name }) => name)).toEqual(['steady']);
});
