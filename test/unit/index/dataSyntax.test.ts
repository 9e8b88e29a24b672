// Data that does not parse is told, in the dialect that the file has; what only looks odd is not.

import { expect, test } from 'vitest';
import { findDataProblems } from '../../../server/src/core/index/parse/dataSyntax.ts';

/** The message, `fine`, or `unknown` where nothing reads its kind. */
function told(path: string, text: string, earlier: string | null = null): string {
  const problems = findDataProblems(path, text, earlier);
  return problems === null ? 'unknown' : (problems[0]?.message ?? 'fine');
}

test.each([
  ['package.json', '{ "a": 1 '],
  ['package.json', '{ "a": 1, }'],
  ['data.json', '{ // no\n "a": 1 }'],
  ['data.json', ''],
  ['lines.jsonl', '{"a":1}\n{"a":\n'],
  ['tsconfig.json', '{ "a": 1 // yes\n'],
  ['.vscode/settings.json', "{ 'a': 1 }"],
  ['.babelrc', '{ "presets": [ }'],
  ['x.json5', '{ a: 1'],
  ['a.yaml', 'a: [1, 2\n'],
  ['a.yaml', 'a: 1\n---\nb: "x\n'],
  ['a.yaml', 'a: 1\n b: 2\n'],
  ['.github/workflows/ci.yml', 'run: ${{ github.sha }}\n on: push\n'],
  ['Cargo.toml', '[package\nname = "x"\n'],
  ['pyproject.toml', 'a = 1\na = 2\n'],
])('%s that does not parse is told: %j', (path, text) => {
  expect(told(path, text)).toMatch(/^It is not valid (JSON|JSON5|YAML|TOML)[ a-z]*: .+/);
});

test.each([
  ['package.json', '\uFEFF{ "a": 1 }\n'],
  ['lines.ndjson', '{"a":1}\n\n{"a":2}\n'],
  ['tsconfig.build.json', '{\n  // comment, with "quotes"\n  "a": "http://x/*y*/", /* more */\n  "b": [1, 2,],\n}\n'],
  ['.vscode/launch.json', '{ "a": ",}", }'],
  ['.eslintrc.json', '{ "rules": {}, /* none */ }'],
  ['x.json5', "{ a: 'b', }"],
  ['a.yaml', ''],
  ['many.yaml', 'a: 1\n---\nb: 2\n...\n---\n- c\n'],
  ['template.yaml', 'Bucket: !Ref Name\nJoin: !Join [",", [a, b]]\nSecret: !vault |\n  abc\n'],
  ['merge.yml', 'x: &x { a: 1 }\ny:\n  <<: *x\n  b: 2\n'],
  ['.github/workflows/ci.yml', 'on: push\nenv: { A: "${{ secrets.A }}" }\n'],
  ['Cargo.toml', '[package]\nname = "x"\n[[bin]]\npath = "a"\n'],
  ['poetry.lock', '[[package]]\nname = "x"\n'],
])('%s that parses raises no alarm: %j', (path, text) => {
  expect(told(path, text)).toBe('fine');
});

test('a text is read as the one before it was: comments in a .json that had some are fine, new ones are not', () => {
  expect(told('config.json', '{ /* two */ "a": 1 }', '{ /* one */ "a": 1 }')).toBe('fine');
  expect(told('config.json', '{ /* two */ "a": 1 ', '{ /* one */ "a": 1 }')).toMatch(
    /^It is not valid JSON with comments: /,
  );
  expect(told('config.json', '{ /* one */ "a": 1 }', '{ "a": 1 }')).toMatch(/^It is not valid JSON: /);
  expect(told('config.json', "{ a: 'c' }", "{ a: 'b' }")).toBe('fine');
});

test('what nobody here can read is unknown: other kinds, templates, and texts beyond any hand', () => {
  expect(told('page.css', 'a {}')).toBe('unknown');
  expect(told('deep.yaml', `${'- '.repeat(20_000)}a\n`)).toBe('unknown');
  expect(told('chart/templates/x.yaml', '{{- if .Values.x }}\na: {{ .Values.a }}\n{{- end }}\n')).toBe('unknown');
  expect(told('deep.json', '['.repeat(100_000))).toBe('unknown');
  expect(told('long.json', `"${'x'.repeat(5_000_000)}"`)).toBe('unknown');
});
