// Tests that record what a function does: where they are written, and in which style.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import type { Case } from '../../../server/src/core/propose/characterization/caseText.ts';
import { createGuardingTest } from '../../../server/src/core/propose/characterization/guardingTest.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';

const SOURCE = 'export function clamp(value: number, most = 10): number {\n  return value > most ? most : value;\n}\n';
const RETURNS: Case = { given: ['11'], result: { value: '10', promised: false } };
const THROWS: Case = {
  given: ['-1'],
  result: { throws: 'RangeError', message: 'It\'s "below" 0.', promised: false },
};

function written(
  files: Readonly<Record<string, string>>,
  tests: readonly string[],
  cases: readonly Case[] = [RETURNS],
  more: Partial<{ path: string; runner: string; exportedAs: string; about: string }> = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-guarding-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'src/clamp.ts': SOURCE, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { path = 'src/clamp.ts', runner = 'mocha', exportedAs = 'clamp', about = 'clamp' } = more;
  return createGuardingTest(
    { path, name: 'clamp', qualifiedName: about, exportedAs, cases },
    { tests, runner },
    createSourceTree(root),
    openProject,
  );
}

function afterOf(made: ReturnType<typeof written>): string | null {
  return 'refused' in made ? made.refused : made.edit.after;
}

const VITEST_HEAD = "import { describe, expect, it } from 'vitest';\nimport { clamp } from './clamp.js';\n";

test('a group named after the function gets them at its end', () => {
  const before = `${VITEST_HEAD}
describe('clamp', () => {
  it('keeps small values', () => {
    expect(clamp(1)).toBe(1);
  });
});

describe('others', () => {
  it('is here', () => {});
});
`;
  expect(
    afterOf(written({ 'src/clamp.test.ts': before }, ['src/clamp.test.ts'], [RETURNS, THROWS])),
  ).toBe(`${VITEST_HEAD}
describe('clamp', () => {
  it('keeps small values', () => {
    expect(clamp(1)).toBe(1);
  });

  // Records what clamp does now.
  it('returns 10 for 11', () => {
    expect(clamp(11)).toBe(10);
  });

  it('throws for -1', () => {
    expect(() => clamp(-1)).toThrow('It\\'s "below" 0.');
  });
});

describe('others', () => {
  it('is here', () => {});
});
`);
});

test('a file without groups gets tests with the name of the function; an import with a line for each name grows', () => {
  const before = `import { expect, test } from "vitest"
import {
  other,
} from "../src"

test("other", () => {
  expect(other).toBe(1)
})
`;
  const files = { 'src/index.ts': "export * from './clamp';\nexport const other = 1;\n", 'test/clamp.test.ts': before };
  const options = { given: ['"a b"', '{ deep: [1] }'], result: { value: '{ a: "b" }', promised: true } } as const;
  expect(
    afterOf(written(files, ['test/clamp.test.ts'], [options])),
  ).toBe(`${before.replace('  other,', '  clamp,\n  other,')}
// Records what clamp does now.
test('clamp resolves to { a: "b" } for "a b" and { deep: [1] }', async () => {
  expect(await clamp("a b", { deep: [1] })).toEqual({ a: "b" })
})
`);
});

test.each([
  ['{ other }', '{ clamp, other }'],
  ['{ above, other }', '{ above, clamp, other }'],
  ['{ above, below }', '{ above, below, clamp }'],
  ['{ other, above }', '{ other, above, clamp }'],
  ['first, { other }', 'first, { clamp, other }'],
  ['\\n  above,\\n  other\\n', '{\n  above,\n  clamp,\n  other\n}'],
])('an import of %s grows where the order of its names puts the new one', (names, grown) => {
  const braced = names.startsWith('\\n') ? `{${names.replaceAll('\\n', '\n')}}` : names;
  const textWith = (list: string) =>
    [
      "import { expect, test } from 'vitest';",
      `import ${list} from '../src/index.js';`,
      '',
      "test('one', () => {",
      '  expect(above).toBe(1);',
      '});',
      '',
    ].join('\n');
  const own = "export * from './clamp';\nexport const above = 1, below = 1, other = 1;\nexport default 1;\n";
  const files = { 'src/index.ts': own, 'test/clamp.test.ts': textWith(braced) };
  const after = afterOf(
    written(files, ['test/clamp.test.ts'], [{ given: ['1'], result: { value: '2', promised: false } }]),
  );
  expect(after?.split('\n\n')[0]).toBe(textWith(grown).split('\n\n')[0]);
});

const OF_MEMBER: Case = {
  given: ['"a"', '1'],
  around: ['new ', '("a").has(1)'],
  result: { value: 'true', promised: false },
};

test('a test of a member makes an instance, and joins the group of the member before that of its class', () => {
  const group = (title: string, inner: string) =>
    `describe('${title}', () => {\n  it('is here', () => {\n    expect(clamp(1)).toBe(1);\n  });\n${inner}});\n`;
  const added = `
  // Records what clamp.has does now.
  it('new clamp("a").has(1) returns true', () => {
    expect(new clamp('a').has(1)).toBe(true);
  });
`;
  const inGroup = (titles: readonly string[], of: string) => {
    const text = (more: string) =>
      `${VITEST_HEAD}\n${titles.map((one) => group(one, one === of ? more : '')).join('\n')}`;
    const files = { 'src/clamp.test.ts': text('') };
    const after = afterOf(written(files, ['src/clamp.test.ts'], [OF_MEMBER], { about: 'clamp.has' }));
    expect(after).toBe(text(added));
  };
  inGroup(['clamp', '#has'], '#has');
  inGroup(['other', 'clamp'], 'clamp');
});

test('the class of a member may be part of a module', () => {
  const before =
    "import { expect, test } from 'vitest';\nimport * as lib from './clamp.js';\n\ntest('one', () => {\n  expect(1).toBe(1);\n});\n";
  const after = afterOf(
    written({ 'src/clamp.test.ts': before }, ['src/clamp.test.ts'], [OF_MEMBER], { about: 'clamp.has' }),
  );
  expect(after).toContain("  expect(new lib.clamp('a').has(1)).toBe(true);");
});

test('mocha with chai and require', () => {
  const before = `'use strict';
const { expect } = require('chai');
const lib = require('../lib/clamp');

describe('lib', function () {
  it('keeps', function () {
    expect(lib.clamp(1)).to.equal(1);
  });
});
`;
  const files = { 'lib/clamp.js': 'exports.clamp = (value) => value;\n', 'test/clamp.js': before };
  const made = written(files, ['test/clamp.js'], [{ given: ['[1]'], result: { value: '[1, 2]', promised: false } }], {
    path: 'lib/clamp.js',
  });
  expect(afterOf(made)).toBe(`${before}
describe('clamp', function () {
  // Records what clamp does now.
  it('returns [1, 2] for [1]', function () {
    expect(lib.clamp([1])).to.deep.equal([1, 2]);
  });
});
`);
});

test("a new file beside the other tests has node's own runner and assert, as they have", () => {
  const like = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { other } from '../src/other.ts';

test('other', () => assert.equal(other, 1));
`;
  const files = { 'src/other.ts': "import './clamp.ts';\nexport const other = 1;\n", 'test/other.test.ts': like };
  const promised = { given: ['"it\'s"'], result: { value: 'undefined', promised: true } } as const;
  const made = written(files, ['test/other.test.ts'], [RETURNS, promised], { runner: 'node' });
  expect(made).toMatchObject({ edit: { path: 'test/clamp.test.ts', before: null } });
  expect(afterOf(made)).toBe(`import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clamp } from '../src/clamp.ts';

// Records what clamp does now.
test('clamp returns 10 for 11', () => {
  assert.equal(clamp(11), 10);
});

test('clamp resolves to undefined for "it\\'s"', async () => {
  assert.equal(await clamp("it's"), undefined);
});
`);
});

test('a new file has a blank line before own imports, as the other tests have', () => {
  const like = `import { expect, test } from 'vitest';

import { other } from '../src/other.js';

test('other', () => expect(other).toBe(1));
`;
  const files = { 'src/other.ts': "import './clamp.ts';\nexport const other = 1;\n", 'test/other.test.ts': like };
  const headOf = (text: string) =>
    afterOf(written({ ...files, 'test/other.test.ts': text }, ['test/other.test.ts'], [RETURNS]))?.split(
      '\n\n// Records',
    )[0];
  const [packages, own] = ["import { expect, test } from 'vitest';", "import { clamp } from '../src/clamp.js';"];
  expect(headOf(like)).toBe(`${packages}\n\n${own}`);
  expect(headOf(like.replace('\n\nimport', '\nimport'))).toBe(`${packages}\n${own}`);
});

test("a new file has the expect of its own package where the runner is node's", () => {
  const like = `import { expect } from 'expect';
import { test } from 'node:test';
import { other } from '../src/other.ts';

test('other', () => expect(other).toBe(1));
`;
  const files = { 'src/other.ts': "import './clamp.ts';\nexport const other = 1;\n", 'test/other.test.ts': like };
  expect(
    afterOf(written(files, ['test/other.test.ts'], [RETURNS], { runner: 'node' })),
  ).toBe(`import { expect } from 'expect';
import { test } from 'node:test';
import { clamp } from '../src/clamp.ts';

// Records what clamp does now.
test('clamp returns 10 for 11', () => {
  expect(clamp(11)).toBe(10);
});
`);
});

test('ava has its assertions in the argument of the test', () => {
  const before =
    "import test from 'ava';\nimport clamp from './clamp.js';\n\ntest('a', t => {\n\tt.is(clamp(1), 1);\n});\n";
  const files = { 'clamp.js': 'export default (value) => value;\n', 'test.js': before };
  const made = written(files, ['test.js'], [RETURNS, THROWS], {
    path: 'clamp.js',
    runner: 'ava',
    exportedAs: 'default',
  });
  expect(afterOf(made)).toBe(`${before}
// Records what clamp does now.
test('clamp returns 10 for 11', t => {
\tt.is(clamp(11), 10);
});

test('clamp throws for -1', t => {
\tt.throws(() => clamp(-1), {message: 'It\\'s "below" 0.'});
});
`);
});

test('tests of tape end, and have no arrow function where the file has none', () => {
  const before =
    "'use strict';\n\nvar test = require('tape');\nvar clamp = require('./clamp');\n\ntest('a', function (st) {\n    st.equal(clamp(1), 1);\n    st.end();\n});\n";
  const files = { 'clamp.js': 'module.exports = function (value) { return value; };\n', 'test/clamp.js': before };
  const made = written(
    { ...files, 'test/clamp.js': before.replace('./clamp', '../clamp') },
    ['test/clamp.js'],
    [RETURNS, THROWS, { given: ['[1]'], result: { value: '[1]', promised: false } }],
    { path: 'clamp.js', runner: 'tape', exportedAs: 'default' },
  );
  expect(afterOf(made)).toBe(`${before.replace('./clamp', '../clamp')}
// Records what clamp does now.
test('clamp returns 10 for 11', function (st) {
    st.equal(clamp(11), 10);
    st.end();
});

test('clamp throws for -1', function (st) {
    st.throws(function () { clamp(-1); }, { message: 'It\\'s "below" 0.' });
    st.end();
});

test('clamp returns [1] for [1]', function (st) {
    st.deepEqual(clamp([1]), [1]);
    st.end();
});
`);
});

test('tests of tap are parts of its whole module, also in a file whose tests stand alone', () => {
  const before =
    "const t = require('tap')\n\nconst clamp = require('../clamp')\n\nt.equal(clamp(1), 1, 'keeps small values')\n";
  const files = { 'clamp.js': 'module.exports = (value) => value\n', 'tests/test-clamp.js': before };
  const made = written(files, ['tests/test-clamp.js'], [RETURNS], {
    path: 'clamp.js',
    runner: 'tap',
    exportedAs: 'default',
  });
  expect(afterOf(made)).toBe(`${before}
// Records what clamp does now.
t.test('clamp returns 10 for 11', (ct) => {
  ct.equal(clamp(11), 10)
  ct.end()
})
`);
});

test('refused where no test shows a runner that is known', () => {
  const uvu = "import { test } from 'uvu';\nimport { clamp } from './clamp.js';\n\ntest('a', () => void clamp(1));\n";
  expect(afterOf(written({ 'src/clamp.test.ts': uvu }, ['src/clamp.test.ts'], [RETURNS], { runner: '' }))).toBe(
    'No test that reaches it shows how tests are written here (Vitest, Jest, Mocha, AVA, tape, tap, uvu or node:test).',
  );
});

test('a long result is written on several lines', () => {
  const value =
    '{ name: "a, b", tokens: [{ type: "text", value: "/" }, { type: "param", name: "id" }, { type: "end" }], "x-y": 1 }';
  const before = `${VITEST_HEAD}\ndescribe('clamp', () => {\n  it('keeps small values', () => {\n    expect(clamp(1)).toBe(1);\n  });\n});\n`;
  const made = written(
    { 'src/clamp.test.ts': before },
    ['src/clamp.test.ts'],
    [{ given: ['11'], result: { value, promised: false } }],
  );
  expect(afterOf(made)).toContain(`
    expect(clamp(11)).toEqual({
      name: 'a, b',
      tokens: [
        { type: 'text', value: '/' },
        { type: 'param', name: 'id' },
        { type: 'end' },
      ],
      'x-y': 1,
    });
`);
});

test('a result without a prototype is compared without prototypes, or not at all', () => {
  const result = { value: '{ a: 1 }', promised: false, bare: true } as const;
  const vitest = `${VITEST_HEAD}\nit('keeps small values', () => {\n  expect(clamp(1)).toBe(1);\n});\n`;
  const files = { 'src/clamp.test.ts': vitest };
  expect(afterOf(written(files, ['src/clamp.test.ts'], [{ given: ['11'], result }]))).toContain(
    'expect(clamp(11)).toEqual({ a: 1 });',
  );
  const node = `import test from 'node:test';
import assert from 'node:assert/strict';
import { clamp } from './clamp.js';

test('keeps small values', () => {
  assert.equal(clamp(1), 1);
});
`;
  expect(afterOf(written({ 'src/clamp.test.ts': node }, ['src/clamp.test.ts'], [{ given: ['11'], result }]))).toBe(
    'The assertions of its tests have no form for what it does.',
  );
});

test('several steps become statements, and each export that they need is imported', () => {
  const store = { path: 'src/store.ts', name: 'createStore', exportedAs: 'createStore' };
  const put = { path: 'src/store.ts', name: 'put', exportedAs: 'put' };
  const steps: Case = {
    given: ['"a"'],
    steps: [
      { before: 'const store = ', imported: store, after: '()' },
      { before: '', imported: put, after: '(store, "a")' },
      { before: 'store.size', imported: null, after: '' },
    ],
    result: { value: '1', promised: false },
  };
  const code =
    'export function createStore() { return { size: 0 }; }\nexport const put = (_store: object, _name: string) => 1;\n';
  const before =
    "import { expect, it } from 'vitest';\nimport { createStore } from './store';\n\nit('is empty', () => {\n  expect(createStore().size).toBe(0);\n});\n";
  const more = { path: 'src/store.ts', exportedAs: 'put', about: 'put' };
  const made = written({ 'src/store.ts': code, 'src/store.test.ts': before }, ['src/store.test.ts'], [steps], more);
  expect(afterOf(made)).toContain("import { createStore, put } from './store';\n");
  expect(afterOf(made)).toContain(`it('size returns 1 after put', () => {
  const store = createStore();
  put(store, 'a');
  expect(store.size).toBe(1);
});
`);
});
