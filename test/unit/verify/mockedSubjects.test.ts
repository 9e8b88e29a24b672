// Tests that newly mock what they test, in ways other than a mock of the whole file, and honest mocks that look alike.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { WEAKENING_KINDS } from '../../../server/src/core/model/judgement.ts';
import { kindsOf } from './frameEdits.ts';

const PATH = 'test/clamp.test.js';
const CODE: FileEdit = {
  path: 'src/clamp.js',
  before: 'export function clamp() { return 1; }\nexport class Parser {}\nexport const limits = 1;\n',
  after: 'export function clamp() { return 2; }\nexport class Parser {}\nexport const limits = 1;\n',
};
const script = (...lines: readonly string[]) =>
  ["import { test, vi } from 'vitest';", "import assert from 'node:assert/strict';", ...lines].join('\n');
const NAMED = "import { clamp, limits } from '../src/clamp.js';";
const WHOLE = "import * as math from '../src/clamp.js';";
const edit = (before: string, after: string): FileEdit[] => [CODE, { path: PATH, before, after }];
const inCase = (imported: string, before: string, after: string): FileEdit[] =>
  edit(
    script(imported, `test('a', async () => { ${before} });`),
    script(imported, `test('a', async () => { ${after} });`),
  );
/** The case stays as it is, with more in front of it. */
const withFirst = (imported: string, first: string, tested: string): FileEdit[] =>
  inCase(imported, tested, `${first} ${tested}`);
const withHook = (imported: string, hook: string, tested: string): FileEdit[] =>
  edit(script(imported, `test('a', () => { ${tested} });`), script(imported, hook, `test('a', () => { ${tested} });`));
const TESTED = 'assert.equal(math.clamp(-1, 0, 10), 0);';
const withTypes = (first: string): FileEdit[] =>
  withFirst(WHOLE, first, TESTED).map((change) => ({ ...change, path: change.path.replace(/js$/, 'ts') }));
const LOADED = "const { clamp } = await import('../src/clamp.js'); assert.equal(clamp(-1, 0, 10), 0);";
const PARSER = "import { Parser } from '../src/clamp.js';";
const PARSED = "const parser = new Parser(); assert.equal(parser.parse('1'), 1);";

const weakening = async (edits: readonly FileEdit[]) =>
  (await kindsOf(edits)).filter((kind) => WEAKENING_KINDS.has(kind));

test.each<[string, FileEdit[]]>([
  ['a spy answers for the subject', withFirst(WHOLE, "vi.spyOn(math, 'clamp').mockReturnValue(0);", TESTED)],
  ['a spy of jest does', withFirst(WHOLE, "jest.spyOn(math, 'clamp').mockImplementation(() => 0);", TESTED)],
  ['a spy on a value with a type', withTypes("vi.spyOn(math as any, 'clamp').mockReturnValue(0);")],
  [
    'a spy on a value with two types',
    withTypes("vi.spyOn(math as unknown as Record<string, any>, 'clamp').mockReturnValue(0);"),
  ],
  ['a spy with types', withTypes("vi.spyOn<any, any>(math, 'clamp').mockReturnValue(0);")],
  ['a member of a value with a type', withTypes('(math as any).clamp = vi.fn();')],
  ['a function with a type', withTypes('math.clamp = (n: number): number => 0;')],
  ['a mock with types', withTypes('math.clamp = vi.fn<() => number>();')],
  ['a spy answers later', withFirst(WHOLE, "const spy = vi.spyOn(math, 'clamp'); spy.mockReturnValueOnce(0);", TESTED)],
  ['a spy of Jasmine does', withFirst(WHOLE, "spyOn(math, 'clamp').and.returnValue(0);", TESTED)],
  ['a stub answers', withFirst(WHOLE, "sinon.stub(math, 'clamp').returns(0);", TESTED)],
  ['a stub of a sandbox does', withFirst(WHOLE, "this.sandbox.stub(math, 'clamp').callsFake(() => 0);", TESTED)],
  ['a mock of node:test answers', withFirst(WHOLE, "t.mock.method(math, 'clamp', () => 0);", TESTED)],
  [
    'a mock of node:test answers later',
    withFirst(WHOLE, "const m = t.mock.method(math, 'clamp'); m.mock.mockImplementation(() => 0);", TESTED),
  ],
  ['the member is defined', withFirst(WHOLE, "Object.defineProperty(math, 'clamp', { value: () => 0 });", TESTED)],
  ['the member is merged', withFirst(WHOLE, 'Object.assign(math, { clamp: () => 0 });', TESTED)],
  ['a later member is merged', withFirst(WHOLE, 'Object.assign(math, { one: 1, clamp() { return 0; } });', TESTED)],
  [
    'a member that has the name of a variable is merged',
    withFirst(WHOLE, 'Object.assign(math, { one, clamp });', TESTED),
  ],
  [
    'a member is merged behind others that hold brackets',
    withFirst(WHOLE, "Object.assign(math, { one: [1, '}'], two: { a: 1 }, async clamp() {} });", TESTED),
  ],
  [
    'a variable that kept the original, and something else',
    withFirst(WHOLE, 'let original = math.clamp; original = fake; math.clamp = original;', TESTED),
  ],
  [
    'a descriptor that is made',
    withFirst(WHOLE, "const d = { value: fake }; Object.defineProperty(math, 'clamp', d);", TESTED),
  ],
  [
    'a variable that is unpacked from something else',
    withFirst(WHOLE, 'const { clamp: fake } = mocks; math.clamp = fake;', TESTED),
  ],
  [
    'a variable that kept the original or something else',
    withFirst(WHOLE, 'const original = math.clamp && fake; math.clamp = original;', TESTED),
  ],
  [
    'a member that gets back its original at the end',
    inCase(WHOLE, TESTED, `const original = math.clamp; math.clamp = fake; ${TESTED} math.clamp = original;`),
  ],
  [
    'a variable that kept another member',
    withFirst(WHOLE, 'const original = math.limits; math.clamp = original;', TESTED),
  ],
  ['a variable is assigned', withFirst(WHOLE, 'math.clamp = fake;', TESTED)],
  ['the result of a call is assigned', withFirst(WHOLE, 'math.clamp = makeFake(0);', TESTED)],
  ['a member is assigned by its name as text', withFirst(WHOLE, "math['clamp'] = fake(0);", TESTED)],
  ['sinon replaces it', withFirst(WHOLE, "sinon.replace(math, 'clamp', () => 0);", TESTED)],
  ['the member is assigned', withFirst("const math = require('../src/clamp');", 'math.clamp = () => 0;', TESTED)],
  [
    'a spy answers for a function that is imported by its name',
    withFirst(`${NAMED} ${WHOLE}`, "vi.spyOn(math, 'clamp').mockReturnValue(0);", 'assert.equal(clamp(-1, 0, 10), 0);'),
  ],
  ['a hook does it', withHook(WHOLE, "beforeEach(() => { vi.spyOn(math, 'clamp').mockReturnValue(0); });", TESTED)],
  [
    'a helper that was there does it',
    edit(
      script(WHOLE, 'const prepare = () => {};', `test('a', () => { prepare(); ${TESTED} });`),
      script(
        WHOLE,
        "const prepare = () => { vi.spyOn(math, 'clamp').mockReturnValue(0); };",
        `test('a', () => { prepare(); ${TESTED} });`,
      ),
    ),
  ],
  [
    'a case tests it by a helper',
    edit(
      script(WHOLE, 'const at = (n) => math.clamp(n, 0, 10);', "test('a', () => { assert.equal(at(-1), 0); });"),
      script(
        WHOLE,
        'const at = (n) => math.clamp(n, 0, 10);',
        "test('a', () => { vi.spyOn(math, 'clamp').mockReturnValue(0); assert.equal(at(-1), 0); });",
      ),
    ),
  ],
  [
    'a method of the prototype is replaced',
    withFirst(PARSER, "vi.spyOn(Parser.prototype, 'parse').mockReturnValue(1);", PARSED),
  ],
  [
    'a method of the tested object is replaced',
    inCase(PARSER, PARSED, PARSED.replace('; ', "; vi.spyOn(parser, 'parse').mockReturnValue(1); ")),
  ],
  [
    'the value goes by a variable',
    withFirst(
      WHOLE,
      "vi.spyOn(math, 'clamp').mockResolvedValue(0);",
      'const got = await math.clamp(-1, 0, 10); assert.equal(got, 0);',
    ),
  ],
  [
    'a static method is replaced',
    withFirst(PARSER, "vi.spyOn(Parser, 'of').mockReturnValue(1);", "assert.equal(Parser.of('1'), 1);"),
  ],
  [
    'the subject is mocked before the case loads it',
    withFirst('', "vi.doMock('../src/clamp.js', () => ({ clamp: () => 0 }));", LOADED),
  ],
  [
    'the same by jest, with require',
    inCase(
      '',
      "const { clamp } = require('../src/clamp'); assert.equal(clamp(1), 1);",
      "jest.doMock('../src/clamp'); const { clamp } = require('../src/clamp'); assert.equal(clamp(1), 1);",
    ),
  ],
  [
    'the case now loads the mocked subject',
    inCase(
      NAMED,
      'assert.equal(clamp(-1, 0, 10), 0);',
      `vi.doMock('../src/clamp.js', () => ({ clamp: () => 0 })); ${LOADED}`,
    ),
  ],
  [
    'a hook mocks the subject before the cases load it',
    edit(
      script(`test('a', async () => { ${LOADED} });`),
      script("beforeEach(() => { vi.doMock('../src/clamp.js'); });", `test('a', async () => { ${LOADED} });`),
    ),
  ],
  [
    'a parameter of the case has the name of the subject',
    edit(
      script(NAMED, "test('a', () => { assert.equal(clamp(-1, 0, 10), 0); });"),
      script(
        NAMED,
        'const it = test.extend({ clamp: async ({}, use) => use(() => 0) });',
        "test('a', ({ clamp }) => { assert.equal(clamp(-1, 0, 10), 0); });",
      ),
    ),
  ],
  [
    'a row gives the case another function',
    edit(
      script(NAMED, "test('a', () => { assert.equal(clamp(-1, 0, 10), 0); });"),
      script(NAMED, "test.each([[() => 0]])('a', (clamp) => { assert.equal(clamp(-1, 0, 10), 0); });"),
    ),
  ],
  [
    'a group does',
    edit(
      script(NAMED, "describe('g', () => { test('a', () => { assert.equal(clamp(-1, 0, 10), 0); }); });"),
      script(
        NAMED,
        "describe.each([[() => 0]])('g', (clamp) => { test('a', () => { assert.equal(clamp(-1, 0, 10), 0); }); });",
      ),
    ),
  ],
])('loosened: %s', async (_, edits) => {
  expect(await weakening(edits)).toContain('loosened');
});

test.each<[string, FileEdit[]]>([
  [
    'a spy on the network',
    withFirst(WHOLE, "vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('1'));", TESTED),
  ],
  [
    'a spy on the clock and on files',
    withFirst(
      `${WHOLE}\nimport fs from 'node:fs';`,
      "vi.spyOn(Date, 'now').mockReturnValue(1); sinon.stub(fs, 'readFileSync').returns('');",
      `fs.readFileSync('a'); ${TESTED}`,
    ),
  ],
  [
    'a spy on another module of the repository',
    withFirst(
      `${WHOLE}\nimport * as net from '../src/net.js';`,
      "vi.spyOn(net, 'get').mockResolvedValue('1');",
      TESTED,
    ),
  ],
  ['a spy that calls the original', withFirst(WHOLE, "const spy = vi.spyOn(math, 'clamp');", TESTED)],
  ['a stub that does', withFirst(WHOLE, "sinon.stub(math, 'clamp').callThrough();", TESTED)],
  ['a mock of node:test that does', withFirst(WHOLE, "t.mock.method(math, 'clamp');", TESTED)],
  [
    'a spy on what the subject calls itself',
    withFirst(WHOLE, "vi.spyOn(math, 'limits').mockReturnValue([0, 10]);", TESTED),
  ],
  [
    'a spy on what only prepares the test',
    withFirst(
      WHOLE,
      "vi.spyOn(math, 'connect').mockResolvedValue();",
      `const start = 1; await math.connect(); ${TESTED}`,
    ),
  ],
  [
    'a spy on what a hook calls',
    edit(
      script(WHOLE, 'beforeEach(() => { math.reset(); });', `test('a', () => { ${TESTED} });`),
      script(
        WHOLE,
        "beforeEach(() => { vi.spyOn(math, 'reset').mockReturnValue(0); math.reset(); });",
        `test('a', () => { ${TESTED} });`,
      ),
    ),
  ],
  [
    'a case that tests another function now',
    inCase(WHOLE, TESTED, "vi.spyOn(math, 'clamp').mockReturnValue(3); assert.equal(math.clampAll([-1], 0, 10), 0);"),
  ],
  [
    'a spy that was in the cases moves to a hook',
    edit(
      script(WHOLE, `test('a', () => { vi.spyOn(math, 'clamp').mockReturnValue(0); ${TESTED} });`),
      script(
        WHOLE,
        "beforeEach(() => { vi.spyOn(math, 'clamp').mockReturnValue(0); });",
        `test('a', () => { ${TESTED} });`,
      ),
    ),
  ],
  [
    'a new case with a spy',
    edit(
      script(WHOLE, `test('a', () => { ${TESTED} });`),
      script(
        WHOLE,
        `test('a', () => { ${TESTED} });`,
        `test('b', () => { vi.spyOn(math, 'clamp').mockReturnValue(0); ${TESTED} });`,
      ),
    ),
  ],
  [
    'a new case that mocks and loads it',
    edit(
      script(NAMED, "test('a', () => { assert.equal(clamp(1), 1); });"),
      script(
        NAMED,
        "test('a', () => { assert.equal(clamp(1), 1); });",
        `test('b', async () => { vi.doMock('../src/clamp.js'); ${LOADED} });`,
      ),
    ),
  ],
  [
    'another module is mocked before the case loads the subject',
    withFirst('', "vi.doMock('../src/net.js', () => ({ get: () => 0 }));", LOADED),
  ],
  [
    'what the subject needs is mocked, though the case uses it, too',
    inCase(
      NAMED,
      'assert.equal(clamp(1), limits().low);',
      "vi.doMock('../src/clamp.js'); const { app } = await import('../src/app.js'); assert.equal(app(), limits().low);",
    ),
  ],
  [
    'rows give the case the subject itself',
    edit(
      script(NAMED, "test('a', () => { assert.equal(clamp(-1, 0, 10), 0); });"),
      script(NAMED, "test.each([[clamp], [limits]])('a', (clamp) => { assert.equal(clamp(-1, 0, 10), 0); });"),
    ),
  ],
  [
    'a fixture gives the subject itself',
    edit(
      script(NAMED, "test('a', () => { assert.equal(clamp(-1, 0, 10), 0); });"),
      script(
        NAMED,
        'const it = test.extend({ clamp: async ({}, use) => use(clamp) });',
        "it('a', ({ clamp }) => { assert.equal(clamp(-1, 0, 10), 0); });",
      ),
    ),
  ],
  [
    'the runner gives the assertions',
    edit(
      script("import { expect } from 'vitest';", "test('a', () => { expect(1).toBe(1); });"),
      script("test('a', ({ expect }) => { expect(1).toBe(1); });"),
    ),
  ],
  ['a member is wrapped', withFirst(WHOLE, 'math.clamp = counted(math.clamp);', TESTED)],
  ['a member that is no function is assigned', withFirst(WHOLE, 'math.limit = maximum;', TESTED)],
  ['a member is compared', withFirst(WHOLE, "assert.ok(math['clamp']===other); assert.ok(math.clamp==other);", TESTED)],
  [
    'the result of a merge is called with the subject',
    withFirst(WHOLE, 'Object.assign(math, { port: 1 });', 'assert.deepEqual(merge([a, math.clamp(1), math]), [1]);'),
  ],
  [
    'a name of the subject is in a list behind a merge',
    withFirst(WHOLE, 'Object.assign(math, { port: 1 }); use([a, clamp(x), math]);', TESTED),
  ],
  [
    'a key of an inner object is called as the subject',
    withFirst(WHOLE, 'Object.assign(math, { settings: { a: 1, clamp: true }, f: f(1, clamp) });', TESTED),
  ],
  [
    'a member gets back its original',
    inCase(WHOLE, TESTED, `const original = math.clamp; ${TESTED} math.clamp = original;`),
  ],
  [
    'a member gets back its original by its name as text',
    inCase(WHOLE, TESTED, `const original = math['clamp']; ${TESTED} math['clamp'] = original;`),
  ],
  [
    'a hook keeps a member, and another gives it back',
    edit(
      script(WHOLE, `test('a', () => { ${TESTED} });`),
      script(
        WHOLE,
        'let original;\nbeforeEach(() => { original = math.clamp; });\nafterEach(() => { math.clamp = original; });',
        `test('a', () => { ${TESTED} });`,
      ),
    ),
  ],
  [
    'a member gets back its original, which knows its object',
    inCase(WHOLE, TESTED, `const original = math.clamp.bind(math); ${TESTED} math.clamp = original;`),
  ],
  [
    'a member gets back its descriptor',
    inCase(
      WHOLE,
      TESTED,
      `const d = Object.getOwnPropertyDescriptor(math, 'clamp'); ${TESTED} Object.defineProperty(math, 'clamp', d);`,
    ),
  ],
  [
    'a member gets back its original, which is a part of what is unpacked',
    inCase(WHOLE, TESTED, `const { clamp: original, limits } = math; ${TESTED} math.clamp = original;`),
  ],
  [
    'a member with a type gets back its original',
    withTypes('const original: Clamp = math.clamp; math.clamp = original;'),
  ],
  ['another object gets members', withFirst(WHOLE, 'Object.assign(options, { clamp: true });', TESTED)],
])('not weakened: %s', async (_, edits) => {
  expect(await weakening(edits)).toEqual([]);
});
