// The search for calls that break, on a repository with a planted defect of each kind and innocent code beside it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../server/src/core/propose/extraction/project.ts';
import { filterAllowed } from '../../server/src/core/verify/counterexamples/filterAllowed.ts';
import type {
  Counterexample,
  SkippedFunction,
  SearchPlan,
  SearchReport,
} from '../../server/src/core/verify/counterexamples/plan.ts';
import { planSearch } from '../../server/src/core/verify/counterexamples/planSearch.ts';
import { runHarness } from '../helpers/harness.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'src/planted.ts': `
export function initials(name: string): string {
  return name.split(' ').map((word) => word[0]!.toUpperCase()).join('');
}
export function countDown(from: number): number {
  let steps = 0;
  while (from !== 0) {
    from -= 1;
    steps += 1;
  }
  return steps;
}
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
export function unescapeText(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&lt;', '<');
}
export function compareLengths(a: string, b: string): number {
  return a.length < b.length ? -1 : 1;
}
export function extensionOf(path: string): string {
  return /\\.(\\w+)$/.exec(path)?.[1] as string;
}
export function cleanSlashes(path: string): string {
  return path.replaceAll('//', '/');
}
export function cleanWords(text: string, separator = '-'): string {
  return text.replace(/[^a-z]+/g, '-').split('-').join(separator);
}
`,
  'src/nameless.cts': `
export default function (words: readonly string[]): string {
  return words[0]!.trim();
}
`,
  'src/typed.js': 'export const lastOf = (list) => list.at(-1).length;\n',
  'src/typed.d.ts':
    'export declare const lastOf: (list: readonly string[]) => number;\nexport declare function absent(text: string): number;\n',
  'src/innocent.ts': `
export function half(count: number): number {
  if (count % 2 !== 0) throw new RangeError('An odd count has no half.');
  return count / 2;
}
function assertFilled(text: string): void {
  if (text === '') throw new TypeError('The text is empty.');
}
export function firstSign(text: string): string {
  assertFilled(text);
  return text[0]!.toUpperCase();
}
/** @throws {TypeError} if the list is empty. */
export function firstOf(list: readonly string[]): string {
  return list[0]!.toUpperCase();
}
export function read(text: string): unknown {
  return JSON.parse(text);
}
export function hostOf(address: string): string {
  return new URL(address).host;
}
export function lengthOf(value: any): number {
  return value.name.length;
}
export function pick<T extends object, K extends keyof T>(from: T, key: K, wanted: { of(value: T[K]): string }): string {
  return wanted.of(from[key]);
}
export const table = { on: { text: 'On' }, off: { text: 'Off' } };
export function label(state: 'on' | 'off'): string {
  return table[state].text;
}
export function formatDuration(millis: number): string {
  return Math.round(millis / 1000) + 's';
}
export function parseDuration(text: string): number {
  return Number.parseInt(text) * 1000;
}
export function encodeWord(text: string): string {
  return Array.from(text, (sign) => sign.codePointAt(0)!.toString(16)).join('-');
}
export function decodeWord(text: string): string {
  if (text === '') return '';
  return text.split('-').map((part) => String.fromCodePoint(Number.parseInt(part, 16))).join('');
}
export function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
export function compareTwoStrings(a: string, b: string): boolean {
  return a.length > b.length;
}
export function setIn(record: Record<string, string>, key: string, inner: string): unknown {
  const target: any = record[key] ?? {};
  target[inner] = 1;
  return target;
}
export function reduceTexts(list: readonly string[], join: (one: string, next: string) => string): string {
  return list.reduce(join);
}
export interface Tree {
  readonly text: string;
  readonly parts?: readonly Tree[];
}
export function parseTree(text: string): Tree | undefined {
  return text === '' ? undefined : { text, parts: [] };
}
export function partsOf(tree: Tree): number {
  return tree.parts!.length;
}
export class Counter {}
export function compareInCircle(one: number, other: number): number {
  return [0, -1, 1][(((Math.trunc(other) - Math.trunc(one)) % 3) + 3) % 3]!;
}
export async function lengthLater(list: readonly string[]): Promise<number> {
  return list[0]!.length;
}
export function* lengthsOf(list: readonly string[]): Generator<number> {
  yield list[0]!.length;
}
export function shorten(text: string): string {
  return text === '' ? ((() => text) as unknown as string) : text;
}
export function trimFirst(text: string): string {
  return text.slice(1);
}
export function uniqueOf(list: readonly number[]): readonly number[] {
  return [...new Set(list)];
}
export function waitUntil(millis: number): number {
  const end = Date.now() + millis;
  while (Date.now() < end);
  return end;
}
export async function load(id: string): Promise<string> {
  return (await fetch('https://example.com/' + id)).text();
}
type Wide<Key> = { readonly [Part in 'p' | 'q' | 'r' | 's' | 't' | 'u']?: Wide<[Key, Part]> };
export function widthOf(wide: Wide<'o'>): number {
  return Object.keys(wide.p!).length;
}
let calls = 0;
export function sortLater(list: readonly number[]): number[] {
  calls += 1;
  return [...list, calls];
}
export function widest(frame: import('not-installed').Frame): number {
  return frame.width.value;
}
/** @deprecated */
export function oldest(list: readonly string[]): string {
  return list[0]!.trim();
}
`,
};

const SLOW = `
export function add(one: number, other: number): number {
  let sum = one;
  for (let at = 0; at < 6e7; at += 1) sum = (sum * 31 + other) % 1009;
  return sum;
}
`;

const HANGING = `
export function packWord(text: string): string {
  while (text.length > 1);
  return text;
}
export function unpackWord(text: string): string {
  return text;
}
`;

let root: string;
let finds: readonly Counterexample[];
let leftOut: readonly SkippedFunction[];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'selfware-counterexamples-'));
  mkdirSync(join(root, 'src'));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text);
  const tree = createSourceTree(root);
  const plan = planSearch(
    ['src/innocent.ts', 'src/nameless.cts', 'src/planted.ts', 'src/typed.js'],
    {},
    tree,
    openProject,
  );
  const report = searched(plan, 280_000);
  expect([report.obstacle, report.done]).toEqual([null, report.total]);
  finds = filterAllowed(report.counterexamples, tree, openProject);
  leftOut = [...plan.leftOut, ...report.skipped];
});

function searched({ leftOut: _, ...order }: SearchPlan, budgetMs: number): SearchReport {
  return runHarness(root, { ...order, search: true, seed: 7, budgetMs, runs: [40, 80, 8] });
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('one find of each kind, each as one small call, and nothing of what is meant', () => {
  expect(
    finds.map(({ kind, name, unlikely, call }) => `${kind} ${name}${unlikely ? ' unlikely' : ''}: ${call}`).sort(),
  ).toEqual([
    'endless countDown: countDown(-1)',
    'engineError initials: initials("")',
    'engineError lastOf: lastOf([])',
    'engineError lengthLater: lengthLater([])',
    'engineError lengthsOf: lengthsOf([])',
    'engineError nameless: nameless([])',
    'order compareInCircle: compareInCircle(-1, 0) <= 0 && compareInCircle(0, 1) <= 0 && compareInCircle(-1, 1) > 0',
    'order compareLengths: Math.sign(compareLengths("a", "a")) + Math.sign(compareLengths("a", "a"))',
    'roundTrip escapeText: unescapeText(escapeText("&lt;"))',
    'settles cleanSlashes: cleanSlashes(cleanSlashes("///"))',
    'wrongType extensionOf: extensionOf("")',
    'wrongType shorten: shorten("")',
  ]);
});

test('what happens and what should happen, in words', () => {
  const said = (name: string) => finds.find((find) => find.name === name);
  expect(said('initials')?.observed).toBe(
    "throws TypeError: Cannot read properties of undefined (reading 'toUpperCase')",
  );
  expect(said('extensionOf')).toMatchObject({
    expected: 'should return `string`, as its type says',
    observed: 'returns undefined',
    unlike: 'undefined',
  });
  expect(said('compareInCircle')).toMatchObject({
    expected: expect.stringContaining('so the first cannot be after the third'),
    observed: 'returns true, because the three comparisons give -1, -1 and 1',
  });
  expect(['lengthLater', 'lengthsOf', 'shorten'].map((name) => said(name)?.tested)).toEqual([
    'await lengthLater([])',
    '[...lengthsOf([])]',
    'typeof shorten("")',
  ]);
  expect(said('shorten')).toMatchObject({ observed: 'returns a function', unlike: '"function"' });
  expect(said('escapeText')).toMatchObject({
    expected: 'should return "&lt;"',
    observed: 'returns "<"; `escapeText` makes "&amp;lt;" of it',
    equals: '"&lt;"',
    stated: ['escapeText("&lt;")', 'unescapeText("&amp;lt;")'],
    partner: { name: 'unescapeText' },
  });
  expect(said('cleanSlashes')).toMatchObject({
    expected: 'should return "//", like `cleanSlashes("///")`',
    observed: 'returns "/"',
  });
});

test('what is not called, with the reason', () => {
  expect(leftOut.map(({ name, reason }) => `${name}: ${reason}`).sort()).toEqual([
    'Counter: It is a class.',
    'absent: The code has no function of its name.',
    'lengthOf: It takes `any`, which allows everything.',
    'load: It uses `fetch`, which reaches outside or is shared.',
    'oldest: It is deprecated.',
    'partsOf: It takes what `parseTree` makes of a text.',
    'sortLater: It depends on earlier calls.',
    'waitUntil: It waits for the clock, which stands still here.',
    'widest: It takes a type that is not found here, for which no values can be generated.',
    'widthOf: It takes a type that is too large, for which no values can be generated.',
  ]);
});

test('a function whose inputs were not all tried in its time is named', () => {
  writeFileSync(join(root, 'src', 'slow.ts'), SLOW);
  const { total, done, cutShort } = searched(
    planSearch(['src/slow.ts'], {}, createSourceTree(root), openProject),
    5_000,
  );
  // On a busy machine the time may end before the function is loaded.
  expect([total, ...(done > 0 ? cutShort : [0])]).toEqual([1, 0]);
});

test('a function that hangs on several inputs, so that no others are tried, is named', () => {
  writeFileSync(join(root, 'src', 'hanging.ts'), HANGING);
  const plan = planSearch(['src/hanging.ts'], {}, createSourceTree(root), openProject);
  const { skipped } = searched({ ...plan, laws: plan.laws.filter(({ kind }) => kind === 'roundTrip') }, 60_000);
  const reason = '2 inputs took too long or ended the process, so no others were tried.';
  expect(skipped).toEqual([{ path: 'src/hanging.ts', name: 'packWord', reason }]);
});
