// What a change does to a test file outside of its cases: attacks that must not pass silently, and honest edits.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { WEAKENING_KINDS } from '../../../server/src/core/model/judgement.ts';
import {
  added,
  ASSERT,
  BROKEN,
  CASES,
  editOf,
  IMPORT,
  kindsOf,
  replacedIn,
  PYTHON,
  SUBJECT,
  WRAPPER,
} from './frameEdits.ts';

const [, SECOND] = CASES.split(/(?<=\n)/) as [string, string];
/** The second case moves to a new file. */
const moveOf = (imported: string): FileEdit[] => [
  editOf('script', [SECOND, '']),
  added(
    'test/unit/more.test.js',
    `import test from 'node:test';\n${ASSERT}\n${imported}\nconst at = (value) => value;\n${SECOND}`,
  ),
];
/** The second test of Python moves to a new file. */
const pythonMoveOf = (imported: string): FileEdit[] => [
  editOf(
    'python',
    ['class TestHalf', 'class TestOther'],
    ['test_half', 'test_third'],
    ['check(self.n) == 1', 'check(6) == 3'],
  ),
  added(
    'tests/test_more.py',
    `${imported}\n${PYTHON.slice(PYTHON.indexOf('def check'), PYTHON.indexOf('@'))}${PYTHON.slice(PYTHON.indexOf('class'))}`,
  ),
];

test.each<[string, FileEdit[]]>([
  ['a case moves to a new file that defines the subject', moveOf('const clamp = (value) => value;')],
  ['the same in Python', pythonMoveOf('def half(n):\n    return 1\n')],
  ['a wrapper takes the name of the subject', [editOf('script', [IMPORT, WRAPPER])]],
  ['the same in TypeScript', [editOf('typed', [IMPORT, WRAPPER])]],
  [
    'a function takes its name',
    [editOf('script', [IMPORT, ''], ['', 'function clamp(v, l) { return Math.max(v, l); }\n'])],
  ],
  [
    'a member of the assertions is replaced in a copy',
    [
      editOf('script', [
        ASSERT,
        "import strict from 'node:assert/strict';\nconst assert = { ...strict, equal: () => {} };",
      ]),
    ],
  ],
  ['it is replaced in place', [editOf('script', ['', 'assert.equal = () => {};\n'])]],
  ['it is replaced by a computed name', [editOf('script', ['', "assert['equ' + 'al'] = () => {};\n"])]],
  ['it is replaced in a hook', [editOf('script', ['', 'test.beforeEach(() => { assert.equal = () => {}; });\n'])]],
  [
    'it is replaced in a new case',
    [editOf('script', ['', "test('new', () => { Object.assign(assert, { equal() {} }); });\n"])],
  ],
  ['it is mocked', [editOf('script', ['', "test.mock.method(assert, 'equal', () => {});\n"])]],
  [
    'it is replaced in a new helper',
    [
      editOf('script', [IMPORT, `import './setup.js';\n${IMPORT}`]),
      added('test/setup.js', "import assert from 'node:assert/strict';\nassert.equal = () => {};\n"),
    ],
  ],
  [
    'the assertions come from a file of the change',
    [
      editOf('script', [ASSERT, "import assert from './assert.js';"]),
      added('test/assert.js', 'export default { equal() {}, ok() {} };\n'),
    ],
  ],
  [
    'the subject comes from the tests',
    [editOf('script', [IMPORT, "import { clamp } from './reference.js';"]), added('test/reference.js', SUBJECT)],
  ],
  [
    'the subject comes from new code, and the old code stays',
    [editOf('script', [IMPORT, "import { clamp } from '../src/reference.js';"]), added('src/reference.js', SUBJECT)],
  ],
  [
    'a barrel exports its own function',
    [
      editOf('script', [IMPORT, "import { clamp } from '../src/index.js';"]),
      added('src/index.js', "import { clamp as c } from './x.js';\nconst clamp = () => c;\nexport { clamp, c };\n"),
    ],
  ],
  [
    'a new function of the same module makes the subject',
    [
      editOf('script', [IMPORT, "import { make } from '../src/clamp.js';\nconst clamp = make();"]),
      { ...BROKEN, after: `${BROKEN.after}export const make = () => (v, l) => Math.max(v, l);\n` },
    ],
  ],
  [
    'a copy of the subject stands beside it',
    [
      editOf('script', [IMPORT, "import { clampOld as clamp } from '../src/clamp.js';"]),
      { ...BROKEN, after: `${BROKEN.after}${SUBJECT.replace('clamp', 'clampOld')}` },
    ],
  ],
  [
    'a wrapper in Python',
    [editOf('python', ['from lib import half', 'from lib import half as _h\ndef half(n):\n    return max(n, 0) / 2'])],
  ],
  [
    'the subject comes from the tests in Python',
    [
      editOf('python', ['from lib import half', 'from tests.reference import half']),
      added('tests/reference.py', 'def half(n): ...\n'),
    ],
  ],
  [
    'the subject comes from a new page with brackets in its name, and the old page stays',
    [editOf('script', [IMPORT, "import { clamp } from '../src/[...slug].js';"]), added('src/[...slug].js', SUBJECT)],
  ],
  [
    'assertions of unittest are replaced in a mixin',
    [added('tests/test_new.py', `class Own:\n    def assertEqual(self, a, b): pass\n${pythonCase('Own, TestCase')}`)],
  ],
  ['they are replaced by name', [added('tests/conftest.py', "setattr(unittest.TestCase, 'assertEqual', print)\n")]],
  [
    'assertions of unittest are replaced',
    [editOf('python', ['    def setup_method', '    def assertEqual(self, a, b): pass\n    def setup_method'])],
  ],
])('loosened: %s', async (_, edits) => {
  const kinds = await kindsOf([...(edits.some(({ path }) => path === BROKEN.path) ? [] : [BROKEN]), ...edits]);
  expect(kinds).toContain('loosened');
});

/** A subject that another module now holds, and the old one that passes it on. */
const barrel = (text: string): FileEdit[] => [
  editOf('script', [IMPORT, "import { clamp } from '../src/index.js';"]),
  added('src/index.js', text),
];
const subjectEdit = (before: string, after: string): FileEdit => ({ path: 'src/clamp.js', before, after });

test.each<[string, FileEdit[]]>([
  [
    'a default export that is gone',
    [
      replacedIn(
        'script',
        IMPORT,
        IMPORT.replace('{ clamp }', 'clamp'),
        "import { make } from '../src/clamp.js';\nconst clamp = make();",
      ),
      subjectEdit('export function make() {}\nexport default make();\n', 'export function make() {}\n'),
    ],
  ],
  [
    'an object of a class of the same module',
    [
      editOf('script', [IMPORT, "import { Clamp } from '../src/clamp.js';\nconst clamp = new Clamp(1);"]),
      subjectEdit(
        'export class Clamp {}\nexport const clamp = new Clamp();\n',
        'export class Clamp {}\nexport const clamp = 1;\n',
      ),
    ],
  ],
  ['a barrel of CommonJS', barrel("exports.clamp = require('./clamp').clamp;\n")],
  ['the same with an object', barrel("const { clamp } = require('./clamp');\nmodule.exports = { clamp };\n")],
  ['a barrel that imports and exports', barrel("import { clamp } from './clamp.js';\nexport { clamp };\n")],
  ['a barrel that exports all', barrel("export * from './clamp.js';\n")],
  [
    'a package of Python that passes it on',
    [
      replacedIn('python', 'from lib', 'from lib.core', 'from lib'),
      added('lib/__init__.py', 'from .core import half\n'),
    ],
  ],
  [
    'tests with fixtures from a new file',
    [
      editOf('script', ["import test from 'node:test';", "import { test } from './fixtures.js';"]),
      added('test/fixtures.js', "import { test as base } from 'vitest';\nexport const test = base.extend({});\n"),
    ],
  ],
  [
    'assertions with a plugin',
    [
      replacedIn(
        'script',
        ASSERT,
        "import { assert } from 'chai';",
        "import { use } from 'chai';\nconst { assert } = use(promised);",
      ),
    ],
  ],
  [
    'a helper of the runner by another runner',
    [
      replacedIn(
        'script',
        '(value) => value;',
        `vi.fn();\nimport { vi } from 'vitest';`,
        'vi.fn();\nconst vi = { fn: jest.fn };',
      ),
    ],
  ],
])('not weakened: %s', async (_, edits) => {
  expect((await kindsOf(edits)).filter((kind) => WEAKENING_KINDS.has(kind))).toEqual([]);
});

test.each<[string, FileEdit[]]>([
  ['a helper that cases use', [editOf('script', ['(value) => value;', '(value) => value && 5;'])]],
  ['a list loses a row', [editOf('script', [', [1, 5]', ''])]],
  ['a new hook', [editOf('script', ['', 'test.beforeEach(() => { globalThis.clamping = true; });\n'])]],
  [
    'a process that ends',
    [editOf('script', ["import test from 'node:test';", "import test from 'node:test';\nif (done) exit();"])],
  ],
  ['a condition around a loop of cases', [editOf('script', ['for (const [low', 'if (slow) for (const [low'])]],
  ['cases run in a loop that is empty', [editOf('script', ['of LIMITS)', 'of LIMITS.slice(9))'])]],
  ['the subject comes from other code', [editOf('script', [IMPORT, "import { clamp } from '../src/index.js';"])]],
  [
    'a helper of several tests',
    [{ path: 'test/helpers/at.js', before: 'export const at = (v) => v;\n', after: 'export const at = () => 5;\n' }],
  ],
  [
    'its conftest.py',
    [{ path: 'tests/conftest.py', before: 'def n():\n    return 1\n', after: 'def n():\n    return 2\n' }],
  ],
  ['a new conftest.py with a hook', [added('tests/conftest.py', 'def pytest_runtest_makereport(item): ...\n')]],
  ['a helper of Python', [editOf('python', ['return half(n)', 'return 1'])]],
  ['a hook of Python', [editOf('python', ['self.n = 2', 'self.n = 0'])]],
  ['a list of Python loses a row', [editOf('python', [', (-1, 0)', ''])]],
  ['the body of a test of Python', [editOf('python', ['assert check(self.n) == 1', 'assert check(2) == 1'])]],
  ['a helper of Go', [editOf('go', ['got != want', 'got != want && got > 99'])]],
  [
    'a test of another language',
    [{ path: 'spec/a_spec.rb', before: 'expect(a).to eq 1\n', after: 'expect(a).to be 1\n' }],
  ],
])('named: %s', async (_, edits) => {
  expect(await kindsOf([BROKEN, ...edits])).not.toEqual([]);
});

/** A test case of unittest, derived from these bases. */
function pythonCase(bases: string): string {
  return `class HalfCase(${bases}):\n    def test_half(self):\n        self.assertEqual(half(2), 1)\n`;
}

const HELPER = 'const unused = () => 5;\n';

test.each<[string, FileEdit[]]>([
  ['an added import', [editOf('script', [IMPORT, `import fs from 'node:fs';\n${IMPORT}`])]],
  ['an added name of an import', [editOf('script', ['{ clamp }', '{ clamp, pages }'])]],
  ['an added case', [editOf('script', ['', "test('new', () => { assert.equal(clamp(1, 2, 3), 2); });\n"])]],
  ['an added row', [editOf('script', ['[1, 5]]', '[1, 5], [2, 3]]'])]],
  ['an added helper', [editOf('script', ['', `${HELPER}test('new', () => { assert.equal(unused(), 5); });\n`])]],
  [
    'an added group with a hook',
    [
      editOf('script', [
        '',
        "describe('new', () => { let a; beforeEach(() => { a = 1; }); it('b', () => assert.equal(a, 1)); });\n",
      ]),
    ],
  ],
  [
    'formatting',
    [
      editOf('script', [
        CASES,
        CASES.replaceAll('{ ', '{\n  ').replaceAll("'", '"').replaceAll('0, 10', '\n0,\n10,\n'),
      ]),
    ],
  ],
  ['layout of a helper', [editOf('script', ['const at = (value) => value;', 'const at = (\n  value,\n) => value'])]],
  [
    'comments',
    [editOf('script', [IMPORT, `// all of it\n${IMPORT}`], ['(value) => value', '(value) => /* as is */ value'])],
  ],
  ['a comment in a case', [editOf('script', ["test('stays', () => { ", "test('stays', () => {\n  // within\n  "])]],
  ['another order of imports', [editOf('script', [`${ASSERT}\n${IMPORT}`, `${IMPORT}\n${ASSERT}`])]],
  ['a module without its prefix', [editOf('script', ["'node:assert/strict'", "'assert/strict'"])]],
  ['the whole module by require', [editOf('script', [ASSERT, "const assert = require('assert/strict');"])]],
  ['a module that is imported without its extension', [editOf('script', ['clamp.js', 'clamp'])]],
  [
    'a subject that moved',
    [
      editOf('script', ['../src/clamp.js', '../src/math/clamp.js']),
      { path: 'src/clamp.js', before: SUBJECT, after: null },
      added('src/math/clamp.js', SUBJECT),
    ],
  ],
  ['an added helper of several tests', [added('test/helpers/at.js', 'export const at = (value) => value;\n')]],
  [
    'an added export of a helper',
    [
      {
        path: 'test/helpers/at.js',
        before: 'export const a = 1;\n',
        after: 'export const a = 1;\nexport const b = 2;\n',
      },
    ],
  ],
  ['an added import in Python', [editOf('python', ['import pytest', 'import os\nimport pytest'])]],
  ['an added test of Python', [editOf('python', ['', '\n    def test_more(self):\n        assert check(4) == 2\n'])]],
  ['an added row of Python', [editOf('python', ['(-1, 0)]', '(-1, 0), (4, 2)]'])]],
  [
    'formatting in Python',
    [editOf('python', ['CASES = [(2, 1), (-1, 0)]', 'CASES = [\n    (2, 1),\n    (-1, 0),\n]'])],
  ],
  ['a comment in Python', [editOf('python', ['    def test_half', '    # the half\n    def test_half'])]],
  [
    'a function of an added test of Python that fails',
    [added('tests/test_new.py', 'def test_retry():\n    def fail():\n        raise OSError\n    retry(fail)\n')],
  ],
  [
    'an added fake of Python that sets what it gets',
    [
      added(
        'tests/test_new.py',
        'class Fake:\n    def __init__(self, fail, **all):\n        self.fail = fail\n        for k, v in all.items():\n            setattr(self, k, v)\n',
      ),
    ],
  ],
  [
    'an added mixin of Python that asks the original',
    [
      added(
        'tests/test_new.py',
        `class Own:\n    def assertEqual(self, a, b):\n        super().assertEqual(norm(a), norm(b))\n${pythonCase('Own, TestCase')}`,
      ),
    ],
  ],
  ['a case that moves to a new file', moveOf("import { clamp } from '../../src/clamp.js';")],
  ['an added test of Go', [editOf('go', ['', '\nfunc TestMore(t *testing.T) {\n\tcheck(t, Clamp(1, 2, 3), 2)\n}\n'])]],
])('nothing: %s', async (_, edits) => {
  expect(await kindsOf(edits)).toEqual([]);
});

test('a helper that gets another name, and an assertion that a library lacks, weaken nothing', async () => {
  const renames = [
    editOf('script', ['const at =', 'const near ='], ['at(5)', 'near(5)']),
    editOf('script', ['', 'assert.near = (a, b) => assert.ok(a - b < 1);\n']),
    editOf('python', ['def check', 'def check_half'], ['check(self', 'check_half(self']),
  ];
  for (const edit of renames) expect((await kindsOf([edit])).filter((kind) => WEAKENING_KINDS.has(kind))).toEqual([]);
});

test('a file that moves is compared with what it imported from its old place', async () => {
  const path = 'test/unit/clamp.test.js';
  const moveTo = (imported: string): Promise<readonly string[]> =>
    kindsOf(
      [
        BROKEN,
        added('src/reference.js', SUBJECT),
        { path: 'test/clamp.test.js', before: editOf('script').before, after: null },
        added(path, editOf('script', ['../src/clamp.js', imported]).after!),
      ],
      [{ from: 'test/clamp.test.js', to: path }],
    );
  expect(await moveTo('../../src/clamp.js')).toEqual([]);
  expect(await moveTo('../../src/reference.js')).toEqual(['loosened']);
});
