// Which mutants are made of Python code, and that every one of them is Python.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findPythonMutants } from '../../../../server/src/core/verify/guard/python/findMutants.ts';
import { planMutants } from '../../../../server/src/core/verify/guard/planMutants.ts';
import { isTestEdit } from '../../../../server/src/core/paths/testEdits.ts';
import { edit } from '../verifying.ts';
import { parser } from '../../index/support.ts';

async function mutantsIn(before: string, after: string, path = 'a.py') {
  return findPythonMutants(parser, [edit(path, before, after)], isTestEdit);
}

/** `old → new` of each mutant of the text. */
async function changesIn(text: string): Promise<string[]> {
  return (await mutantsIn('', text)).map(({ shown }) => shown);
}

const EVERYTHING = `"""Doc."""
import re
from a import b as c

LIMIT: "int | None" = 0x1F

@deco("x", 1)
async def f(a: int | None = 3, *, b='x', **rest) -> "str":
    """Doc."""
    if not a is not None and b not in (1, 1_0.5):
        raise ValueError("no")
    elif a < b <= 3:
        x += -1
    for i in y:
        if i:
            break
        else:
            continue
    foo(1)
    await bar()
    logging.info("said")
    z = [k for k in x if k > 2]
    w = f"a{b!r:>{10}}" 'c' r"d"
    q = x if (yield) else None
    while a := g():
        pass
    match a:
        case "x" | 1:
            return (1)
        case _:
            return
    assert a, "msg"
    s = "" + b["key"] + {"key": True}["key"] + """two
lines"""
    del q
    return lambda n: n ** 2 // ~n

class C:
    size = 1

    def m(self):
        super().__init__()
        return self.a @ self.b & 1 \\
            or None
`;

test('each kind of fault is made', async () => {
  expect(await changesIn('def f(a, b):\n    return a < b\n')).toEqual(['a < b → None', '< → <=', '< → >=']);
  expect(await changesIn('def f(a):\n    if a is not None:\n        g(a)\n')).toEqual([
    'a is not None → (not (a is not None))',
    'is not → is',
    'g(a) → pass',
  ]);
  expect(await changesIn('x = not a and b + 1.5\n')).toEqual(['and → or', 'not a → (a)', '+ → -', '1.5 → (1.5 + 1)']);
  expect(await changesIn('x = [0, 0x10, True, "a", b"", -y]\n')).toEqual([
    '0 → 1',
    '0x10 → 17',
    '0x10 → 15',
    'True → False',
    '"a" → ""',
    'b"" → b"mutated"',
    '-y → (y)',
  ]);
  expect(await changesIn('for i in x:\n    if i: break\n    raise E("a")\n')).toEqual([
    'i → (not (i))',
    'break → continue',
    'raise E("a") → pass',
  ]);
});

test('documentation, types, imports, keys, logs, decorators and the start of a script are left alone', async () => {
  expect(await changesIn('"""Doc."""\nimport a\nfrom . import b\n@c("d")\ndef f(a: "int") -> "str": pass\n')).toEqual(
    [],
  );
  expect(await changesIn('log.info("a", 1 + x)\n')).toEqual(['+ → -', '1 → 2', '1 → 0']);
  expect(await changesIn('x = {"a": y}["a"]\n')).toEqual([]);
  expect(await changesIn('if __name__ == "__main__":\n    main()\n')).toEqual([]);
});

test('mutants lie in touched lines, or in the functions around them', async () => {
  const before = 'def f(a):\n    b = a + 1\n    return b\n\n\ndef g(a):\n    return a - 1\n';
  const found = await mutantsIn(before, before.replace('a + 1', 'a + 2'));
  expect(found.map(({ line, touched, shown }) => `${line} ${touched} ${shown}`)).toEqual([
    '2 true + → -',
    '2 true 2 → 3',
    '2 true 2 → 1',
    '3 false b → None',
  ]);
  expect(await mutantsIn('', 'x = 1\n', 'tests/test_a.py')).toEqual([]);
});

test('a mutant is reached by the lines of its statement', async () => {
  const text = 'def f(a):\n    if (a >\n            1):\n        return g(\n            a + 1,\n        )\n';
  const found = await mutantsIn('', text);
  expect(found.map(({ shown, reach }) => [shown, reach])).toEqual(
    expect.arrayContaining([
      ['> → >=', [2, 3]],
      ['+ → -', [4, 6]],
    ]),
  );
});

test('every mutant is Python, and characters outside the basic plane move none', async () => {
  const found = await mutantsIn('', `${EVERYTHING}\nface = "😀" + str(1)\n`);
  expect(found.length).toBeGreaterThan(40);
  const text = `${EVERYTHING}\nface = "😀" + str(1)\n`;
  const mutated = found.map(({ start, end, text: put }) => text.slice(0, start) + put + text.slice(end));
  const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
  const { stderr, status } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(mutated),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('mutants of both languages are chosen from, and only scripts are switched', async () => {
  const edits = [edit('a.py', '', 'x = 1\n'), edit('a.js', '', 'x = 1;\n')];
  const plan = planMutants(edits, 10, isTestEdit, await findPythonMutants(parser, edits, isTestEdit));
  expect(plan.mutants.map(({ path }) => path).toSorted()).toEqual(['a.js', 'a.js', 'a.py', 'a.py']);
  expect(plan.schemata.files.map(({ path }) => path)).toEqual(['a.js']);
});

test.each([
  ['if value > most:\n        return most\n    return value', 1],
  ['if value > most:\n        value = most\n    return g(value)', 1],
  ['return most if value > most else value', 1],
  ['if value > most:\n        return most\n    else:\n        return value', 1],
  ['if value.x > most:\n        return most\n    return value.x', 2],
  ['if value > most:\n        return other\n    return value', 2],
  ['if value > most:\n        value += most\n    return value', 2],
])('a limit that gives the same for equal operands is left as it is: %s', async (body, expected) => {
  const changes = await changesIn(`def f(value, most):\n    ${body}\n`);
  expect(changes.filter((change) => change.startsWith('> →'))).toHaveLength(expected);
});
