// Tests that record calls in JavaScript, whose comments the compiler takes for types, and in Vitest's own `assert`.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { writeGuardingTests, type GuardingTestsJob } from '../../../server/src/core/jobs/guardingTests.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';

type Calls = GuardingTestsJob['input']['functions'][number]['calls'];

/** The answer for one function of the file `path`, which the file `test` tests. */
function guarded(
  files: Readonly<Record<string, string>>,
  path: string,
  [test, runner]: readonly [string, string],
  named: string | { readonly name: string; readonly className: string; readonly exportedAs: string },
  calls: Calls,
) {
  const rootDir = mkdtempSync(join(tmpdir(), 'selfware-calls-'));
  onTestFinished(() => rmSync(rootDir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(rootDir, file)), { recursive: true });
    writeFileSync(join(rootDir, file), text);
  }
  const names = typeof named === 'string' ? { name: named, exportedAs: named } : named;
  const functions = [{ path, ...names, calls }];
  const order = { rootDir, functions, tests: { [path]: [test] }, runner };
  return writeGuardingTests(order, createSourceTree(rootDir), openProject)[0]!;
}

function calling(call: string, given: readonly string[], value = '1', bare?: true): Calls[number] {
  return { call, given, result: { value, promised: false, ...(bare && { bare }) } };
}

const MOCHA = `const assert = require('assert');
const scan = require('../lib/scan');

describe('scan', () => {
  it('scans', () => {
    assert.strictEqual(scan.deep('a'), 1);
  });
});
`;

test('calls in JavaScript may leave out arguments, pass further options, and reach a property of a function', () => {
  const lib = `/**
 * @param {string} text
 * @param {Object} options
 * @param {boolean} [options.dot]
 */
const scan = (text, options) => (options && options.dot ? 2 : text.length);
/**
 * @param {string} text
 * @param {{ dot?: boolean }} options
 */
scan.deep = (text, options) => scan(text, options);
module.exports = scan;
`;
  const files = { 'lib/scan.js': lib, 'test/scan.js': MOCHA };
  const calls = [
    calling('deep("a")', ['"a"']),
    calling('deep("a", { parts: true })', ['"a"', '{ parts: true }']),
    calling('deep("a", "b", "c", "d")', ['"a"', '"b"', '"c"', '"d"']),
  ];
  const { allowed, test: written } = guarded(files, 'lib/scan.js', ['test/scan.js', 'mocha'], 'deep', calls);
  expect(allowed).toEqual([true, true, true]);
  expect('added' in written ? written.added : written.refused).toContain("assert.strictEqual(scan.deep('a'), 1);");
});

test('a method on a prototype is called, and the title leaves out how its object is made if that is long', () => {
  const lib = `function Shelf(books) { this.books = books; }
Object.assign(Shelf.prototype, { first(prefix) { return this.books.find((one) => one.startsWith(prefix)); } });
module.exports = { Shelf };
`;
  const spec = MOCHA.replace("const scan = require('../lib/scan')", "const { Shelf } = require('../lib/shelf')");
  const files = { 'lib/shelf.js': lib, 'test/shelf.js': spec };
  const around = ['new ', '({ owner: "somebody", books: ["first of all", "second"] }).first("fir")'] as const;
  const call = { ...calling(`${around[0]}Shelf${around[1]}`, []), around };
  const names = { name: 'Shelf.first', className: 'Shelf', exportedAs: 'Shelf' };
  const { allowed, test: written } = guarded(files, 'lib/shelf.js', ['test/shelf.js', 'mocha'], names, [call]);
  expect(allowed).toEqual([true]);
  expect('added' in written ? written.added : written.refused).toContain(`it('first("fir") returns 1', () => {`);
});

test('a call that a comment forbids by its type is refused, and in TypeScript a missing argument, too', () => {
  const lib = '/** @param {string} text */\nfunction deep(text) { return text.length; }\nexports.deep = deep;\n';
  const javascript = { 'lib/scan.js': lib, 'test/scan.js': MOCHA };
  const place = ['test/scan.js', 'mocha'] as const;
  expect(guarded(javascript, 'lib/scan.js', place, 'deep', [calling('deep()', []), calling('deep(1)', ['1'])])).toEqual(
    expect.objectContaining({ allowed: [true, false] }),
  );
  const typescript = { 'lib/scan.ts': 'export const deep = (text: string) => text.length;\n', 'test/scan.js': MOCHA };
  expect(guarded(typescript, 'lib/scan.ts', place, 'deep', [calling('deep()', [])]).allowed).toEqual([false]);
});

test('tests with the assert of Vitest are written in the same way, and compare objects without a prototype', () => {
  const spec = `import { describe, it, assert } from "vitest";
import { parse } from "./index.js";

describe("parse", function () {
  it("parses", function () {
    assert.deepEqual(parse("a"), { type: "a" });
  });
});
`;
  const code = 'export function parse(text: string) {\n  return { type: text };\n}\n';
  const files = { 'src/index.ts': code, 'src/parse.spec.ts': spec };
  const calls = [calling('parse("b")', ['"b"'], '{ type: "b" }', true)];
  const { test: written } = guarded(files, 'src/index.ts', ['src/parse.spec.ts', 'vitest'], 'parse', calls);
  expect('added' in written ? written.added : written.refused).toBe(`  // Records what parse does now.
  it('returns { type: "b" } for "b"', function () {
    assert.deepEqual(parse("b"), { type: "b" });
  });
`);
});

test('a test of a member goes behind those whose titles name it, and its title names it in the same way', () => {
  const lib = "export class Shelf {\n  first(prefix = '') {\n    return prefix.length;\n  }\n}\n";
  const first = `import { expect, test } from 'vitest';
import { Shelf } from './shelf.js';

test('Shelf#first counts', () => {
  expect(new Shelf().first()).toBe(0);
});
`;
  const later = "\ntest('other', () => {});\n";
  const around = ['new ', '().first("a")'] as const;
  const { test: written } = guarded(
    { 'shelf.js': lib, 'shelf.test.js': first + later },
    ...(['shelf.js', ['shelf.test.js', 'vitest']] as const),
    { name: 'Shelf.first', className: 'Shelf', exportedAs: 'Shelf' },
    [{ ...calling('new Shelf().first("a")', []), around }],
  );
  expect('edit' in written ? written.edit.after : written.refused).toBe(`${first}
// Records what Shelf.first does now.
test('Shelf#first("a") returns 1', () => {
  expect(new Shelf().first('a')).toBe(1);
});
${later}`);
});

test.each([
  ['the package itself', 'shop', {}],
  ['an alias', 'own', { 'vitest.config.js': "export default { resolve: { alias: { own: './src/index.js' } } }" }],
])('a file that imports by the name of %s gets tests through that import', (_, from, more) => {
  const lib = 'export const cap = (amount) => amount;\nexport const floor = (amount) => amount;\n';
  const spec = `import { expect, test } from 'vitest';
import { cap } from '${from}';

test('caps', () => expect(cap(1)).toBe(1));
`;
  const files = {
    'package.json': '{ "name": "shop", "exports": { ".": { "types": "./a.d.ts", "import": "./dist/index.js" } } }',
    'src/index.js': "export * from './price.js';\n",
    'src/price.js': lib,
    'price.test.js': spec,
    ...more,
  };
  const { test: written } = guarded(files, 'src/price.js', ['price.test.js', 'vitest'], 'floor', [
    calling('floor(1)', ['1']),
  ]);
  expect('edit' in written ? written.edit.after : written.refused).toBe(`${spec.replace('cap }', 'cap, floor }')}
// Records what floor does now.
test('floor returns 1 for 1', () => {
  expect(floor(1)).toBe(1);
});
`);
});

test('a new file imports by the name by which the tests beside it import', () => {
  const spec = (name: string) => `import { expect, test } from 'vitest';
import { ${name} } from 'shop';

test('is', () => expect(${name}(1)).toBe(1));
`;
  const files = {
    'package.json': '{ "name": "shop", "exports": "./dist/index.js" }',
    'src/index.js': "export * from './price.js';\nexport * from './sums.js';\n",
    'src/price.js': 'export const cap = (amount) => amount;\n',
    'src/sums.js': 'export const floor = (amount) => amount;\n',
    'price.test.js': spec('cap'),
  };
  const { test: written } = guarded(files, 'src/sums.js', ['price.test.js', 'vitest'], 'floor', [
    calling('floor(1)', ['1']),
  ]);
  expect(written).toMatchObject({
    edit: { path: 'sums.test.js', after: expect.stringContaining("\nimport { floor } from 'shop';\n") },
  });
});

/** Where the test of a function of `path` is written if only `test` reaches it, without using it. */
function writtenTo(path: string, test: string) {
  const folders = '../'.repeat(test.split('/').length - 1);
  const files = {
    'src/index.js': "export { low } from './utils/index.js';\n",
    'src/utils/index.js': 'export const low = (amount) => amount;\nexport const floor = (amount) => amount;\n',
    'src/Floor.js': 'export const floor = (amount) => amount;\n',
    [test]: `import { expect, test } from 'vitest';
import { low } from '${folders}src/index.js';

const floor = low(1);
test('is', () => expect(floor).toBe(1));
`,
  };
  const { test: written } = guarded(files, path, [test, 'vitest'], 'floor', [calling('floor(1)', ['1'])]);
  return 'refused' in written ? written.refused : written.edit.path;
}

test('tests of another `index` file are not about this one, and a new file has the name of the folder', () => {
  expect(writtenTo('src/utils/index.js', 'test/docs/index.test.js')).toBe('test/docs/utils.test.js');
});

test('no new file has a name that differs from that of another one only in case', () => {
  expect(writtenTo('src/Floor.js', 'test/floor.test.js')).toBe(
    'test/floor.test.js is there already, and does not test it.',
  );
});

const VITEST = `import { expect, test } from 'vitest';
import { check } from './check.ts';

test('checks', () => expect(() => check('')).toThrow());
`;

test('what a call does not return is not compared; that it does not throw is said so', () => {
  const lib = (type: string) =>
    `export function check(text: string)${type} {\n  if (text === '') throw new Error('empty');\n  return undefined;\n}\n`;
  const of = (type: string, mistakesThrow?: true) =>
    guarded(
      { 'src/check.ts': lib(type), 'src/check.test.ts': VITEST },
      'src/check.ts',
      ['src/check.test.ts', 'vitest'],
      'check',
      [{ ...calling('check("a")', ['"a"'], 'undefined'), ...(mistakesThrow && { mistakesThrow }) }],
    );
  expect(of(': void').allowed).toEqual([false]);
  expect(of(': string | undefined').test).toMatchObject({
    added: expect.stringContaining("expect(check('a')).toBe(undefined);"),
  });
  expect(of(': void', true).test).toMatchObject({
    added: expect.stringContaining(
      "test('check does not throw for \"a\"', () => {\n  expect(() => check('a')).not.toThrow();\n});",
    ),
  });
});
