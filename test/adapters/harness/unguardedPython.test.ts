// Calls that show mutants of Python functions, and the tests that record them: by the program itself, without a
// sandbox.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { applySplices, type Splice } from '../../../server/src/core/verify/guard/unguarded.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

const PROGRAM = resolve('server/src/adapters/harness/python/selfware_unguarded.py');
const MARK = '@@selfware-report@@';

interface Found {
  readonly path: string;
  readonly name: string;
  readonly calls: readonly { readonly call: string; readonly now: string; readonly tells: readonly object[] }[];
  readonly test: { readonly path: string; readonly added: string; readonly splices: readonly Splice[] };
}

type Faults = readonly (readonly [string, string])[];
interface Report {
  readonly found: readonly Found[];
  readonly leftOut: readonly { readonly path: string; readonly name: string; readonly reason: string }[];
  readonly undone: readonly string[];
}

/** `faults`: pairs of a part of the code, which occurs once, and what stands there instead. */
async function search(code: string, tests: string, faults: Faults, others: Readonly<Record<string, string>> = {}) {
  const texts = { 'shop/__init__.py': '', 'shop/a.py': code, 'test_a.py': tests, ...others };
  const { report } = await searchFiles(texts, { 'shop/a.py': faults }, ['test_a.py']);
  return { ...report, after: (one: Found) => applySplices(tests, one.test.splices) };
}

/** Searches several files; `inBetween`: the reports before the last one. */
async function searchFiles(
  texts: Readonly<Record<string, string>>,
  faultsOf: Readonly<Record<string, Faults>>,
  tests: readonly string[],
  budgetMs = 120_000,
) {
  const repository = await createTemporaryRepository(texts);
  try {
    const files = Object.entries(faultsOf).map(([shown, faults]) => {
      const code = texts[shown]!;
      const mutants = faults.map(([old, fresh], number) => {
        const start = code.indexOf(old);
        const line = code.slice(0, start).split('\n').length;
        return [number, start, start + old.length, fresh, line, line];
      });
      const testFiles = tests.map((one) => join(repository.dir, one));
      return { path: join(repository.dir, shown), shown, text: code, mutants, tests: testFiles };
    });
    const order = join(repository.dir, 'order.json');
    await writeFile(order, JSON.stringify({ root: repository.dir, budgetMs, most: 5, files }));
    const child = spawn('python3', ['-B', PROGRAM, order], { cwd: repository.dir, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(errors).toBe('');
    const reportsAfter = (mark: string) =>
      output
        .split('\n')
        .filter((line) => line.startsWith(mark))
        .map((line) => JSON.parse(line.slice(mark.length)) as Report);
    return { report: reportsAfter(MARK)[0]!, inBetween: reportsAfter('@@selfware-progress@@') };
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

test('calls are like those of the tests: no negative numbers, no new words, and bounds in their order', async () => {
  const code = [
    'def clamp(value, low, high):',
    '    return max(low, min(value, high))',
    '',
    '',
    'def span(low, high):',
    '    return high - low',
    '',
    '',
    'def label(text: str, count: int) -> str:',
    '    return text + "s" if count != 1 else text',
    '',
  ].join('\n');
  const tests = [
    'from shop.a import clamp, label, span',
    '',
    '',
    'def test_all():',
    '    assert clamp(3, 1, 10) == 3',
    '    assert span(1, 10) == 9',
    '    assert label("apple", 1) == "apple"',
    '',
  ].join('\n');
  const { found } = await search(code, tests, [
    ['min(value, high)', 'value'],
    ['max(low, min', '(lambda _, one: one)(low, min'],
    ['high - low', 'abs(high) - low'],
    ['count != 1', 'False'],
  ]);
  const calls = found.flatMap((one) => one.calls.map(({ call }) => call));
  expect(calls.join(' ')).toMatch(/clamp\(\d+, \d+, \d+\).*label\('apple', \d+\)/);
  expect(calls.join(' ')).not.toMatch(/-|span/);
  for (const [, low, high] of calls.join(' ').matchAll(/clamp\(\d+, (\d+), (\d+)\)/g))
    expect(Number(low)).toBeLessThanOrEqual(Number(high));
});

test('code that looks at negative numbers is called with them', async () => {
  const code = 'def sign(value):\n    return -1 if value < 0 else 1\n';
  const tests = 'from shop.a import sign\n\n\ndef test_it():\n    assert sign(3) == 1\n';
  const { found } = await search(code, tests, [['value < 0', 'False']]);
  expect(found[0]!.calls[0]!.call).toMatch(/^sign\(-\d\)$/);
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

const STEADY = 'def steady(add: int) -> int:\n    return add - 1\n';
const NO_TESTS = 'import shop.a\n\n\ndef test_nothing():\n    pass\n';

test('a file on which the search breaks down is undone, and every report names what is not searched yet', async () => {
  const deep = `from shop.b import steady\n\ndef test_it():\n    steady(${'1+'.repeat(400)}1)\n`;
  const faults = [['add - 1', 'add + 1']] as const;
  const { report, inBetween } = await searchFiles(
    { 'shop/__init__.py': '', 'shop/a.py': 'X = 1\n', 'shop/b.py': STEADY, 'shop/c.py': STEADY, 'test_b.py': deep },
    { 'shop/a.py': [], 'shop/b.py': faults, 'shop/c.py': [] },
    ['test_b.py'],
  );
  expect(inBetween[0]!.undone).toEqual(['shop/b.py', 'shop/c.py']);
  expect(report.undone).toContain('shop/b.py');
  expect(report.leftOut).toContainEqual({
    path: 'shop/b.py',
    name: 'all of it',
    reason: 'The search broke down (RecursionError).',
  });
});

test('a call that ends the process leaves out its function alone', async () => {
  const ending = 'import os\n\ndef ending(add: int) -> int:\n    os._exit(add)\n\n';
  const { found, leftOut } = await search(ending + STEADY, NO_TESTS, [['add - 1', 'add + 1']]);
  expect(leftOut).toMatchObject([{ name: 'ending', reason: 'A call of it ended the process.' }]);
  expect(found.map(({ name }) => name)).toEqual(['steady']);
});

test('all calls of a file are confirmed in two processes, and reported function by function', async () => {
  const names = ['one', 'two', 'three'];
  const functions = names.map((name) => STEADY.replace('steady', name).replace('- 1', `- len("${name}")`));
  // It fails to load when it is loaded once more than it has to: as it is, for each mutant, and twice to confirm.
  const counting = [
    'import os',
    'os.makedirs("loads", exist_ok=True)',
    'os.mkdir("loads/%d" % len(os.listdir("loads")))',
    'assert len(os.listdir("loads")) <= 6',
    '',
  ].join('\n');
  const { report, inBetween } = await searchFiles(
    { 'shop/__init__.py': '', 'shop/a.py': counting + functions.join('\n'), 'test_a.py': NO_TESTS },
    { 'shop/a.py': names.map((name) => [`- len("${name}")`, '+ 1'] as const) },
    ['test_a.py'],
  );
  expect(report.found.map(({ name }) => name)).toEqual(names);
  expect(inBetween.map(({ found }) => found.length)).toEqual(expect.arrayContaining([1, 2, 3]));
  expect(inBetween.find(({ found }) => found.length === 2)!.undone).toEqual(['shop/a.py']);
});

test('functions whose calls could not be confirmed in time are not told', async () => {
  // Loading it for the last confirmation takes all the time that there is.
  const loading = 'import os, time\nif os.environ.get("TZ") == "Pacific/Kiritimati":\n    time.sleep(4)\n';
  const code = `${loading}${STEADY}${STEADY.replace('steady', 'other').replace('- 1', '- 2')}`;
  const texts = { 'shop/__init__.py': '', 'shop/a.py': code, 'test_a.py': NO_TESTS };
  const faults = [
    ['add - 1', 'add + 1'],
    ['add - 2', 'add + 2'],
  ] as const;
  const { report } = await searchFiles(texts, { 'shop/a.py': faults }, ['test_a.py'], 4000);
  expect(report.undone).toEqual(['shop/a.py']);
  expect(report.found.length).toBeLessThan(2);
});

test('an import takes another name where a helper of the tests has its name', async () => {
  const tests =
    'import shop.a\n\n\ndef steady(value):\n    return value\n\n\ndef test_it():\n    assert steady(1) == 1\n';
  const { found, after } = await search(STEADY, tests, [['add - 1', 'add + 1']]);
  expect(after(found[0]!)).toContain('import shop.a\nfrom shop.a import steady as a_steady\n');
  expect(after(found[0]!)).toMatch(/assert a_steady\(-?\d+\) == /);
});

test('a function of a module that the tests import is called as its member', async () => {
  const tests = 'from shop import a\n\n\ndef test_it():\n    assert a.OTHER == 1\n';
  const { found } = await search(`OTHER = 1\n\n\n${STEADY}`, tests, [['add - 1', 'add + 1']]);
  expect(found[0]!.test.added).toMatch(/assert a\.steady\(-?\d+\) == /);
  expect(found[0]!.test.added).not.toContain('import');
});

test('tests of a function of the same name in another module are not its tests', async () => {
  const others = { 'shop/b.py': STEADY, 'shop/c.py': 'from .a import steady\n' };
  const tests = (module: string) =>
    `from shop.${module} import steady\n\n\ndef test_it():\n    assert steady(1) == 0\n\n\ndef test_last():\n    pass\n`;
  const faults = [['add - 1', 'add + 1']] as const;
  const other = await search(STEADY, tests('b'), faults, others);
  expect(other.after(other.found[0]!)).toContain('from shop.a import steady as a_steady\n');
  // A module that passes it on.
  const same = await search(STEADY, tests('c'), faults, others);
  expect(same.found[0]!.test.added).not.toContain('import');
});

test('an import is added only for what the calls name, one for each module', async () => {
  const code = [
    'class Unit:',
    '    pass',
    'class Kilo(Unit):',
    '    pass',
    'class Mega(Unit):',
    '    pass',
    'def size(unit, add=0):',
    '    return {Kilo: 3, Mega: 6}.get(unit, 0) + add',
    '',
  ].join('\n');
  const tests = [
    'import pytest',
    '',
    '',
    'def test_it():',
    '    from shop.a import Kilo, Mega, Unit, size',
    '    assert size(Kilo) == 3',
    '    assert size(Mega, 1) == 7',
    '    assert size(Unit, add=len(str(2))) == 1',
    '',
  ].join('\n');
  const { found, after } = await search(code, tests, [
    ['Kilo: 3', 'Kilo: 4'],
    ['Mega: 6', 'Mega: 5'],
  ]);
  expect(after(found[0]!)).toContain('import pytest\nfrom shop.a import Kilo, Mega, size\n');
});

test('a mutant that raises a subclass of the recorded error is not shown', async () => {
  const code = [
    'class Low(ValueError):',
    '    pass',
    'def price(count: int) -> int:',
    '    if count < 5:',
    '        raise ValueError("count is too low")',
    '    return 3',
    '',
  ].join('\n');
  const { found } = await search(code, NO_TESTS, [['raise ValueError(', 'raise Low(']]);
  expect(found).toEqual([]);
});

test('tests import each name that arguments may have without an import of the repository', async () => {
  const compared = 'import selfware_side as a, selfware_tests as b; print(sorted(a.NAMES) == sorted(b.KNOWN))';
  const child = spawn('python3', ['-B', '-c', compared], { cwd: dirname(PROGRAM), stdio: ['ignore', 'pipe', 'pipe'] });
  expect(await text(child.stdout)).toBe('True\n');
});
