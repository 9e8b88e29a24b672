// The failing test of a call that breaks, written like the tests beside the function.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { writeFailingTest, type BrokenCall } from '../../../server/src/core/propose/characterization/failingTest.ts';

function written(files: Readonly<Record<string, string>>, found: Partial<BrokenCall>) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-failing-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return writeFailingTest(createSourceTree(root), {
    path: 'src/a.ts',
    name: 'a',
    exportedAs: 'a',
    partner: null,
    call: 'a("")',
    equals: null,
    expected: 'should return a value',
    kind: 'engineError',
    ...found,
  });
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
      "  expect(() => a('')).not.toThrow();",
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
  expect(written(VITEST, { call }).text).toContain(`expect(() => ${quoted}).not.toThrow();`);
});

test('a value that the type rules out: the test fails as long as the call returns it', () => {
  const wrong = { kind: 'wrongType', call: 'a([])', unlike: 'undefined' };
  expect(written(VITEST, wrong).text).toContain(
    "it('a returns what its type says', () => {\n  expect(a([])).not.toEqual(undefined);\n});",
  );
  expect(written({ 'src/a.ts': '' }, wrong).text).toContain('assert.notDeepEqual(a([]), undefined)');
});
