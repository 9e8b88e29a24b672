// The linter of Python: where its problems are, and what gives none.

import { expect, test } from 'vitest';
import { createPythonLinter } from '../../../server/src/adapters/ruff/ruff.ts';

const lint = createPythonLinter();
const CODES = ['F401', 'F821'];
/** The code of each problem with the text at its place. */
const problemsOf = (text: string, codes: readonly string[] = CODES) =>
  lint(text, codes).map(({ code, start, end }) => [code, text.slice(start, end)]);

test.each([
  ['line feeds', 'import os\nimport json\n'],
  ['CRLF', 'import os\r\nimport json\r\n'],
  ['a carriage return alone', 'import os\rimport json\r'],
  ['characters of two units before it', 's = "😀😀"; import os; import json\n'],
  ['a byte-order mark', '\uFEFFimport os\nimport json\n'],
  ['no line end', 'import os\nimport json'],
  ['a form feed and a line separator in a text', 's = "\u2028"\n\fimport os\nimport json\n'],
])('places with %s', (_what, text) => {
  expect(problemsOf(text)).toEqual([
    ['F401', 'os'],
    ['F401', 'json'],
  ]);
});

test('only the wanted codes are reported, and each list of codes has its own answer', () => {
  const text = 'import os\nprint(name)\n';
  expect(problemsOf(text)).toEqual([
    ['F401', 'os'],
    ['F821', 'name'],
  ]);
  expect(problemsOf(text, ['F821'])).toEqual([['F821', 'name']]);
  expect(problemsOf(text)).toHaveLength(2);
});

test.each([
  ['a comment at the place', 'import os  # noqa: F401\n'],
  ['a comment for the file', '# ruff: noqa\nimport os\n'],
  ['broken syntax', 'def f(:\n  x = \n'],
  ['no text', ''],
  ['binary content', '\0\u0001\uFFFD\0import'],
])('nothing is reported for %s', (_what, text) => {
  expect(problemsOf(text)).toEqual([]);
});

test('a file that is nested too deeply has no problems, and the next one has its own', () => {
  expect(problemsOf(`import os\nx = ${'('.repeat(20_000)}1${')'.repeat(20_000)}\n`)).toEqual([]);
  expect(problemsOf('import os\n')).toEqual([['F401', 'os']]);
});
