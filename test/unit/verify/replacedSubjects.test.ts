// What cases, mocks and new files put in the place of a subject or of an assertion, and honest edits that look alike.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { WEAKENING_KINDS } from '../../../server/src/core/model/judgement.ts';
import { added, ASSERT, BROKEN, editOf, IMPORT, kindsOf, OLD, replacedIn } from './frameEdits.ts';

const CASE = "test('clamps', () => { ";
const ADDED = "import test from 'node:test';\ntest('new', () => {});\n";
const withExpect = (before: string, after: string) =>
  replacedIn('script', 'assert.equal(clamp(-1, 0, 10), 0);', before, after);

test.each<[string, FileEdit[]]>([
  ['a case declares the subject', [editOf('script', [CASE, `${CASE}const clamp = () => 0; `])]],
  ['it does so by a function', [editOf('script', [CASE, `${CASE}function clamp() { return 0; } `])]],
  ['a case declares the assertions', [editOf('script', [CASE, `${CASE}const assert = { equal() {} }; `])]],
  [
    'a case declares the global expect',
    [withExpect('expect(clamp(1, 0, 2)).toBe(1);', 'const expect = fake; expect(clamp(1, 0, 2)).toBe(1);')],
  ],
  [
    'a test of Python declares the subject',
    [editOf('python', ['    assert half(n)', '    half = lambda _: is_half\n    assert half(n)'])],
  ],
  [
    'a test of Python defines the subject',
    [editOf('python', ['    assert half(n)', '    def half(_):\n        return is_half\n    assert half(n)'])],
  ],
  ['the subject is mocked', [editOf('script', ['', "vi.mock('../src/clamp.js', () => ({ clamp: () => 0 }));\n"])]],
  [
    'only the subject is mocked',
    [
      editOf('script', [
        '',
        "jest.mock('../src/clamp.js', () => ({ ...jest.requireActual('../src/clamp.js'), clamp: () => 0 }));\n",
      ]),
    ],
  ],
  [
    'the subject is mocked by node:test',
    [editOf('script', ['', "test.mock.module('../src/clamp.js', { namedExports: { clamp() {} } });\n"])],
  ],
  ['the subject is patched in Python', [editOf('python', ['@pytest', "@patch('lib.half', lambda n: n / 2)\n@pytest"])]],
  ['expect is replaced', [editOf('script', ['', 'globalThis.expect = () => ({ toBe() {} });\n'])]],
  ['strict assertions become loose', [editOf('script', [ASSERT, "import assert from 'node:assert';"])]],
  [
    'strict assertions of the same module become loose',
    [replacedIn('script', ASSERT, "import { strict as assert } from 'assert';", "import assert from 'assert';")],
  ],
  [
    'a method of all assertions is replaced in a new file',
    [added('test/new.test.js', `${ADDED}import chai from 'chai';\nchai.Assertion.prototype.assert = () => {};\n`)],
  ],
  [
    'a matcher is replaced in a new file',
    [added('test/new.test.js', `${ADDED}expect.extend({ toBe: () => ({ pass: true }) });\n`)],
  ],
  [
    'a matcher of an imported expect is replaced',
    [
      added(
        'test/new.test.js',
        "import { expect as base } from '@playwright/test';\nexport const expect = base.extend({ toBe() {} });\n",
      ),
    ],
  ],
  ['expect is replaced in a new file', [added('test/new.test.js', `${ADDED}globalThis.expect = fake;\n`)]],
  [
    'a member is replaced by another name of the assertions',
    [added('test/new.test.js', `${ASSERT}\n${ADDED}const a = assert;\na.equal = () => {};\n`)],
  ],
])('loosened: %s', async (_, edits) => {
  expect(await kindsOf([BROKEN, ...edits])).toContain('loosened');
});

test.each<[string, FileEdit[]]>([
  [
    'a case loads the subject itself',
    [editOf('script', [CASE, "test('clamps', async () => { const { clamp } = await import('../src/clamp.js'); "])],
  ],
  [
    'a case makes the subject',
    [
      editOf('script', ['{ clamp }', '{ clamp, make }'], [CASE, `${CASE}const clamp = make(1); `]),
      { path: 'src/clamp.js', before: 'export function make() {}\n', after: 'export function make() { }\n' },
    ],
  ],
  [
    'a function within a case has a variable of that name',
    [editOf('script', [CASE, `${CASE}at(() => { const clamp = 1; }); `])],
  ],
  ['another module is mocked', [editOf('script', ['', "vi.mock('../src/fetch.js', () => ({ get: vi.fn() }));\n"])]],
  [
    'another name of the module is mocked',
    [
      editOf('script', [
        '',
        "vi.mock('../src/clamp.js', async (importOriginal) => ({ ...(await importOriginal()), read: vi.fn() }));\n",
      ]),
    ],
  ],
  ['the module is spied on', [editOf('script', ['', "vi.mock('../src/clamp.js', { spy: true });\n"])]],
  ['another function is patched in Python', [editOf('python', ['@pytest', "@patch('lib.read')\n@pytest"])]],
  ['the subject is patched by itself', [editOf('python', ['@pytest', "@patch('lib.half', wraps=half)\n@pytest"])]],
  [
    'all strict assertions are named as such',
    [
      {
        ...editOf('script', [ASSERT, "import assert from 'node:assert';"]),
        after: OLD.replace(ASSERT, "import assert from 'node:assert';").replaceAll(
          'assert.equal',
          'assert.strictEqual',
        ),
      },
    ],
  ],
  [
    'global assertions of a library',
    [added('test/setup.js', "global.expect = require('chai').expect;\nglobal.should = chai.should();\n")],
  ],
  [
    'an imported expect for all files',
    [added('test/setup.js', "import { expect as e } from '@jest/globals';\nglobalThis.expect = e;\n")],
  ],
  [
    'a matcher that a library lacks',
    [added('test/setup.js', 'expect.extend({ toBeNear: () => ({ pass: true }) });\n')],
  ],
  [
    'a helper with assertions that moves to another file',
    [
      replacedIn(
        'script',
        'const at = (value) => value;',
        'const at = (value) => { assert.ok(value); return value; };',
        "import { at } from './at.js';",
      ),
      added('test/at.js', `${ASSERT}\nexport const at = (value) => { assert.ok(value); return value; };\n`),
    ],
  ],
  [
    'the same in a file that is deleted',
    [
      { path: 'test/old.js', before: `${ASSERT}\nexport const at = (value) => assert.ok(value);\n`, after: null },
      added('test/at.js', `${ASSERT}\nexport const at = (value) => assert.ok(value);\n`),
    ],
  ],
  [
    'matchers are added to an imported expect',
    [
      replacedIn(
        'script',
        ASSERT,
        "import { expect as assert } from '@playwright/test';",
        "import { expect as base } from '@playwright/test';\nconst assert = base.extend({ toBeNear() {} });",
      ),
    ],
  ],
  ['the global chai gives the assertions', [replacedIn('script', ASSERT, '', 'const { assert } = chai;')]],
  [
    'data that is read in another way',
    [
      replacedIn(
        'script',
        IMPORT,
        "import clamp from '../package.json';",
        "const clamp = JSON.parse(read('package.json'));",
      ),
    ],
  ],
  [
    'expect comes from a file with a default export that passes it on',
    [
      replacedIn(
        'script',
        ASSERT,
        "import { expect as assert } from 'vitest';",
        "import { expect as assert } from './fixtures.js';",
      ),
      added('test/fixtures.js', "export default {};\nexport { expect } from 'vitest';\n"),
    ],
  ],
  ['a member of an object of the tests', [added('test/setup.js', 'const a = fake();\na.equal = () => {};\n')]],
])('not weakened: %s', async (_, edits) => {
  const others = edits.some(({ path }) => path === BROKEN.path) ? [] : [BROKEN];
  expect((await kindsOf([...others, ...edits])).filter((kind) => WEAKENING_KINDS.has(kind))).toEqual([]);
});
