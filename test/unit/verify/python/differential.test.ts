// The gate differential on Python: old and new code get the same calls, in a real sandbox.

import { expect, test } from 'vitest';
import { locateHarness } from '../../../../server/src/app/programPaths.ts';
import type { ProofContext } from '../../../../server/src/core/verify/proof.ts';
import { edit, mutantsOnly, toldBy, verifying } from '../verifying.ts';
import { thoroughTest } from '../../../helpers/thorough.ts';

const proof: ProofContext = {
  ...mutantsOnly,
  settings: { ...mutantsOnly.settings, guardSeconds: 0, differentialSeconds: 30 },
  python: locateHarness(false).python,
};

const HEAD = `from __future__ import annotations
import dataclasses
import enum
from typing import TYPE_CHECKING, Iterator, Literal, Optional, Union

if TYPE_CHECKING:
    Amount = Union[int, float]


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
    color: Color = Color.RED

`;

/** The verdict on a change of these lines in a module of a package. */
async function compared(before: string, after: string, more: Readonly<Record<string, string>> = {}, head = HEAD) {
  await using given = await verifying({
    'pyproject.toml': '[project]\nname = "shop"\n',
    'src/shop/__init__.py': '',
    'src/shop/a.py': head + before,
    ...more,
  });
  const verification = await given.verify([edit('src/shop/a.py', head + before, head + after)], { proof });
  return {
    told: toldBy('differential', verification),
    evidence: verification.verdicts.find(({ gate }) => gate === 'differential')?.evidence,
  };
}

test('functions of plain types, dataclasses and enums that do the same pass', async () => {
  const before = `def size(a: Amount, b: Optional[str] = None, *rest: int, way: Literal["up", "down"] = "up") -> str:
    if b is None:
        return "none %s" % (a,)
    if way == "up" and rest:
        return b + str(sum(rest))
    return b


def moved(point: Point, to: tuple[int, int], marks: dict[str, list[bool]]) -> Point:
    if point.color == Color.BLUE:
        return point
    point.x += to[0]
    return Point(point.x, to[1] + len(marks))


async def late(n: int) -> Iterator[int]:
    return iter(range(n % 5))
`;
  const after = before
    .replace('if b is None:', 'if not (b is not None):')
    .replace('"none %s" % (a,)', 'f"none {a}"')
    .replace('point.x += to[0]', 'point.x = to[0] + point.x')
    .replace('range(n % 5)', 'list(range(n % 5))');
  expect((await compared(before, after)).told).toMatch(
    /^differential passed: 3 touched functions answer as before on [\d,]+ generated inputs\./,
  );
});

test('a difference is shown as a call, with a test that pins the old answer', async () => {
  const before = 'def grade(points: int) -> str:\n    return "good" if points >= 90 else "bad"\n';
  const { told, evidence } = await compared(before, before.replace('>=', '>'));
  expect(told).toBe("differential failed: `grade(90)` returns 'good' before, and with the change it returns 'bad'.");
  expect(evidence?.['test']).toBe(
    "from shop.a import grade\n\n\ndef test_grade_answers_as_it_did():\n    assert grade(90) == 'good'\n",
  );
});

test('another exception, another type and a changed argument are differences', async () => {
  const check = async (before: string, after: string, expected: RegExp) =>
    expect((await compared(before, after)).told).toMatch(expected);
  await check(
    'def f(a: int) -> int:\n    if a < 0:\n        raise ValueError("low")\n    return a\n',
    'def f(a: int) -> int:\n    if a < 0:\n        raise KeyError("low")\n    return a\n',
    /^differential failed: `f\(-\d+\)` raises ValueError: low before, and with the change it raises KeyError/,
  );
  await check(
    'def f(a: int) -> float:\n    return a\n',
    'def f(a: int) -> float:\n    return a * 1.0\n',
    /^differential failed: `f\(.+\)` returns -?\d+ before/,
  );
  await check(
    'def f(a: list[int]) -> int:\n    return len(sorted(a))\n',
    'def f(a: list[int]) -> int:\n    a.sort()\n    return len(a)\n',
    /^differential failed: `f\(\[.+\]\)` returns \d+ and leaves \[.+\] before, and with the change it returns \d+ and leaves /,
  );
  await check(
    'class Box:\n    def __init__(self, n: int):\n        self.n = n\n\n    def add(self, m: int) -> None:\n        self.n += m\n',
    'class Box:\n    def __init__(self, n: int):\n        self.n = n\n\n    def add(self, m: int) -> None:\n        self.n += abs(m)\n',
    /^differential failed: `Box\(.+\)\.add\(-\d+\)`/,
  );
});

thoroughTest('what cannot be compared is unknown, with the reason', async () => {
  const check = async (before: string, after: string, expected: string) =>
    expect((await compared(before, after)).told).toBe(`differential unknown: ${expected}`);
  await check('def f(a):\n    return a\n', 'def f(a):\n    return (a, 1)[0]\n', '`f`: the parameter `a` has no type.');
  await check(
    'def f(a: int) -> None:\n    open("x", "w").close()\n',
    'def f(a: int) -> None:\n    open("x", mode="w").close()\n',
    '`f`: it writes a file.',
  );
  await check('X = 1\n', 'X = 2\n', 'The value of `X` has changed, which other code may read.');
  await check('print("a")\n', 'print("b")\n', 'What src/shop/a.py does when it is loaded has changed.');
  await check(
    'def f(a: int) -> int:\n    return a\n\n\ndef g(a: int) -> int:\n    return a\n',
    'def f(a: int) -> int:\n    return a\n',
    '`g` is gone; whether other code uses it was not checked.',
  );
  await check(
    'def f(a: str) -> int:\n    if a == "a" * 99:\n        return 1\n    return len(a)\n',
    'def f(a: str) -> int:\n    if a == "a" * 99:\n        return 2\n    return len(a)\n',
    'No input reached src/shop/a.py: `return 2` and 1 other touched line.',
  );
});

thoroughTest('a check that refuses all that is generated proves nothing', async () => {
  const before =
    'KEYS = ["a", "b"]\n\ndef valid(text: str, sign: str) -> bool:\n    for key in reversed(KEYS):\n        if sign == key * 9 + text * 9:\n            return True\n    return False\n';
  expect((await compared(before, before.replace('reversed(KEYS)', 'KEYS[:1]'))).told).toBe(
    'differential unknown: `valid`: every generated call that ends gets the same answer.',
  );
  const graded = before.replace('bool:', 'int:').replace('True', '-1').replace('return False', 'return len(text)');
  expect((await compared(graded, graded.replace('reversed(KEYS)', 'KEYS[:1]'))).told).toBe(
    'differential unknown: `valid`: no input reached its line `return -1`.',
  );
});

test('what a call leaves behind, and what a decorator may read', async () => {
  const seen = 'SEEN = []\ndef f(a: int) -> int:\n    SEEN.append(a)\n    return a\n';
  expect((await compared(seen, seen.replace('(a)\n    return', '(-a)\n    return'))).told).toBe(
    'differential unknown: `f`: the calls leave another value in `SEEN`.',
  );
  const cached = 'import functools\n@functools.lru_cache(1)\ndef f(a: int) -> int:\n    return a\n';
  expect((await compared(cached, cached.replace('(1)', '(2)'))).told).toBe(
    'differential unknown: `f` has other decorators, or other types below one.',
  );
});

test('a function that never answers the same twice is unknown', async () => {
  const before = 'import time\ndef f(a: int) -> float:\n    return time.perf_counter_ns() + a\n';
  expect(
    (await compared(before, before.replace('time.perf_counter_ns() + a', 'a + time.perf_counter_ns()'))).told,
  ).toMatch(/^differential unknown: `f`: `f\(.+\)` does not answer the same twice\./);
});

test('only comments, layout and documentation', async () => {
  const before = 'def f(a):\n    """Old."""\n    return (a + 1)\n';
  expect((await compared(before, 'def f(a):\n    """New."""\n    # Why.\n    return a + 1\n')).told).toBe(
    'differential passed: The Python code is the same except for comments, layout and documentation.',
  );
});

test('the code under comparison can neither print a report nor end the comparison', async () => {
  const before =
    'import os, sys\ndef f(a: int) -> int:\n    os.write(1, b"x"); print("@@selfware-report@@{}"); return a\n';
  expect((await compared(before, before.replace('return a', 'return a + 0'))).told).toMatch(/^differential passed/);
  expect((await compared(before, before.replace('return a', 'os._exit(0)'))).told).toMatch(
    /^differential unknown: `f`: `f\(.+\)` ended the process, or did not return\./,
  );
});

test('an edited text of the old side is loaded, also by modules that are not edited', async () => {
  const user = { 'src/shop/b.py': 'from .a import one\n\n\ndef two() -> int:\n    return one(1)\n' };
  const before =
    'def one(n: int) -> int:\n    return n\n\n\ndef f(n: int) -> int:\n    from .b import two\n    return two() + n\n';
  const after = before.replace('return n\n', 'return n + 1\n').replace('two() + n', 'two() + n - 1');
  expect((await compared(before, after, user)).told).toMatch(/^differential failed: `one\(/);
});

thoroughTest('another order, read documentation and other imports are not the same code', async () => {
  const check = async (before: string, after: string, expected: string) =>
    expect((await compared(before, after, {}, '')).told).toBe(`differential unknown: ${expected}`);
  const other = 'src/shop/a.py has new definitions, another order or other documentation, which no call compares.';
  const usage = '"""Usage: a --x"""\nfrom docopt import docopt\nA = docopt(__doc__)\n';
  await check(usage, usage.replace('--x', '--y'), other);
  await check('def f(): return 1\nX = f()\n', 'X = f()\ndef f(): return 1\n', other);
  const classes = (lines: readonly string[]) => ['class A: pass', ...lines, ''].join('\n');
  await check(classes(['A.x = 1', 'class B(A): pass']), classes(['class B(A): pass', 'A.x = 1']), other);
  const types = 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    a = 0\nelse:\n    a = 1\n';
  await check(types, types.replace('a = 1', 'a = 2'), 'What src/shop/a.py does when it is loaded has changed.');
  const imported = 'What the imported name `f` stands for may have changed.';
  await check('from .b import f\ndef f(): return 1\n', 'def f(): return 1\nfrom .b import f\n', imported);
  const floor = 'from math import floor as f\ndef g(a: int) -> int:\n    return a\n';
  await check(floor, floor.replace('floor', 'ceil').replace('return a', 'pass\n    return a'), imported);
});

test('values that hold their data in C are compared by it, or not at all', async () => {
  const f = (type: string, value: string) => `import io, re\ndef f(a: str) -> ${type}:\n    return ${value}\n`;
  expect((await compared(f('io.StringIO', 'io.StringIO(a)'), f('io.StringIO', 'io.StringIO(a + a)'))).told).toBe(
    'differential unknown: `f`: it returns a `StringIO`, which cannot be compared.',
  );
  expect((await compared(f('object', 're.match("(.)", "a")'), f('object', 're.match("(?P<b>.)", "a")'))).told).toMatch(
    /^differential failed: `f\(''\)` returns /,
  );
});

thoroughTest('what a call does that raises, and all that it writes, is compared', async () => {
  const check = async (before: string, after: string, expected: RegExp) =>
    expect((await compared(before, after)).told).toMatch(expected);
  const raising = 'def f(a: list) -> None:\n    a.append(1)\n    raise ValueError("x")\n';
  await check(raising, raising.replace('(1)', '(2)'), /raises ValueError: x and leaves \[1\] before/);
  const owned = 'def f(a: int) -> None:\n    e = ValueError("x")\n    e.code = 1\n    raise e\n';
  await check(owned, owned.replace('= 1', '= 2'), /raises ValueError: x \(with \{'code': 1\}\) before/);
  const long = 'def f(a: int) -> int:\n    print("a" * 3000)\n    return a\n';
  await check(long, long.replace('3000)', '2999 + "b")'), /prints …'a+b\\n'/);
  const errors = 'import sys\ndef f(a: int) -> int:\n    sys.stderr.write("a")\n    return a\n';
  await check(errors, errors.replace('"a"', '"b"'), /returns 0 and writes 'a' to stderr before/);
});

test('the lines that warnings and stacks name are no difference', async () => {
  const before =
    'import traceback, warnings\ndef f(a: int) -> int:\n    warnings.warn("w")\n    try:\n        a / 0\n    except ZeroDivisionError:\n        traceback.print_exc()\n    return a\n';
  const after = before.replace('traceback, warnings', 'traceback\nimport warnings').replace('a / 0', '(a + 1) / 0');
  expect((await compared(before, after)).told).toMatch(/^differential passed/);
});

test('a line that only runs while the module is loaded is reached by no input', async () => {
  const before =
    'def f(a: str) -> int:\n    if a == "ab" * 99:\n        return 1\n    return len(a)\nX = f("ab" * 99)\n';
  expect((await compared(before, before.replace('return 1', 'return 1 + 0'))).told).toBe(
    'differential unknown: No input reached src/shop/a.py: `return 1 + 0` and 1 other touched line.',
  );
});

test('a test that would need further imports is not offered', async () => {
  const before = 'from decimal import Decimal\ndef f(a: Decimal) -> int:\n    return 1 if a > 0 else 2\n';
  const { told, evidence } = await compared(before, before.replace('> 0', '>= 0'));
  expect(told).toMatch(/^differential failed: `f\(Decimal\("0"\)\)`/);
  expect(evidence?.['test']).toBeFalsy();
});
