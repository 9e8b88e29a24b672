// Examples in the comments of code: where they begin and end, and which names they get.

import { expect, test } from 'vitest';
import { findCommentBlocks } from '../../../server/src/core/verify/examples/commentBlocks.ts';
import { planExamples } from '../../../server/src/core/verify/examples/planExamples.ts';

const plan = (path: string, text: string, packageName: string | null = 'sums') =>
  planExamples({
    path,
    text,
    packageName,
    codePath: path.endsWith('.d.ts') ? null : path,
    isAtPackageRoot: !path.includes('/'),
  });
/** A function with an example, which is exported as `exported` says. */
const documented = (exported: string, ...lines: readonly string[]) =>
  `/**\n * Adds.\n * @example\n${lines.map((line) => ` * ${line}\n`).join('')} * @returns the sum\n */\n${exported}\n`;
const codeOf = (path: string, text: string, packageName?: string | null) =>
  plan(path, text, packageName).programs.map(({ code }) => code);

test('an example ends at the next tag; fenced code may contain tags', () => {
  const text = [
    '/** @example */',
    'class A {',
    '  /**',
    '   * Adds.',
    '   * @example Two numbers',
    '   * add(1, 2); // => 3',
    '   *',
    '   * @example',
    '   * ```ts',
    '   * @tag class B {}',
    '   * ```',
    '   * @returns the sum',
    '   */',
    '}',
    '/** @example',
    'add(2, 2) // => 4 */',
    '/* @example',
    ' * add(0, 0) // => 1 */',
  ].join('\n');
  expect(findCommentBlocks(text)).toEqual([
    { code: 'add(1, 2); // => 3\n', line: 6, columns: [5, 4] },
    { code: '@tag class B {}', line: 10, columns: [5] },
    { code: 'add(2, 2) // => 4', line: 16, columns: [0] },
  ]);
});

test('line and column of a result are those of the file', () => {
  const text = documented('export const add = (a: number, b: number) => a + b;', 'add(1, 2); // => 3', '// Returns: 4');
  expect(plan('src/add.ts', text).programs[0]!.checks).toEqual([
    { line: 4, column: 20, call: 'add(1, 2)', stated: '3' },
  ]);
  expect(text.split('\n')[3]!.slice(20)).toBe('3');
});

test.each([
  ['a named export', 'src/add.ts', 'export function add() {}'],
  ['an export list', 'src/add.ts', 'function plus() {}\nexport { plus as add };'],
  ['a default export', 'add.mjs', 'export default function add() {}'],
  ['a default export of a name', 'add.js', 'function add() {}\nexport default add;'],
  ['module.exports', 'add.cjs', 'function add() {}\nmodule.exports = add;'],
  ['an object', 'add.js', 'module.exports = { add, b: 1 };'],
  ['a property of exports', 'add.js', 'exports.add = () => 1;'],
])('an example gets %s of its file, also as a member of a namespace', (_, path, exported) => {
  const [name] = codeOf(path, documented(exported, 'add(1, 2); // => 3'), null);
  expect(name).toContain(`from './${path.split('/').at(-1)}'`);
  expect(name).toContain('const add = ');
  const [namespace] = codeOf(path, documented(exported, 'R.add(1, 2); // => 3'), null);
  expect(namespace).toContain('const R = { add: ');
});

test('other functions come from the package, if the example is certainly about it', () => {
  const code = 'export function add() {}';
  expect(codeOf('add.js', documented(code, 'add(1, inc(1)); // => 3'))[0]).toContain("from 'sums'");
  expect(codeOf('add.js', documented(code, '_.add(1, _.inc(1)); // => 3'))[0]).toContain('const _ = examplePackage;');
  expect(codeOf('add.js', documented(code, 'user.name; // => 3'))).toEqual([]);
  // The package may export another function of the name, so the file has to be certain of one that both export.
  expect(codeOf('add.js', documented(code, 'inc(1); // => 2'))).toEqual([]);
  expect(codeOf('add.js', documented(code, 'add(1, inc(1)); // => 3'))[0]).toContain('exampleSame(');
  expect(plan('add.js', documented(code, 'add(1, inc(1)); // => 3'), null).leftOut).toEqual([
    { path: 'add.js', line: 4, reason: 'It uses names that its file does not export.' },
  ]);
});

test('type declarations are not loaded: their examples import the package, or get its members', () => {
  const declared = 'export default function add(a: number): number;';
  const [imported] = codeOf('index.d.ts', documented(declared, "import add from 'sums';", 'add(1); // => 3'));
  expect(imported).not.toContain('index.d');
  expect(codeOf('index.d.ts', documented(declared, 'add(1); // => 3'))[0]).toContain('examplePackage.add');
  // Another folder may belong to another entry of the package.
  expect(codeOf('lite/index.d.ts', documented(declared, 'add(1); // => 3'))).toEqual([]);
});

test('an export may have the name of a global', () => {
  const text = documented('export function escape() {}', "escape('<'); // => '&lt;'", "encodeURI('<'); // => '%3C'");
  const [code] = codeOf('escape.js', text, null);
  expect(code).toContain('const escape = ');
  expect(code).not.toContain('const encodeURI');
});

test('variables that an example only assigns are declared', () => {
  const text = documented('export function add() {}', 'sum = add(1, 2);', '// => 3');
  expect(codeOf('add.js', text)[0]).toContain('let sum;');
});

test('without the tag, nothing is planned', () => {
  expect(plan('add.js', '/**\n * add(1) // => 2\n */\nexport function add() {}\n')).toEqual({
    programs: [],
    leftOut: [],
  });
});
