// The failing test of a call that breaks, written like the tests beside the function.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { createFailingTest, type BrokenCall } from '../../../server/src/core/propose/characterization/failingTest.ts';

function written(files: Readonly<Record<string, string>>, found: Partial<BrokenCall>) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-failing-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const made = createFailingTest(createSourceTree(root), {
    path: 'src/a.ts',
    name: 'a',
    exportedAs: 'a',
    partner: null,
    call: 'a("")',
    equals: null,
    expected: 'should return a value',
    observed: 'throws TypeError: a is undefined',
    kind: 'engineError',
    ...found,
  });
  return 'refused' in made ? { path: '', text: made.refused } : made;
}

const VITEST = {
  'src/a.ts': 'export const a = 1;\n',
  'src/a.test.ts':
    "import { expect, it } from 'vitest';\nimport { a } from './a.js';\n\nit('a', () => {\n  expect(a).toBe(1);\n});\n",
};

test('for a test file that is there: its runner, its style, its specifiers', () => {
  expect(written(VITEST, {})).toEqual({
    path: 'src/a.test.ts',
    text: [
      "import { expect, it } from 'vitest';",
      "import { a } from './a.js';",
      '',
      "it('a does not break', () => {",
      "  expect(() => a('')).not.toThrow(TypeError);",
      '});',
      '',
    ].join('\n'),
  });
});

test('a pair of two files: an import for each, and what should come back', () => {
  const { text } = written(VITEST, {
    kind: 'roundTrip',
    name: 'encode',
    exportedAs: 'default',
    partner: { path: 'src/b.ts', name: 'decode', exportedAs: 'decode' },
    call: 'decode(encode("&"))',
    equals: '"&"',
  });
  expect(text).toBe(
    [
      "import { expect, it } from 'vitest';",
      "import encode from './a.js';",
      "import { decode } from './b.js';",
      '',
      "it('decode gives back what encode was given', () => {",
      "  expect(decode(encode('&'))).toBe('&');",
      '});',
      '',
    ].join('\n'),
  );
});

test('without any test beside it: a file beside the function, for the runner of Node', () => {
  expect(
    written({ 'src/a.ts': 'export const a = "b"\n' }, { kind: 'settles', call: 'a(a("x"))', equals: '"y"' }),
  ).toEqual({
    path: 'src/a.test.ts',
    text: [
      '// No test beside the function shows how tests run here: adapt the runner and the imports if they differ.',
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      'import { a } from "./a.ts";',
      '',
      'test("a changes nothing the second time", () => {',
      '  assert.equal(a(a("x")), "y");',
      '});',
      '',
    ].join('\n'),
  });
});

test.each([
  ['a("\\n", "")', 'a("\\n", \'\')'],
  ['a("it\'s", "b")', "a(\"it's\", 'b')"],
  ['a("\\"", "b")', 'a("\\"", \'b\')'],
])('%s keeps its values in the quotes of the tests', (call, quoted) => {
  expect(written(VITEST, { call }).text).toContain(`expect(() => ${quoted}).not.toThrow(TypeError);`);
});

test('a value that the type rules out: the test fails as long as the call returns it', () => {
  const wrong = { kind: 'wrongType', call: 'a([])', unlike: 'undefined' };
  expect(written(VITEST, wrong).text).toContain(
    "it('a returns what its type says', () => {\n  expect(a([])).not.toEqual(undefined);\n});",
  );
  expect(written({ 'src/a.ts': '' }, wrong).text).toContain('assert.notDeepEqual(a([]), undefined)');
});

test('a call that waits is checked once it has settled', () => {
  expect(written(VITEST, { tested: 'await a("")' }).text).toContain(
    "it('a does not break', async () => {\n  expect(await a('').catch((error) => error)).not.toBeInstanceOf(TypeError);\n});",
  );
  const wrong = {
    kind: 'wrongType',
    observed: 'returns a function',
    tested: 'typeof await a("")',
    unlike: '"function"',
  };
  expect(written(VITEST, wrong).text).toContain(
    "async () => {\n  expect(typeof await a('')).not.toEqual('function');\n});",
  );
});

/** True if the test of a call of `a` passes with this code, in the runner of Node. */
function isPassed(code: string, found: Partial<BrokenCall>): boolean {
  const root = mkdtempSync(join(tmpdir(), 'selfware-failing-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'a.mjs'), `export ${code}\n`);
  const made = createFailingTest(createSourceTree(root), {
    ...{ path: 'a.mjs', name: 'a', exportedAs: 'a', partner: null, call: 'a("")', equals: null, kind: 'engineError' },
    ...{ expected: 'should return a value', observed: 'throws TypeError: a is undefined', ...found },
  });
  if ('refused' in made) throw new Error(made.refused);
  writeFileSync(join(root, made.path), made.text);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--test', made.path], { cwd: root, env }).status === 0;
}

test.each([
  ['a call', 'function a(text) { return text[0].trim(); }', {}],
  ['a call that waits', 'async function a(text) { return text[0].trim(); }', { tested: 'await a("")' }],
  ['an iterator', 'function* a(text) { yield text[0].trim(); }', { tested: '[...a("")]' }],
])('for the runner of Node, the test of %s fails until the error says what is wrong', (_what, code, found) => {
  const refusing = code.replace('{', "{ if (text === '') throw new Error('empty');");
  const answering = code.replace('text[0]', 'text');
  expect([code, refusing, answering].map((text) => isPassed(text, found))).toEqual([false, true, true]);
});

const ENDLESS = { kind: 'endless', call: 'a(-2, "`${b}`")', observed: 'does not end within 10 s' };

test('the test of a call that does not end fails, and ends itself', () => {
  const code = 'function a(count) { while (count !== 0) count--; }';
  expect([code, code.replace('!== 0', '> 0')].map((text) => isPassed(text, ENDLESS))).toEqual([false, true]);
});

test('no test is offered for a call that does not end if its specifier has no extension, which a thread would need', () => {
  const node = {
    'package.json': '{ "scripts": { "test": "node --test" } }',
    'src/a.ts': 'export const a = 1;\n',
    'src/a.test.ts': "import { test } from 'node:test';\nimport { a } from './a';\n\ntest('a', () => a);\n",
  };
  expect(written(node, ENDLESS).text).toMatch(/^A test of it would hang/);
});

test('no test is offered for a call that does not end if the runner could not load the file in a thread', () => {
  const jest = { 'package.json': '{ "devDependencies": { "jest": "^29" } }', 'src/a.js': '' };
  expect([written(VITEST, ENDLESS).text, written(jest, { ...ENDLESS, path: 'src/a.js' }).text]).toEqual([
    'A test of it would hang: a call that does not end cannot be stopped by Vitest.',
    'A test of it would hang: a call that does not end cannot be stopped by Jest.',
  ]);
});
