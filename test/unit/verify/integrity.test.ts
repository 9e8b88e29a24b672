// Edits that touch what judges them, or silence a check.

import { expect, test } from 'vitest';
import { listContent } from '../../../server/src/core/analysis/inventory.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { isJudge } from '../../../server/src/core/session/verify/judgeFiles.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { gate as integrity } from '../../../server/src/core/verify/gates/integrity/gate.ts';
import { edit } from './verifying.ts';
import { createPart } from '../../helpers/createPart.ts';

const source = 'export const a = 1;\n';
const silenced = '// eslint-disable-next-line no-console\nexport const b = (x: any) => x;\n';
const checks =
  "import { expect, it } from 'vitest';\nit('one', () => { expect(one()).toBe(1); expect(two()).toBe(2); });\nit('two', () => { expect(three()).toBe(3); });\n";

/** The gate looks at the edits and at what the context knows of their texts, and at nothing else. */
async function check(edits: readonly FileEdit[], expected: RegExp) {
  const context = {
    isJudge,
    findUnreachedFiles: async () => [],
    inventory: async (path: string, text: string) =>
      listContent({ path, text, language: detectLanguage(path, text), generated: false }),
  };
  const { outcome, reason } = await integrity(createPart<GateInput>({ edits, context }), new AbortController().signal);
  expect(`${outcome}: ${reason}`, JSON.stringify(edits)).toMatch(expected);
}

test('a change of sources passes; words are no silencers', async () => {
  await check([edit('a.ts', source, 'export const a = 2;\n')], /^passed/);
  await check(
    [edit('a.ts', source, "// Works for any caller.\n/** Not: any. */\nexport const a = ': any';\n")],
    /^passed/,
  );
  await check(
    [edit('a.ts', source, "export const a = { b: 1, any: 2 };\nexport const s = '// @ts-ignored by all';\n")],
    /^passed/,
  );
  await check([edit('b.ts', silenced, `// Moved.\n${silenced}`)], /^passed/);
  // What stood there may move to another file.
  await check([edit('b.ts', silenced, null), edit('c.ts', null, silenced)], /^passed/);
});

test('a new silencer fails', async () => {
  for (const silencer of [
    '// @ts-ignore',
    '// @ts-expect-error',
    '// @ts-nocheck',
    '/* eslint-disable */',
    '// eslint-disable-next-line',
    '// biome-ignore lint: x',
    '/* istanbul ignore next */',
    '/* c8 ignore start */',
    '// oxlint-disable',
    '// selfware-ignore',
    '{/* @ts-ignore */}',
    '// Stryker disable all',
    '// NOSONAR',
  ]) {
    await check([edit('a.ts', source, `${silencer}\n${source}`)], /^failed: A check is weakened\. a\.ts has a new `/);
  }
  await check(
    [edit('b.ts', silenced, `${silenced}${silenced}`)],
    /^failed: A check is weakened\. b\.ts has a new `eslint-disable`\. b\.ts has a new `any`\.$/,
  );
  await check([edit('a.py', 'a = f()\n', 'a = f()  # type: ignore\n')], /^failed: .*`noqa`/);
  await check([edit('a.rs', 'fn a() {}\n', '#[allow(dead_code)]\nfn a() {}\n')], /^failed: .*`allow`/);
});

test('a new `any` fails', async () => {
  for (const type of [
    ': any',
    ' = 1 as any',
    ': Array<any>',
    ': any[]',
    ': string | any',
    ': (x: number) => any',
    ': Map<string, any>',
  ]) {
    await check(
      [edit('a.ts', source, `export const a${type}${type.startsWith(':') ? ' = x' : ''};\n`)],
      /^failed: A check is weakened\. a\.ts has a new `any`\.$/,
    );
  }
  await check(
    [edit('a.ts', source, `type Loose = any;\n${source}`)],
    /^failed: .*has a new `any`\. a\.ts has a new type that is `any` by another name\.$/,
  );
  // A test may call a function with what its types forbid.
  await check(
    [edit('a.test.ts', checks, `${checks}it('four', () => expect(four('4' as any)).toBe(4));\n`)],
    /^unknown/,
  );
});

test('a test that goes, is skipped or asserts less fails', async () => {
  const checkTests = (after: string | null, expected: RegExp) => check([edit('a.test.ts', checks, after)], expected);
  await checkTests(checks.replace("it('two'", `it.${'skip'}('two'`), /^failed: .*More tests are skipped\./);
  await checkTests(checks.replace(/it\('two.*\n/, ''), /^failed: .*There are fewer tests: 1 instead of 2\./);
  await checkTests(checks.replace('expect(three()).toBe(3);', ''), /^failed: .*The tests assert less: /);
  await checkTests(null, /^failed: .*There are fewer tests: 0 instead of 2\./);
  await checkTests(checks.replace('toBe(3)', 'toBe(4)'), /^unknown/);
});

test('a judge file needs a person', async () => {
  const judged =
    /^unknown: It edits 1 file that changes are judged by: tests, snapshots or settings \(.*\)\. A person has to look at it\.$/;
  const added = /It only adds test cases, which may go on without a person if they show what they claim\.$/;
  await check([edit('a.test.ts', checks, `${checks}it('three', () => { expect(four()).toBe(4); });\n`)], added);
  await check([edit('a.ts', source, `${source}//\n`), edit('more.test.ts', null, checks)], added);
  await check([edit('a.test.ts', checks, checks.replace('toBe(3)', 'toBe(4)'))], judged);
  for (const path of [
    'test/__snapshots__/a.snap',
    'tsconfig.base.json',
    'vitest.config.ts',
    'packages/a/package.json',
    'fixtures/a.txt',
    'test-d/a.ts',
    '.github/workflows/ci.yml',
  ])
    await check([edit(path, 'x\n', 'y\n')], judged);
});

test('what reaches for the means to tell a test from real use needs a person', async () => {
  const reaching = [
    "process.env['CI']",
    'globalThis.x',
    'new Function(text)',
    '[].filter.constructor',
    'Date.now()',
    'import.meta.url',
    "import('./b.ts')",
    "require('child_process')",
    "import('node:fs/promises')",
    'proc\\u0065ss.pid',
    "value['constr\\x75ctor']",
    'Array.prototype.at = 1',
    'Object.prototype.toString.call = 1',
    'Object.prototype.hasOwnProperty = Object.prototype.toString',
    "new Error('').stack?.includes('.test.')",
    "new TypeError('')['stack']",
    'from(); const { message, stack } = new Error()',
    'from(() => { try { null.a; } catch ({ stack }) { return stack; } })',
    'from((({ stack: text }) => text)(new Error()))',
  ];
  for (const one of reaching)
    await check(
      [edit('a.ts', source, `export const a = ${one};\n`)],
      /^unknown: A person has to look at it\. It reaches for .*tell that it is being tested\.$/,
    );
  // As often as before, moved, in a comment, in the name of something else, or in a file that is no script.
  await check([edit('a.ts', 'export const a = process.pid;\n', 'export const b = process.pid;\n')], /^passed/);
  await check(
    [
      edit('a.ts', 'export const a = Date.now();\n', "export { a } from './b.ts';\n"),
      edit('b.ts', null, 'export const a = Date.now();\n'),
    ],
    /^passed/,
  );
  await check([edit('a.ts', source, `/** Ends the process; see the Date of it. */\n${source}// eval\n`)], /^passed/);
  await check([edit('a.ts', source, 'export const processed = updateDate;\n')], /^passed/);
  for (const method of ['hasOwnProperty', 'toString'])
    await check([edit('a.ts', source, `export const a = Object.prototype.${method}.call(b, 'c');\n`)], /^passed/);
  await check([edit('a.md', 'a\n', 'The process.\n')], /^passed/);
  await check([edit('a.ts', source, 'export const a = this.stack.length;\n')], /^passed/);
  await check([edit('a.ts', source, 'export const stack = new Error();\n')], /^passed/);
  await check([edit('a.ts', source, 'export const a = new Error(of({ stack }));\n')], /^passed/);
});

test('what reads otherwise than it runs needs a person', async () => {
  await check(
    [edit('a.ts', source, "export const a = 'user\u202e \u2066// admins only\u2069 \u2066';\n")],
    /^unknown: .*invisible characters/,
  );
  await check([edit('a.ts', source, 'export const a\u200b = 1;\n')], /^unknown: .*invisible characters/);
  await check([edit('a.ts', source, 'export const isAdmi\u043f = 1;\n')], /^unknown: .*letters that look like others/);
  await check([edit('a.ts', `\uFEFF${source}`, `\uFEFF${source}\n`)], /^passed/);
  await check([edit('a.ts', source, "export const a = 'имя';\n")], /^passed/);
});
