// What is summed for the ruler: dead code through chains and disguises, hazards in comments and strings, documented
// API.

import { expect, test } from 'vitest';
import { isInformative } from '../../../server/src/core/analysis/script/docWords.ts';
import { analyse, analyseWithTree } from './analyseCase.ts';

const measure = (text: string, name: string, path = 'src/a.ts'): number | undefined =>
  analyse(path, text).measures[name];

/** Text and the mass of its dead code: names plus the statements that go with them. */
const dead: readonly (readonly [string, number])[] = [
  ['export const a = 1;', 0],
  ["import a from 'a'; export const b = 1;", 1],
  ["import { a, b } from 'a'; export const c = b;", 1],
  ['const a = 1; export const b = 2;', 2],
  ['function f() { return 1; } export const b = 2;', 2],
  ['function f() { return g(); } function g() { return 1; } export const b = 2;', 4],
  ["import a from 'a'; function f() { return a; } export const b = 2;", 3],
  ['function f() { return 1; } void f; export const b = 2;', 2],
  ['function f() { return 1; } f; export const b = 2;', 2],
  ['// @ts-ignore\nconst a = 1; export const b = 2;', 2],
  ['// @ts-nocheck\nconst a = 1; export const b = 2;', 2],
  ['const _a = 1; export const b = 2;', 2],
  ['const a = call(); export const b = 2;', 1],
];
test.each(dead)('dead code: %s', (text, mass) => {
  expect(measure(text, 'checked.unused')).toBe(mass);
});

test('dead code counts once, not as size or complexity too', () => {
  const live = 'export function run(a: number) {\n  return a;\n}\n';
  const withDead = `${live}function gone(a: any) {\n  if (a) {\n    if (a.b) return 1;\n  }\n  return eval('2');\n}\n`;
  const { 'checked.unused': _, ...before } = analyse('src/a.ts', live).measures;
  const { 'checked.unused': mass, ...after } = analyse('src/a.ts', withDead).measures;
  expect(after).toEqual(before);
  expect(mass).toBe(5);
});

test('a file that does not parse leaves dead code unknown', () => {
  expect(measure('const = ; const a = 1; export {};', 'checked.unused')).toBeUndefined();
});

const branches = (count: number): string => 'if (a) b(); '.repeat(count);
/** Text and by how much its functions exceed the limit of cognitive complexity together. */
const excess: readonly (readonly [string, string, number])[] = [
  ['at the limit', `export function f() { ${branches(15)} }`, 0],
  ['above it', `export function f() { ${branches(18)} }`, 3],
  ['two functions', `export function f() { ${branches(16)} } export const g = () => { ${branches(17)} };`, 3],
  ['in parts', `export function f() { ${branches(9)} g(); } export function g() { ${branches(9)} }`, 0],
  [
    'wrapped on the spot',
    `export function f() { (() => { ${branches(9)} })(); (function () { ${branches(9)} })(); }`,
    3,
  ],
  ['wrapped on the spot, inside a branch', `export function f() { if (a) { (() => { ${branches(9)} })(); } }`, 4],
  ['a file in a function', `(function () { ${branches(18)} })();`, 3],
];
test.each(excess)('excess: %s', (_, text, expected) => {
  expect(measure(text, 'excess')).toBe(expected);
});

/** Text, hazard, count. */
const hazards: readonly (readonly [string, string, number])[] = [
  ['export const a: any = b as any;', 'any', 2],
  ['export const a = b!.c![0]!;', 'nonNull', 3],
  ['export const a = b as unknown as string;', 'doubleAssertion', 1],
  ["eval('1'); new Function('a'); Function('b'); evaluate('1');", 'dynamicCode', 3],
  ['try { a(); } catch {}', 'swallowedError', 1],
  ['try { a(); } catch { /* meant */ }', 'swallowedError', 1],
  ['try { a(); } catch (e) { void e; }', 'swallowedError', 1],
  ['try { a(); } catch (e) { log(e); }', 'swallowedError', 0],
  ['a.then(b); a.then(b, c); a.then(b).catch(c); await a.then(b);', 'floatingPromise', 1],
  ['// @ts-ignore\na();', 'ignoredError', 1],
  ["const a = '@ts-ignore'; const b = `@ts-ignore ${a} @ts-ignore`; run(/@ts-ignore/, b);", 'ignoredError', 0],
  ['// @ts-expect-error\na(); // eslint-disable-line', 'expectedError', 1],
  ['/* eslint-disable */ a(); // biome-ignore lint: x', 'lintSilence', 2],
  ['// @ts-nocheck\na();', 'uncheckedFile', 1],
];
test.each(hazards)('hazards: %s %s', (text, hazard, count) => {
  expect(measure(text, `script.${hazard}`)).toBe(count);
});

/** Doc comment, name, whether it says more than the name. */
const docs: readonly (readonly [string, string, boolean])[] = [
  ['/** Parses dates. */', 'parseDate', false],
  ['/** The function that parses a date */', 'parseDate', false],
  ['/** parseDate */', 'parseDate', false],
  ['/** TODO */', 'parseDate', false],
  ['/** */', 'parseDate', false],
  ['/** @param {string} text @returns {Date} */', 'parseDate', false],
  ['/** @internal */', 'parseDate', false],
  ['/** Milliseconds. */', 'TIMEOUT', true],
  ['/** Parses dates in local time. */', 'parseDate', true],
  ['/**\n * @param text ISO 8601\n */', 'parseDate', true],
  ['/** 日付を解析する */', 'parseDate', true],
];
test.each(docs)('%s on %s', (comment, name, expected) => {
  expect(isInformative(comment, name)).toBe(expected);
});

test('exported API: overloads once, lists and defaults too, internals not', () => {
  const text = `/** Adds with care for overflow. */
export function add(a: number): number;
export function add(a: string): string;
export function add(a: unknown) { return a; }
class Listed {}
export { Listed };
export default function () {}
/** @internal Not for others. */
export function own() {}
/** Bytes on a line. */
export const WIDTH = 16;
export const arrow = () => 1;
`;
  expect(measure(text, 'api.exported')).toBe(4);
  expect(measure(text, 'api.documented')).toBe(1);
});

test('tests and generated files are measured apart', () => {
  const text = 'export function f(a: any) { if (a) return 1; return 2; }';
  expect(Object.keys(analyse('test/a.ts', text).measures).every((name) => name.startsWith('test.'))).toBe(true);
  expect(analyse('src/a.ts', text, { generated: true }).measures).toEqual({ 'generated.files': 1 });
});

test('other languages measure what they can, and nothing else', async () => {
  const { measures } = await analyseWithTree(
    'src/a.py',
    'def f(a):\n    b = a\n    if a:\n        return 1\n    run()\n    return b\n',
  );
  expect(measures).toEqual({ files: 1, statements: 1, excess: 0, cognitive: 1, depth: 1 });
});

/** Edits that must not move any measure. */
const neutral: readonly (readonly [string, (text: string) => string])[] = [
  ['comments', (text) => text.replaceAll(';\n', '; // said\n').replace('{', '{ /* more */')],
  ['layout', (text) => text.replaceAll('  ', '\t').replaceAll('\n', '\n\n')],
  ['semicolons', (text) => text.replaceAll(';\n', ';;\n')],
  ['braces', (text) => text.replace('if (a) return 1;', 'if (a) { return 1; }')],
  ['parentheses', (text) => text.replace('a && b', '((a) && (b))')],
  ['debugger', (text) => text.replace('return 2', 'debugger; return 2')],
];
test.each(neutral)('neutral: %s', (_, edit) => {
  const text =
    'export function f(a: boolean, b: boolean) {\n  if (a) return 1;\n  for (const x of []) {\n    if (a && b) g(x);\n  }\n  return 2;\n}\n';
  expect(edit(text)).not.toBe(text);
  expect(analyse('src/a.ts', edit(text)).measures).toEqual(analyse('src/a.ts', text).measures);
});

test('the first place of each hazard is known by its line', () => {
  const text = [
    '/** Reads. */',
    'export function read(value?: { size: number }): number {',
    '  // eslint-disable-next-line no-console',
    '  const raw = JSON.parse("1") as any;',
    '  const again = raw as any;',
    '  return value!.size + again;',
    '}',
    '',
  ].join('\n');
  expect(analyse('src/a.ts', text).firstLines).toEqual({
    'script.lintSilence': 3,
    'script.any': 4,
    'script.assertion': 4,
    'script.nonNull': 6,
  });
  expect(analyse('test/a.test.ts', text).firstLines).toMatchObject({ 'test.script.nonNull': 6 });
  expect(analyse('src/b.ts', 'export const b = 1;\n').firstLines).toBeUndefined();
});
