// Tests that record what a function does follow the commas of their file, and find the main file of a package.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import type { CaseResult } from '../../../server/src/core/propose/characterization/caseText.ts';
import { createGuardingTest } from '../../../server/src/core/propose/characterization/guardingTest.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { hasTrailingCommas } from '../../../server/src/core/propose/fileStyle.ts';

const VALUE = '{ name: "a, b", tokens: [1, 2], path: "one/two/three/four/five/six/seven/eight/nine", end: true }';

function written(files: Readonly<Record<string, string>>, path: string, required: string) {
  const before = `const assert = require('assert');
const lib = require('${required}');

describe('lib', () => {
  it('splits', () => {
    assert.deepStrictEqual(lib.split('a'), {
      name: 'a',
      end: true
    });
  });
});
`;
  return writtenIn({ ...files, 'test/all.js': before }, path, 'test/all.js', VALUE);
}

function writtenIn(
  files: Readonly<Record<string, string>>,
  path: string,
  test: string,
  value: string | CaseResult = '1',
  runner = 'mocha',
) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-guarding-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const cases = [{ given: ['"a"'], result: typeof value === 'string' ? { value, promised: false } : value }];
  return createGuardingTest(
    { path, name: 'split', qualifiedName: 'split', exportedAs: 'split', cases },
    { tests: [test], runner },
    createSourceTree(root),
    openProject,
  );
}

const CODE = 'exports.split = (text) => ({ name: text });\n';
const ADDED = `
describe('split', () => {
  // Records what split does now.
  it('returns an object for "a"', () => {
    assert.deepStrictEqual(lib.split('a'), {
      name: 'a, b',
      tokens: [1, 2],
      path: 'one/two/three/four/five/six/seven/eight/nine',
      end: true
    });
  });
});
`;

test.each([
  [
    'the main file of a package',
    { 'package.json': '{ "main": "lib/split.js" }', 'lib/split.js': CODE },
    'lib/split.js',
    '../',
  ],
  ['the index of the folder', { 'index.js': CODE }, 'index.js', '..'],
  ['the file', { 'lib/split.js': CODE }, 'lib/split.js', '../lib/split'],
  ['a file that is built from it', { 'package.json': '{}', 'src/split.js': CODE }, 'src/split.js', '../lib/split'],
  [
    'an entry that is what another file exports',
    { 'index.js': "module.exports = require('./lib/split');\n", 'lib/split.js': CODE },
    'lib/split.js',
    '..',
  ],
  [
    'an entry with the members of another file',
    {
      'index.js': `const own = require('./lib/split');
function lib() { return own; }
Object.assign(lib, own);
module.exports = lib;
`,
      'lib/split.js': CODE,
    },
    'lib/split.js',
    '../',
  ],
])('%s is used as the test has it, without commas at the end', (_, files, path, required) => {
  const made = written(files, path, required);
  expect('refused' in made ? made.refused : made.edit.after!.slice(made.edit.before!.length)).toBe(ADDED);
});

test.each([
  "const own = require('./lib/split');\nObject.assign(exports, own);\nexports.split = () => 2;\n",
  "module.exports = require('./lib/split');\nmodule.exports.split = () => 2;\n",
  "module.exports = require('./lib/split').inner;\n",
  "module.exports = require('./lib/split')({});\n",
])('an entry that exports something else under the name is not the way to it: %s', (index) => {
  const made = written({ 'index.js': index, 'lib/split.js': CODE }, 'lib/split.js', '..');
  expect('refused' in made ? made.refused : made.edit.path).toBe('test/split.js');
});

test('a test file that is named after the file requires it beside the entry of the package', () => {
  const before = `var assert = require('assert')
var lib = require('..')

describe('lib', function () {
  it('is there', function () { assert.ok(lib) })
})
`;
  const made = writtenIn(
    { 'index.js': '', 'lib/split.js': CODE, 'test/split.js': before },
    'lib/split.js',
    'test/split.js',
  );
  expect('refused' in made ? made.refused : made.edit.after).toBe(
    before.replace("require('..')\n", "require('..')\nvar { split } = require('../lib/split')\n") +
      `
describe('split', function () {
  // Records what split does now.
  it('returns 1 for "a"', function () {
    assert.strictEqual(split('a'), 1)
  })
})
`,
  );
});

test.each([
  ['{\n  a: 1,\n  b: 2\n}', false],
  ['{\n  a: 1,\n  b: 2,\n}', true],
  ["[\n  'a',\n  'b'\n];", false],
  ['function a() {\n  run();\n}', true],
  ['switch (a) {\n  case 1: break\n}\nf();', true],
  ['', true],
])('whether lists end with a comma: %j', (text, expected) => {
  expect(hasTrailingCommas(text)).toBe(expected);
});

test('objects and imports have no blanks in braces where the file has none, and functions keep theirs', () => {
  const before = `import test from 'ava';
import {other} from '../index.js';

test('other', t => {
	t.deepEqual(other({a: 1}), {a: 1});
});
`;
  const root = mkdtempSync(join(tmpdir(), 'selfware-guarding-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'test'));
  writeFileSync(join(root, 'index.js'), 'export const other = x => x;\nexport const split = x => x;\n');
  writeFileSync(join(root, 'test/all.js'), before);
  const value = '{ a: [{ b: "{ c }" }], d: {} }';
  const cases = [{ given: ['{ e: (x) => { return x; } }'], result: { value, promised: false } }];
  const made = createGuardingTest(
    { path: 'index.js', name: 'split', qualifiedName: 'split', exportedAs: 'split', cases },
    { tests: ['test/all.js'], runner: 'ava' },
    createSourceTree(root),
    openProject,
  );
  expect('edit' in made ? made.edit.after : made).toContain("import {other, split} from '../index.js';");
  expect('edit' in made ? made.edit.after : made).toContain(
    "t.deepEqual(split({e: (x) => { return x; }}), {a: [{b: '{ c }'}], d: {}});",
  );
});

test.each([
  ['the same file', 'test/split.js', "const { split } = require('../lib/split');\n", ''],
  [
    'a new file',
    'test/other.js',
    '',
    "const { test } = require('./util');\nconst { split } = require('../lib/split');\n",
  ],
])('tests of tape whose function a helper passes on: %s', (_, path, required, head) => {
  const before = `const { test } = require('./util');
${required}
test('is there', (t) => {
  t.ok(true);
  t.end();
});
`;
  const made = writtenIn({ 'lib/split.js': CODE, [path]: before }, 'lib/split.js', path, '1', 'tape');
  expect('refused' in made ? made.refused : made.added).toBe(
    `${head}${head === '' ? '' : '\n'}// Records what split does now.
test('split returns 1 for "a"', (t) => {
  t.equal(split('a'), 1);
  t.end();
});
`,
  );
});

const UVU = "import { suite, test } from 'uvu';\nimport * as assert from 'uvu/assert';\n";
test.each([
  [
    'the default suite',
    `${UVU}import { split } from '../lib/split.js';\n\ntest('is', () => {});\n`,
    'test',
    'assert.is(',
  ],
  [
    'the suite about it',
    `${UVU}import { split } from '../lib/split.js';\n\nconst splits = suite('split()');\nsplits('is', () => {});\n`,
    'splits',
    'assert.is(',
  ],
  [
    'the whole module',
    `import * as uvu from 'uvu';\nimport * as assert from 'uvu/assert';\nimport { split } from '../lib/split.js';\n`,
    'uvu.test',
    'assert.is(',
  ],
  [
    'functions that the file imports',
    `let { test } = require('uvu');\nlet { equal } = require('uvu/assert');\nlet { split } = require('../lib/split.js');\n`,
    'test',
    'equal(',
  ],
])('tests of uvu stand before the run of %s', (_, before, suite, assertion) => {
  const after = `\n${suite}.run();\n\nconst other = suite('other');\n`;
  const file = `${before}${after}`;
  const made = writtenIn({ 'lib/split.js': CODE, 'test/split.js': file }, 'lib/split.js', 'test/split.js', '1', 'uvu');
  expect('refused' in made ? made.refused : made.edit.after).toBe(`${before.trimEnd()}

// Records what split does now.
${suite}('${suite.endsWith('test') ? 'split ' : ''}returns 1 for "a"', () => {
  ${assertion}split('a'), 1);
});
${after}`);
});

test('a describe of the file itself, which passes the function for tests of uvu on, gets them', () => {
  const head = `import * as uvu from 'uvu';
import * as assert from 'uvu/assert';
import * as lib from '../src/split';

function describe(name: string, work: (it: uvu.Test) => void) {
  let tests = uvu.suite(name);
  work(tests);
  tests.run();
}
`;
  const group = (title: string, more = '') =>
    `\ndescribe('${title}', it => {\n\tit('is', () => {\n\t\tassert.ok(lib);\n\t});\n${more}});\n`;
  const added = `\n\t// Records what split does now.
\tit('returns 1 for "a"', () => {
\t\tassert.is(lib.split('a'), 1);
\t});
`;
  const made = (title: string) => {
    const files = { 'src/split.ts': 'export const split = (_: string) => 1;\n', 'test/all.ts': head + group(title) };
    const edit = writtenIn(files, 'src/split.ts', 'test/all.ts', '1', 'uvu');
    return 'refused' in edit ? edit.refused : edit.edit.after;
  };
  expect(made('lib.split')).toBe(head + group('lib.split', added));
  expect(made('lib.join')).toBe(`${head}${group('lib.join')}\ndescribe('split', it => {${added}});\n`);
});

test('an error is compared in tests of uvu, where a text would only be a message', () => {
  const file = `${UVU}import { split } from '../lib/split.js';\n\ntest('is', () => {});\ntest.run();\n`;
  const result = { throws: 'Error', message: "it's empty", promised: false };
  const made = writtenIn(
    { 'lib/split.js': CODE, 'test/split.js': file },
    'lib/split.js',
    'test/split.js',
    result,
    'uvu',
  );
  expect(made).toMatchObject({
    added: expect.stringContaining(`assert.throws(() => split('a'), (error) => error.message === "it's empty");`),
  });
});

test('a test goes behind the last one that is titled so, and takes its way to name the member', () => {
  const [first, last] = ["test('split() is', () => expect(1).toBe(1));\n", "\ntest('join() is', () => {});\n"];
  const file = `import { split } from '../lib/split.js';\n\n${first}${last}`;
  const made = writtenIn({ 'lib/split.js': CODE, 'test/all.js': file }, 'lib/split.js', 'test/all.js', '1', 'jest');
  expect('refused' in made ? made.refused : made.edit.after).toBe(
    file.replace(
      first,
      `${first}
// Records what split does now.
test('split() returns 1 for "a"', () => {
  expect(split('a')).toBe(1);
});
`,
    ),
  );
});

test('a suite with the name of the test function is not written into a new file', () => {
  const file = (own: string) =>
    `import { suite, test as plain } from 'uvu';\nimport * as assert from 'uvu/assert';\n` +
    `import { join } from '../lib/join.js';\n\n${own}test('is', () => {\n  assert.is(join(), 1);\n});\n\ntest.run();\n`;
  const made = (text: string) =>
    writtenIn(
      { 'lib/split.js': CODE, 'lib/join.js': 'export const join = () => 1;\n', 'test/join.test.js': text },
      ...(['lib/split.js', 'test/join.test.js', '1', 'uvu'] as const),
    );
  expect(made(file("const test = suite('join');\n\n"))).toEqual({
    refused: 'The tests here belong to suites, and none of them is about it.',
  });
  expect(made(file('').replace('test as plain', 'test'))).toMatchObject({ edit: { path: 'test/split.test.js' } });
});

test('without semicolons and lists on several lines, lists end without a comma', () => {
  expect(hasTrailingCommas('const a = [1]\n')).toBe(false);
  expect(hasTrailingCommas('const a = [1];\n')).toBe(true);
});

test.each([
  ['t =>', 't', 't'],
  ['async (context) =>', '(context)', 'context'],
])('the assertions that node:test passes to a test are used: %s', (head, parameters, name) => {
  const before = `'use strict'

const { test } = require('node:test')
const { split } = require('../split')

test('split splits', ${head} {
  t.plan(1)
  ${name}.assert.equal(split('b'), 2)
})
`;
  const made = writtenIn({ 'split.js': CODE, 'test/split.test.js': before }, 'split.js', 'test/split.test.js');
  expect('refused' in made ? made.refused : made.edit.after!.slice(before.length)).toBe(`
// Records what split does now.
test('split returns 1 for "a"', ${parameters} => {
  ${name}.assert.strictEqual(split('a'), 1)
})
`);
});

test.each([
  ['{id: 1}', "{message: 'odd'}"],
  ['{ id: 1 }', "{ message: 'odd' }"],
])('the braces of an expected error follow those of the file: %s', (object, expectedError) => {
  const before = `import assert from 'node:assert';
import test from 'node:test';
import { split } from '../lib/split.js';

test('one', () => {
  assert.deepEqual(split('b'), ${object});
  assert.deepEqual(split('c'), ${object});
});
`;
  const result: CaseResult = { throws: 'Error', message: 'odd', promised: false };
  const files = { 'lib/split.js': 'export const split = (text) => ({ id: 1 });\n', 'test/split.js': before };
  const made = writtenIn(files, 'lib/split.js', 'test/split.js', result, 'node --test');
  expect('refused' in made ? made.refused : made.added).toContain(`assert.throws(() => split('a'), ${expectedError});`);
});
