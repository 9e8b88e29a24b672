// One table says what is a test, generated, vendored, built, documentation or an example: no other pattern of ours
// tells it by a path.

import { expect, test } from 'vitest';
import ts from 'typescript';
import { projectFiles, read } from './sourceFiles.ts';

/** Patterns about something else, by file, and what they are about. */
const others: Readonly<Record<string, string>> = {
  'server/src/core/analysis/project/conventions.ts':
    'files that tools load by name, stories and pages of documentation among them',
  'server/src/core/index/graph/entryPoints.ts': 'which source a built file in a manifest is made of',
  'server/src/core/index/graph/resolve/namespaces.ts': 'targets of SwiftPM, which are folders',
  'server/src/core/index/graph/resolve/rust.ts': 'targets of cargo, which are folders',
  'server/src/core/memory/selfModel.ts': 'files in which a package says what it is',
  'server/src/core/propose/characterization/testPlace.ts': 'names of packages',
  'server/src/core/session/verify/testReach.ts': 'names of symbols',
  'server/src/core/verify/claims/localSpies.ts': 'lines of test files',
  'server/src/core/verify/detect/project.ts': 'command lines',
  'server/src/core/verify/integrity/suspiciousAccess.ts': 'names of packages',
};

const KIND =
  /(?<![\w-])(?:tests?|specs?|__tests__|__mocks__|e2e|fixtures?|testdata|vendors?|vendored|third\W{0,4}party|generated|dist|docs?|examples?|changelog)(?![\w-])/i;
/** What tells a path from other texts: a slash, or an ending. */
const PATH = /\\\/|\(\^\||\\\.[^\s]{1,12}\$\/?/;
const FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'fixtures',
  'vendor',
  'third_party',
  'dist',
  'build',
  'out',
  'docs',
  'examples',
  'generated',
  'coverage',
  'target',
]);

test('no other pattern or list tells these kinds of files apart', () => {
  const found = projectFiles('.ts')
    .filter((path) => /^(server|client)\/src\//.test(path) && !path.startsWith('server/src/core/paths/'))
    .flatMap((path) => tellingIn(path).map((what) => `${path}: ${what}`));
  expect(found.filter((row) => !(row.split(': ')[0]! in others))).toEqual([]);
});

test('each exemption is of something that is there', () => {
  expect(
    Object.keys(others).filter((path) => !projectFiles('.ts').includes(path) || tellingIn(path).length === 0),
  ).toEqual([]);
});

test.each([
  ['a pattern', 'const TESTS = /(^|\\/)tests?\\//;', 1],
  ['an ending', 'const TESTS = /[._-](test|spec)\\.[jt]s$/;', 1],
  ['a list of folders', "const SKIPPED = ['dist', 'build', 'coverage'];", 1],
  ['a word', 'const CALLED = /\\b(test|it)\\(/;', 0],
  ['two words', "const STAGES = ['build', 'test'];", 0],
])('it would be seen: %s', (_, text, count) => {
  expect(telling('src/a.ts', text).length).toBe(count);
});

function tellingIn(path: string): string[] {
  return telling(path, read(path));
}

function telling(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && KIND.test(node.text) && PATH.test(node.text)) found.push(node.text);
    const folders = ts.isArrayLiteralExpression(node)
      ? node.elements.filter((one) => ts.isStringLiteral(one) && FOLDERS.has(one.text))
      : [];
    if (folders.length >= 3) found.push(node.getText(file).slice(0, 80));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
