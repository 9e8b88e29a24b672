// The safety level comes from the diff alone.

import { expect, test } from 'vitest';
import type { FileEdit, SafetyLevel } from '../../../server/src/core/model.ts';
import { determineSafety } from '../../../server/src/core/propose/safety.ts';

const base =
  "import { a } from './a';\n\n// Adds.\nexport function add(x: number, y = 1): number {\n  if (x > y) {\n    return a(x) + y;\n  } else {\n    return y;\n  }\n}\n\nfunction inner(n: number) {\n  return n;\n}\n\nexport const limit = 10;\n";
const change = (from: string, to: string, path = 'src/file.ts'): FileEdit => {
  expect(base).toContain(from);
  return { path, before: base, after: base.replace(from, to) };
};

const inFunction = (before: string, after: string): FileEdit => {
  const around = (body: string) => `export function f(x: any, y: any) {\n  ${body}\n}\n`;
  return { path: 'src/file.ts', before: around(before), after: around(after) };
};

const cases: readonly { readonly name: string; readonly edits: readonly FileEdit[]; readonly level: SafetyLevel }[] = [
  { name: 'nothing', edits: [], level: 'additive' },
  { name: 'a comment becomes a doc comment', edits: [change('// Adds.', '/** Adds. */')], level: 'additive' },
  {
    name: 'a test beside the sources, known by its content',
    edits: [{ path: 'test.js', before: "import test from 'ava';\n", after: "import test from 'ava';\ntest('a');\n" }],
    level: 'critical',
  },
  { name: 'blanks', edits: [change('  if (x > y)', '    if (x>y)')], level: 'additive' },
  {
    name: 'another #! line, beside a comment',
    edits: [
      {
        path: 'src/cli.ts',
        before: `#!/usr/bin/env node\n${base}`,
        after: `#!/usr/bin/env -S node --import=data:text/javascript,0\n// Starts.\n${base}`,
      },
    ],
    level: 'behaviorChanging',
  },
  {
    name: 'a line break after return',
    edits: [inFunction('return x + y;', 'return\n  x + y;')],
    level: 'behaviorChanging',
  },
  {
    name: 'a line break before ++',
    edits: [inFunction('x\n  ;++y;', 'x;\n  ++y;')].map(({ path }) => ({
      path,
      before: 'let a = 1, b = 2;\na\n++b\n',
      after: 'let a = 1, b = 2;\na++\nb\n',
    })),
    level: 'behaviorChanging',
  },
  {
    name: 'a line break after throw is no program',
    edits: [inFunction('throw x;', 'throw\n  x;')],
    level: 'behaviorChanging',
  },
  {
    name: 'a line break after async',
    edits: [
      {
        path: 'src/file.ts',
        before: 'export class A {\n  async m() {}\n}\n',
        after: 'export class A {\n  async\n  m() {}\n}\n',
      },
    ],
    level: 'behaviorChanging',
  },
  {
    name: 'a line break after break',
    edits: [
      {
        path: 'src/file.ts',
        before: 'outer: for (;;) for (;;) { break outer; }\n',
        after: 'outer: for (;;) for (;;) { break\nouter; }\n',
      },
    ],
    level: 'behaviorChanging',
  },
  {
    name: 'a line break before a template',
    edits: [{ path: 'src/file.ts', before: 'const t = tag`a`;\n', after: 'const t = tag\n`a`;\n' }],
    level: 'additive',
  },
  {
    name: 'a new unexported function beside another line break',
    edits: [inFunction('return x + y;', 'return\n  x + y;')].map((edit) => ({
      ...edit,
      after: `${edit.after}function fresh() {}\n`,
    })),
    level: 'behaviorChanging',
  },
  {
    name: 'a new unexported function',
    edits: [change('function inner', 'function fresh() {}\n\nfunction inner')],
    level: 'additive',
  },
  {
    name: 'a new exported function',
    edits: [change('function inner', 'export function fresh() {}\n\nfunction inner')],
    level: 'behaviorChanging',
  },
  {
    name: 'a new type whose name is used already',
    edits: [change('function inner', 'interface limit {}\n\nfunction inner')],
    level: 'behaviorPreserving',
  },
  {
    name: 'an else is taken away',
    edits: [change('  } else {\n    return y;\n  }', '  }\n  return y;')],
    level: 'behaviorPreserving',
  },
  {
    name: 'an unused import goes',
    edits: [change("import { a } from './a';", "import { a } from './a';\nimport { b } from './b';")].map(
      ({ path, before, after }) => ({ path, before: after, after: before }),
    ),
    level: 'behaviorPreserving',
  },
  {
    name: 'an import for its effects goes',
    edits: [{ path: 'src/file.ts', before: `import './b';\n${base}`, after: base }],
    level: 'behaviorChanging',
  },
  {
    name: 'statements move into a new function',
    edits: [change('    return a(x) + y;', '    return sum(x, y);')].map((edit) => ({
      ...edit,
      after: `${edit.after}\nfunction sum(x: number, y: number) {\n  return a(x) + y;\n}\n`,
    })),
    level: 'behaviorPreserving',
  },
  { name: 'another comparison', edits: [change('x > y', 'x >= y')], level: 'behaviorChanging' },
  {
    name: 'a condition is gone',
    edits: [change('  if (x > y) {\n    return a(x) + y;\n  } else {\n    return y;\n  }', '  return a(x) + y;')],
    level: 'behaviorChanging',
  },
  { name: 'a call is gone', edits: [change('a(x) + y', 'x + y')], level: 'behaviorChanging' },
  {
    name: 'an early return is put in',
    edits: [change('  return n;', '  return;\n  return n;')],
    level: 'behaviorChanging',
  },
  { name: 'another parameter', edits: [change('y = 1', 'y = 1, z = 2')], level: 'behaviorChanging' },
  { name: 'another exported value', edits: [change('limit = 10', 'limit = 11')], level: 'behaviorChanging' },
  {
    name: 'code that runs on load',
    edits: [change('export const limit', 'inner(1);\nexport const limit')],
    level: 'behaviorChanging',
  },
  {
    name: 'a check is switched off by a comment',
    edits: [change('// Adds.', '// eslint-disable-next-line\n// Adds.')],
    level: 'behaviorChanging',
  },
  {
    name: 'text between tags is no comment',
    edits: [{ path: 'a.tsx', before: 'export const a = <p>// one</p>;\n', after: 'export const a = <p>// two</p>;\n' }],
    level: 'behaviorChanging',
  },
  {
    name: 'a byte-order mark and line ends',
    edits: [{ path: 'a.ts', before: '\uFEFFexport {};\r\n', after: 'export {};\n' }],
    level: 'additive',
  },
  { name: 'a new file', edits: [{ path: 'src/new.ts', before: null, after: '' }], level: 'behaviorChanging' },
  { name: 'a deleted file', edits: [{ path: 'src/old.ts', before: '', after: null }], level: 'behaviorChanging' },
  {
    name: 'what does not parse',
    edits: [{ path: 'src/a.ts', before: 'let a = ;', after: 'let a = ; // b' }],
    level: 'behaviorChanging',
  },
  {
    name: 'another language',
    edits: [{ path: 'src/a.py', before: '# a\n', after: '# b\n' }],
    level: 'behaviorChanging',
  },
  { name: 'a comment in a test', edits: [change('// Adds.', '// Adds', 'src/add.test.ts')], level: 'critical' },
  ...[
    'test/helper.ts',
    'package.json',
    'tsconfig.build.json',
    'vitest.config.ts',
    '.github/workflows/ci.yml',
    'src/__tests__/a.ts',
    'Dockerfile',
    '.eslintrc.cjs',
    'a/b/.env',
  ].map((path) => ({ name: path, edits: [{ path, before: 'a\n', after: 'b\n' }], level: 'critical' as const })),
  {
    name: 'an operand of a condition is gone',
    edits: [inFunction('if (x > y && y) { a(x); }', 'if (x > y) { a(x); }')],
    level: 'behaviorChanging',
  },
  {
    name: 'a part of a returned value is gone',
    edits: [inFunction('return x.b + y;', 'return x.b;')],
    level: 'behaviorChanging',
  },
  {
    name: 'a constant that is written to',
    edits: [inFunction('let b = x; b = y; return b;', 'const b = x; b = y; return b;')],
    level: 'behaviorChanging',
  },
  {
    name: 'a let that is never written to becomes a constant',
    edits: [inFunction('let b = x; return b;', 'const b = x; return b;')],
    level: 'behaviorPreserving',
  },
  {
    name: 'an unused value goes',
    edits: [inFunction('const b = x.c + 1; return y;', 'return y;')],
    level: 'behaviorPreserving',
  },
  {
    name: 'two ifs become one',
    edits: [inFunction('if (x) { if (y) { a(x); } }', 'if (x && y) { a(x); }')],
    level: 'behaviorPreserving',
  },
  {
    name: 'two ifs become one that is less strict',
    edits: [inFunction('if (x) { if (y) { a(x); } }', 'if (x || y) { a(x); }')],
    level: 'behaviorChanging',
  },
  {
    name: 'a chain without types to prove it',
    edits: [inFunction('if (x && x.b) { a(x); }', 'if (x?.b) { a(x); }')],
    level: 'behaviorChanging',
  },
  {
    name: 'a template without types to prove it',
    edits: [inFunction("return 'a' + x + 'b';", 'return `a${x}b`;')],
    level: 'behaviorChanging',
  },
  {
    name: 'code that runs on load says its condition once',
    edits: [
      {
        path: 'src/a.ts',
        before: 'export const big = size() > 3 ? true : false;\n',
        after: 'export const big = size() > 3;\n',
      },
    ],
    level: 'behaviorPreserving',
  },
  { name: 'dead code goes', edits: [inFunction('return x; a(y);', 'return x;')], level: 'behaviorPreserving' },
  {
    name: 'live code goes as if it were dead',
    edits: [inFunction('if (y) return x; a(y);', 'if (y) return x;')],
    level: 'behaviorChanging',
  },
  {
    name: 'the highest level counts',
    edits: [change('// Adds.', '/** Adds. */'), change('limit = 10', 'limit = 11')],
    level: 'behaviorChanging',
  },
];

test.each(cases)('$name: $level', ({ edits, level }) => {
  expect(determineSafety(edits)).toBe(level);
});

const CALL = 'export const a = f();\n';
const LOAD = "export const a = () => import('./b.ts');\n";
test.each([
  ['a call that bundlers leave out', CALL, 'export const a = /* words #__PURE__ */ f();\n', 'behaviorChanging'],
  [
    'a call that bundlers leave out, among doc',
    CALL,
    `/** Makes it.\n * As said, @__PURE__. */\n${CALL}`,
    'behaviorChanging',
  ],
  [
    'words inside an expression',
    LOAD,
    "export const a = () => import(/* chunkName: b */ './b.ts');\n",
    'behaviorChanging',
  ],
  ['a tag that hides a declaration', CALL, `/** Makes it.\n * @internal */\n${CALL}`, 'behaviorChanging'],
  ['a tag that publishes a route', CALL, `/**\n * @openapi\n * security: []\n */\n${CALL}`, 'behaviorChanging'],
  ['a pragma behind words', CALL, `/** Makes it with @jsx evil. */\n${CALL}`, 'behaviorChanging'],
  ['tags that describe', CALL, `/**\n * Makes it.\n * @returns {@link A} of a@b.org\n */\n${CALL}`, 'additive'],
  ['words at the end of a line', CALL, `${CALL.trimEnd()} // Makes it.\n`, 'additive'],
] as const)("a stranger's comment: %s", (_, before, after, level) => {
  expect(determineSafety([{ path: 'src/a.ts', before, after }], null, { isExternal: true })).toBe(level);
});

test('in JavaScript, a type in documentation is a type', () => {
  const edit = (path: string) => ({ path, before: CALL, after: `/** @returns {any} */\n${CALL}` });
  expect(['src/a.ts', 'src/a.js'].map((path) => determineSafety([edit(path)], null, { isExternal: true }))).toEqual([
    'additive',
    'behaviorChanging',
  ]);
});

test.each([
  ['operands change places', 'return x - y;', 'return y - x;'],
  ['arguments change places', 'return x(1, y);', 'return x(y, 1);'],
  ['another name', 'return x;', 'return y;'],
  ['a flipped boolean', 'return [x, true];', 'return [x, false];'],
  ['null for a boolean', 'return [x, true];', 'return [x, null];'],
  ['this for a name', 'return x;', 'return this;'],
  ['the opposite comparison', 'return x === y;', 'return x !== y;'],
  ['or for and', 'return x && y;', 'return x || y;'],
  ['a negation that is added', 'return x;', 'return !x;'],
  ['a negation that is removed', 'return !x;', 'return x;'],
  ['properties change places', 'return [x.a, y.b];', 'return [x.b, y.a];'],
  ['another order of effects', 'x.push(1); x.push(2); return x;', 'x.push(2); x.push(1); return x;'],
  ['a value for none', 'if (x) { return; } x();', 'if (x) { return y; } x();'],
])("a stranger's change that looks like a rearrangement: %s", (_, before, after) => {
  expect(determineSafety([inFunction(before, after)], null, { isExternal: true })).toBe('behaviorChanging');
});

test.each([
  ['two ifs become one', 'if (x) { if (y) { x.a(); } }', 'if (x && y) { x.a(); }'],
  ['a let becomes a constant', 'let b = x; return b;', 'const b = x; return b;'],
  ['dead code goes', 'return x; y();', 'return x;'],
])("a stranger's change that is proven: %s", (_, before, after) => {
  expect(determineSafety([inFunction(before, after)], null, { isExternal: true })).toBe('behaviorPreserving');
});

test.each([
  ...['React', 'Promise', 'require', '__awaiter', 'TypeError', 'Error', 'Array', 'SuppressedError', 'Reflect'],
  ...['regeneratorRuntime', 'Symbol', 'Object', '_asyncToGenerator', 'WeakMap'],
])("a stranger's new function %s, which compiled code may use, adds more than itself", (name) => {
  const edit = change('function inner', `function ${name}() {}\n\nfunction inner`);
  expect(determineSafety([edit], null, { isExternal: true })).toBe('behaviorChanging');
});

test("a stranger's new function beside eval, which may find it by name, adds more than itself", () => {
  const { path, before } = inFunction('return eval(x);', '');
  expect(determineSafety([{ path, before, after: `${before}function fresh() {}\n` }], null, { isExternal: true })).toBe(
    'behaviorChanging',
  );
});

test.each<[string, string, string, SafetyLevel]>([
  ['an unused import of Node', "import { join } from 'node:path';\n", CALL, 'behaviorPreserving'],
  ['an unused import of a submodule', "import { readFile } from 'node:fs/promises';\n", CALL, 'behaviorPreserving'],
  ['one that warns', "import { DatabaseSync } from 'node:sqlite';\n", CALL, 'behaviorChanging'],
  ['one that changes what errors do', "import domain from 'node:domain';\n", CALL, 'behaviorChanging'],
  ['one that does not exist', "import { x } from 'node:unknown';\n", CALL, 'behaviorChanging'],
  ['a used one', "import { f } from 'node:path';\n", CALL, 'behaviorChanging'],
  ['an unused one beside eval', "import { join } from 'node:path';\neval(a);\n", CALL, 'behaviorChanging'],
  ['one before a string', "import { join } from 'node:path';\n'use server';\n", CALL, 'behaviorChanging'],
  ['one for its effects', "import 'node:path';\n", CALL, 'behaviorChanging'],
  ['one of a package', "import { join } from 'path-of-ours';\n", CALL, 'behaviorChanging'],
  ['one that makes the file a module', "import { join } from 'node:path';\n", 'f();\n', 'behaviorChanging'],
])("a stranger's change takes out %s", (_, imported, text, level) => {
  const before = `${imported}${text}`;
  const after = imported.includes('eval') ? `eval(a);\n${text}` : text;
  expect(determineSafety([{ path: 'src/a.ts', before, after }], null, { isExternal: true })).toBe(level);
});
