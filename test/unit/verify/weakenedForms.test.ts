// Less common ways to weaken tests: conditions, empty loops, limits in other files, and tests that become rows.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { parseTestCases } from '../../../server/src/core/verify/judge/testCases.ts';
import { findTestChanges } from '../../../server/src/core/verify/judge/testChanges.ts';

async function changesOf(edits: readonly FileEdit[]) {
  const { changes } = await findTestChanges(edits, [], {
    inventory: async () => null,
    testCases: async (files) => files.flatMap(({ path, text }) => parseTestCases(path, text)),
  });
  return { kinds: changes.map(({ kind }) => kind), changes };
}

async function kindsOf(before: string, after: string): Promise<readonly string[]> {
  return (await changesOf([{ path: 'test/a.test.ts', before, after }])).kinds;
}

test.each([
  ['a runIf of the runner', (one: string) => one.replace('test(', `test${'.'}runIf(!process.env.CI)(`), 'skipped'],
  ['a table without rows', (one: string) => one.replace('test(', 'test.each([])('), 'skipped'],
  ['a loop over nothing', (one: string) => one.replace('expect(', 'for (const n of []) expect('), 'loosened'],
  ['the same as a call', (one: string) => one.replace(/expect.*?;/, '[].forEach(() => { $& });'), 'loosened'],
])('a test that never runs is weakened: %s', async (_, change, kind) => {
  const one = "test('adds', () => { expect(a(1)).toBe(2); });\n";
  expect(change(one)).not.toBe(one);
  expect(await kindsOf(one, change(one))).toContain(kind);
  expect(await kindsOf(change(one), one)).not.toContain(kind);
});

test('repeated assertions that all change are not removed; a repeat does not replace a different assertion', async () => {
  const wrapped = (...lines: string[]) => `test('matches', () => {\n${lines.join(';\n')};\n});\n`;
  const [old, changed, other] = [
    "expect(list('*')).toEqual([1])",
    "expect(list('*')).toEqual([2])",
    'expect(b).toBe(1)',
  ];
  const looser = "expect(list('*')).toBeDefined()";
  expect(await kindsOf(wrapped(old, other, old), wrapped(changed, other, changed))).toEqual(['expected', 'expected']);
  const [plain, option] = ["assert(isMatch('ooo', '*(f|o)'))", "assert(isMatch('ooo', '*(f|o)', { windows: true }))"];
  expect(await kindsOf(wrapped(plain, plain), wrapped(option, option))).not.toContain('removed');
  expect(await kindsOf(wrapped(old, other, old), wrapped(changed, other))).toContain('removed');
  expect(await kindsOf(wrapped(old, other, old), wrapped(changed, changed, changed))).toContain('removed');
  expect(await kindsOf(wrapped(old, other, old), wrapped(looser, other, looser))).toEqual(['loosened', 'loosened']);
  const [third, fourth, fifth] = [3, 4, 5].map((value) => `expect(list('*')).toEqual([${value}])`) as [
    string,
    string,
    string,
  ];
  expect(await kindsOf(wrapped(old, old, third, fourth), wrapped(changed, changed, fifth, fifth))).toContain('removed');
});

test('a test that asserts the same values under another name is not deleted', async () => {
  const named = (name: string, ...lines: string[]) => `test('${name}', () => {\n${lines.join(';\n')};\n});\n`;
  const one = named('is a colon', "expect(delimiter).toBe(':')");
  const renamed = named('delimiter', "expect(delimiter).toBe(globalThis.process?.platform === 'win32' ? ';' : ':')");
  expect(await kindsOf(one, renamed)).toEqual(['expected']);
  expect(await kindsOf(one, renamed.replace('delimiter)', 'separator)'))).toEqual(['deleted']);
  expect(await kindsOf(one, renamed.replace('.toBe(', '.not.toBe('))).toEqual(['deleted']);
  // The same word may be another value where a test declares it.
  const local = (code: string) => named(code, `const result = ${code}`, 'expect(result).toBe(1)');
  expect(await kindsOf(local('parse("a").first(1).c[2].d'), local('f({ g, h }, i ?? j, k)'))).toEqual(['deleted']);
});

test('tests are merged into one that asserts all that they did; what it does not assert is deleted', async () => {
  const named = (name: string, ...lines: string[]) => `test('${name}', function (t) {\n${lines.join(';\n')};\n});\n`;
  const [nulls, nested] = ["t.equal(write({ a: null }, skip), '')", "t.equal(write({ b: { c: null } }, skip), 'b=')"];
  const said = (line: string, message: string) => line.replace(/\)$/, `, '${message}')`);
  const before = named('omits nulls', nulls) + named('omits nested nulls', nested);
  const merged = named('skipping', said(nulls, 'nulls are gone'), said(nested, 'nested'), 't.ok(write({}))', 't.ok(a)');
  expect(await kindsOf(before, merged)).not.toContain('deleted');
  expect(await kindsOf(before, merged.replace(said(nested, 'nested'), 't.ok(b)'))).toContain('deleted');
  expect(await kindsOf(before, merged.replace("'b='", "'b'"))).toContain('deleted');
  expect(await kindsOf(named('twice', nulls) + before, merged)).toContain('deleted');
});

test('assertions that move into new subtests are not removed', async () => {
  const named = (test: string, title: string, ...lines: string[]) =>
    `${test}('${title}', function (t) {\n${lines.join(';\n')};\n});\n`;
  const [one, two] = ["t.equal(write(['c']), 'a=c')", "t.equal(write(['c', 'd']), 'a=c,d')"];
  const before = named('test', 'lists', one, two);
  const split = named('test', 'lists', named('t.test', 'of one', one), named('t.test', 'of two', two));
  expect(await kindsOf(before, split)).toEqual(['rewritten']);
  expect(await kindsOf(before, split.replace('.equal', '.ok'))).toContain('loosened');
  expect(await kindsOf(before, split.replace("'of two',", "'of two', { skip: true },"))).toContain('removed');
  expect(await kindsOf(before, split.replace('t.test(', 'if (isSlow) t.test('))).toContain('removed');
});

test('an assertion in brackets counts, and one that its option skips does not', async () => {
  const named = (line: string) => `test('throws', function (t) {\n${line};\n});\n`;
  const throws = named("t.throws(function () { parse({}); }, new TypeError('no'))");
  const inBrackets = throws.replace('.throws', "['throws']");
  expect(await kindsOf(throws, inBrackets)).toEqual(['rewritten']);
  expect(await kindsOf(inBrackets, named("t['ok'](parse({}))"))).toContain('removed');
  const equal = named("t.equal(parse('a'), 'b', 'parses')");
  const skipped = equal.replace("'parses'", "'parses', { skip: 'later' }");
  expect(await kindsOf(equal, skipped)).toContain('removed');
  expect(await kindsOf(skipped, equal)).toEqual(['rewritten']);
  expect(await kindsOf(equal, equal.replace("'parses'", "'parses', { skip: false }"))).toEqual(['rewritten']);
});

test.each(['skipIf(isBuild)', 'runIf(isBuild)'])('a test under %s still counts', async (condition) => {
  const one = "test('adds', () => { expect(a(1)).toBe(2); });\n";
  const other = "test('takes away', () => { expect(b(1)).toBe(0); });\n";
  const conditional = one.replace('test(', `test${'.'}${condition}(`);
  expect(await kindsOf(conditional, one.replace('test(', `test${'.'}skip(`))).toEqual(['skipped']);
  expect(await kindsOf(conditional, one.replace('test(', `test${'.'}runIf(false)(`))).toEqual(['skipped']);
  expect(await kindsOf(other + conditional, other)).toEqual(['deleted']);
  expect(await kindsOf(conditional, conditional.replace('isBuild', 'isBuild()'))).toEqual([]);
  expect(await kindsOf(conditional, one)).toEqual([]);
});

test.each([
  ['in options', "test('adds', { skip: isBuild }, ", "test('adds', { skip: true }, ", '() => {'],
  ['in its body', "test('adds', ", "test('adds', ", '(t) => { if (isBuild) t.skip();'],
  ['as an argument', "test('adds', ", "test('adds', ", '(t) => { t.skip(isBuild);'],
  ['behind a return', "test('adds', ", "test('adds', ", '(t) => { if (!isBuild) { f(); return; } t.skip();'],
  ['in a group', `describe${'.'}skipIf(isBuild)('all', () => { test('adds', `, '', '() => {'],
])('a test that is skipped on a condition %s still counts', async (_, head, always, opening) => {
  const other = "test('takes away', () => { expect(b(1)).toBe(0); });\n";
  const end = ` expect(a(1)).toBe(2); });${head.startsWith('describe') ? ' });' : ''}\n`;
  expect(await kindsOf(other + head + opening + end, other)).toEqual(['deleted']);
  if (always === '') return;
  const skipped = always + (always.includes('skip') ? '() => {' : `(t) => { t${'.'}skip('slow');`) + end;
  expect(await kindsOf(head + opening + end, skipped)).toEqual(['skipped']);
  expect(await kindsOf(other + skipped, other)).toEqual([]);
});

test('a test that never ran may go', async () => {
  const other = "test('takes away', () => { expect(b(1)).toBe(0); });\n";
  const members = ['skip(', 'todo(', 'each([])(', 'skipIf(true)('].map((member) => `test${'.'}${member}`);
  for (const call of [...members, `${'x'}it(`])
    expect(await kindsOf(`${other}${call}'adds', () => { expect(a(1)).toBe(2); });\n`, other)).toEqual([]);
});

test('a deleted test names the new case that may declare it as a row', async () => {
  const old = ['one', 'two'].map((name) => `test('${name}', () => { expect(a('${name}')).toBe(1); });\n`).join('');
  const loop = (body: string) => `for (const name of ['one', 'two']) test(name, () => { ${body} });\n`;
  const rowOf = async (after: string) =>
    (await changesOf([{ path: 'test/a.test.ts', before: old, after }])).changes
      .filter(({ kind }) => kind === 'deleted')
      .map(({ test, perhapsRowOf }) => [test, perhapsRowOf?.line]);
  expect(await rowOf(loop('expect(a(name)).toBe(1);'))).toEqual([['two', 1]]);
  expect(await rowOf(loop('if (name) expect(a(name)).toBe(1);'))).toEqual([['two', undefined]]);
  expect(await rowOf(loop('a(name);'))).toEqual([
    ['one', undefined],
    ['two', undefined],
  ]);
  // Another test of the file that stays declares nothing new.
  expect(await rowOf(old.slice(0, old.indexOf("test('two'")))).toEqual([['two', undefined]]);
});

test.each([
  ['a loop', '  for (const n of list) add(n);\n', 'for (const n of bulk) expect(a(n)).toBe(n);'],
  ['a call', '  normalise(list);\n', 'expect(a(normalise(1))).toBe(1);'],
  ['a call with a function', '  normalise(list, () => {\n    add();\n  });\n', 'expect(a(normalise(1))).toBe(1);'],
])('code that loses %s loses no name, so its deleted test is not gone', async (_, line, body) => {
  const code = (text: string) => `export function a(list) {\n${text}  return list;\n}\n`;
  const edits = [
    { path: 'src/a.ts', before: code(line), after: code('') },
    { path: 'test/a.test.ts', before: `test('bulk', () => { ${body} });`, after: null },
  ];
  expect((await changesOf(edits)).kinds).toEqual(['deleted']);
});

test.each([
  ['function', 'a(function (err) {\n  function (err) {\n  }});\n', 'function () { expect(b(1)).toBe(1); }'],
  ['constructor', 'class A {\n  constructor(n) {\n  }\n}\n', '() => { expect(b(1).constructor).toBe(B); }'],
])('%s is not the name of a method, so its test is not gone', async (_, code, callback) => {
  const edits = [
    { path: 'src/a.ts', before: code, after: 'b();\n' },
    { path: 'test/a.test.ts', before: `test('b', ${callback});`, after: null },
  ];
  expect((await changesOf(edits)).kinds).toEqual(['deleted']);
});

test.each([
  ['oldest() {\n    return 1;\n  }'],
  ['static async oldest(one = f(1), { two } = {}): Promise<number> {\n    return 1;\n  }'],
])('a test goes with the method that it tests: %s', async (method) => {
  const code = (text: string) => `export class A {\n  ${text}\n  newest() {}\n}\n`;
  const edits = [
    { path: 'src/a.ts', before: code(method), after: code('') },
    { path: 'test/a.test.ts', before: "test('a', () => { expect(new A().oldest()).toBe(1); });", after: null },
  ];
  expect((await changesOf(edits)).kinds).toEqual(['gone']);
});

test.each([
  ['pixels that may differ', '{ threshold: 0.3 }', '{ threshold: 0.1 }'],
  ['a share of pixels', '{ maxDiffPixelRatio: 0.2 }', '{ maxDiffPixelRatio: 0.05 }'],
])('Playwright accepts fewer %s: that is stricter', async (_, loose, strict) => {
  const text = (limits: string) => `export default { expect: { toHaveScreenshot: ${limits} } };\n`;
  const edit = (before: string, after: string) => [
    { path: 'playwright.config.ts', before: text(before), after: text(after) },
  ];
  expect((await changesOf(edit(loose, strict))).kinds).toEqual([]);
  expect((await changesOf(edit(strict, loose))).kinds).toEqual(['threshold']);
});

test('limits that a deleted file set are kept by another file, or are lowered', async () => {
  const deleted = { path: '.nycrc.json', before: '{"branches": 90, "lines": 80}', after: null };
  const moved = (path: string, after: string, before: string | null = null) => ({ path, before, after });
  expect((await changesOf([deleted])).kinds).toEqual(['threshold', 'threshold']);
  expect((await changesOf([deleted, moved('.nycrc', '{"branches": 90, "lines": 60}')])).kinds).toEqual(['threshold']);
  expect((await changesOf([deleted, moved('.nycrc', '{"branches": 90, "lines": 85}')])).kinds).toEqual([]);
  const manifest = '{"c8": {"lines": 80, "branches": 90}}';
  expect((await changesOf([deleted, moved('package.json', manifest, '{}')])).kinds).toEqual([]);
});

test('limits that go with their package are not lowered', async () => {
  const gone = (path: string) => ({ path, before: path.endsWith('.js') ? 'const lines = 1;\n' : '{}', after: null });
  const config = { path: 'packages/old/jest.config.js', before: 'module.exports = { lines: 80 };\n', after: null };
  const manifest = gone('packages/old/package.json');
  const source = gone('packages/old/src/a.js');
  const kindsAfter = async (...more: readonly FileEdit[]) => (await changesOf([config, ...more])).kinds;
  expect(await kindsAfter(manifest, source, { path: 'package.json', before: '{}', after: '{"a": 1}' })).toEqual([]);
  expect(await kindsAfter()).toEqual(['threshold']);
  expect(await kindsAfter(source)).toEqual(['threshold']);
  expect(await kindsAfter(manifest, { ...source, after: 'const lines = 2;\n' })).toEqual(['threshold']);
  expect(
    await kindsAfter(manifest, source, { ...source, path: 'packages/old/b.js', before: null, after: '1' }),
  ).toEqual(['threshold']);
  const root = { ...config, path: 'jest.config.js' };
  expect((await changesOf([root, gone('package.json'), gone('a.js')])).kinds).toEqual(['threshold']);
});

test('the threshold of Codecov is the loss that it accepts', async () => {
  const text = (target: string, threshold: string) =>
    `coverage:\n  status:\n    project:\n      default:\n        target: ${target}\n        threshold: ${threshold}\n`;
  const kindsAfter = async (after: string | null) =>
    (await changesOf([{ path: 'codecov.yml', before: text('80%', '5%'), after }])).kinds;
  expect(await kindsAfter(text('80%', '1%'))).toEqual([]);
  expect(await kindsAfter(text('80%', '5%').replace(/ *threshold.*/, ''))).toEqual([]);
  expect(await kindsAfter(text('80%', '20%'))).toEqual(['threshold']);
  expect(await kindsAfter(text('70%', '5%'))).toEqual(['threshold']);
  expect(await kindsAfter(null)).toEqual(['threshold']);
});

test.each([
  ['npx eslint . --max-warnings 0', 'npx vitest'],
  ['cross-env CI=1 eslint . --max-warnings 0', 'cross-env CI=1 vitest'],
  ['npm run build && stylelint src --max-warnings=0', 'npm run build'],
  ['eslint . --max-warnings 0', 'biome ci .eslintcache'],
])('the limit of warnings of %s goes with its linter', async (lint, after) => {
  const manifest = (command: string) =>
    JSON.stringify({ description: 'An eslint plugin for stylelint with oxlint', scripts: { lint: command } });
  const kindsAfter = async (command: string) =>
    (await changesOf([{ path: 'package.json', before: manifest(lint), after: manifest(command) }])).kinds;
  expect(await kindsAfter(after)).toEqual([]);
  expect(await kindsAfter(lint.replace(/ --max.*/, ''))).toEqual(['threshold']);
});

test.each([
  ['eslint "src/**" --max-warnings 0', 'eslint "src/**"', ['threshold']],
  ['eslint "a;b" --max-warnings 0', 'eslint "a;b"', ['threshold']],
  ['eslint . --max-warnings 0 && oxlint --max-warnings 0', 'eslint . && oxlint --max-warnings 0', ['threshold']],
  ['./node_modules/.bin/eslint . --max-warnings 0', 'eslint .', ['threshold']],
  ['npx eslint@9 . --max-warnings 0', 'npx eslint@9 .', ['threshold']],
  ['eslint . --max-warnings 0', 'eslint . && npm run lint -- --max-warnings 0', []],
  ['eslint . --max-warnings 0', 'eslint src && npx eslint --max-warnings 0 test', []],
])('a limit of warnings: %s, then %s', async (before, after, kinds) => {
  const manifest = (lint: string) => JSON.stringify({ scripts: { lint } });
  const edits = [{ path: 'package.json', before: manifest(before), after: manifest(after) }];
  expect((await changesOf(edits)).kinds).toEqual(kinds);
});

test('a limit of warnings outside of the scripts of package.json is not read', async () => {
  const tox = (command: string) => `[testenv]\ncommands = "${command}"\n`;
  const edits = [{ path: 'tox.ini', before: tox('eslint . --max-warnings 0'), after: tox('eslint .') }];
  expect((await changesOf(edits)).kinds).toEqual([]);
});

test('a limit of warnings that a linter loses is lowered, and one that goes with its linter is not', async () => {
  const manifest = (lint: string) => JSON.stringify({ scripts: { lint } });
  const kindsAfter = async (lint: string) =>
    (
      await changesOf([
        { path: 'package.json', before: manifest('eslint src --max-warnings 0'), after: manifest(lint) },
      ])
    ).kinds;
  expect(await kindsAfter('eslint src')).toEqual(['threshold']);
  expect(await kindsAfter('biome ci --error-on-warnings')).toEqual([]);
  expect(await kindsAfter('eslint . --max-warnings=0')).toEqual([]);
});
