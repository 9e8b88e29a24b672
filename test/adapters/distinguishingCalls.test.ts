// Calls that tell mutants from the code, on real mutants of a small file, in real processes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../server/src/core/verify/counterexamples/planSearch.ts';
import { planMutants } from '../../server/src/core/verify/guard/planMutants.ts';
import type {
  DistinguishingOrder,
  DistinguishingReport,
} from '../../server/src/core/verify/guard/distinguishingCalls.ts';
import { runHarness } from '../helpers/harness.ts';

const CODE = `
export function clamp(value: number, most: number): number {
  return value > most ? most : value;
}
export function half(count: number): number {
  if (count % 2 !== 0) throw new RangeError('An odd count has no half.');
  return count / 2;
}
export function countDown(from: number): number {
  let steps = 0;
  for (let left = Math.min(Math.abs(Math.trunc(from)), 50); left > 0; left -= 1) steps += 1;
  return steps;
}
let calls = 0;
export function numbered(text: string): string {
  calls += 1;
  return text + calls;
}
export function shout(text: string): string {
  return text.toLocaleUpperCase() + '!';
}
export function hourOf(date: Date): number {
  return date.getHours() + 1;
}
export function logged(text: string): string {
  console.log(text);
  return text + '.';
}
export function* upTo(most: number): Generator<number> {
  for (let at = 0; at < Math.min(most, 3); at += 1) yield at + 1;
}
export function place(name: string): string {
  return process.cwd() + '/' + name;
}
export function drawn(most: number): number {
  return Math.floor(Math.random() * 1000) + most;
}
export function yearAfter(count: number): number {
  return new Date().getFullYear() + count;
}
export async function later(text: string): Promise<string> {
  return text + ';';
}
export function unit(text: any, short: any): string {
  const found = /^(\\d+) ?([a-z]+)$/.exec(text);
  if (!found) return 'none';
  return short ? found[2]![0]! : found[2]!;
}
export function halves(count: number): number {
  return count / 2;
}
export class Span {
  #from: number;
  #to: number;
  constructor(from: number, to?: number) {
    this.#from = from;
    this.#to = to ?? 9;
  }
  static read(text: string): Span {
    return new Span(text.length);
  }
  get size(): number {
    return this.#to - this.#from;
  }
  has(value: number): boolean {
    return value >= this.#from;
  }
  whole(): Span {
    return this.#to > 3 ? this : new Span(0);
  }
}
export function joiner(sep: string, most = 9): (list: readonly string[]) => string {
  return (list) => (list.length > most ? 'many' : list.join(sep));
}
export function parsed(text: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  found.key = text.slice(0, 1);
  return found;
}
export const names = new Map<string, number>();
export function valueOf(name: string): number {
  if (!names.has(name)) throw new TypeError();
  return names.get(name)! > 2 ? 5 : 6;
}
let spans = 0;
export class Numbered {
  #text: string;
  constructor(text: string) {
    this.#text = text;
    spans += 1;
  }
  get label(): string {
    return this.#text + spans;
  }
}
export class Word {
  #text: any;
  private constructor(text: any) {
    this.#text = text;
  }
  static of(text: any): Word {
    return new Word(text);
  }
  get isLong(): boolean {
    return this.#text.length > 5;
  }
}
let last = '';
export function remember(text: string, more: string): void {
  if (text.length < 0) throw new Error('It is too short.');
  last = text.length > 3 ? text + more : last;
}
export function found(text: string): number | undefined {
  return text.length > 2 ? text.length : undefined;
}
export function endless(count: number): number {
  while (count > 76 && count < 80) last = '';
  return count > 70 ? 1 : 2;
}
`;
const TESTS = `
import { unit } from './index';
import { halves as half2 } from './code';
test('unit', () => { unit('12 apples', false); unit('3 pears', true); unit(given, true); half2(7); new Span(2, 5); Word.of('pears'); Word.of('apples'); joiner('-', 2)(['a', 'b', 'c']); parsed('bc'); valueOf('three'); valueOf('one'); found('abc'); endless(71); endless(77); endless(78); endless(79); });
`;

let root: string;
let order: DistinguishingOrder;
let report: DistinguishingReport;
let shown: readonly string[];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'selfware-telling-'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "target": "esnext" } }');
  writeFileSync(join(root, 'code.ts'), CODE);
  writeFileSync(
    join(root, 'index.ts'),
    "import { names } from './code';\nnames.set('three', 3).set('one', 1);\nexport * from './code';\n",
  );
  writeFileSync(join(root, 'code.test.ts'), TESTS);
  const { subjects, materials, emit } = planSearch(
    ['code.ts'],
    { 'code.ts': ['code.test.ts'] },
    createSourceTree(root),
    openProject,
  );
  const plan = planMutants([{ path: 'code.ts', before: '', after: CODE }], 200, () => false);
  shown = plan.mutants.map((mutant) => mutant.shown);
  const mutants = [...plan.mutants.keys()].filter((at) => plan.schemata.switched[at]);
  order = {
    telling: true,
    seed: 7,
    budgetMs: 240_000,
    varied: 80,
    runs: [80, 80],
    maxCalls: 5,
    ...{ subjects, materials, emit, mutants },
    files: plan.schemata.files,
  };
  report = runHarness(root, order);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function callsOf(name: string) {
  return report.callsByFunction.find(({ of }) => order.subjects[of]!.name === name)?.calls ?? [];
}

function told(name: string): readonly string[] {
  return callsOf(name).flatMap(({ tells }) => tells.map(({ mutant }) => shown[mutant]!));
}

test('few calls tell the mutants of a function, and what each of them does then', () => {
  expect(report.obstacle).toBe(null);
  expect(report.notCalledYet).toBe(0);
  const calls = callsOf('clamp');
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.length).toBeLessThanOrEqual(3);
  for (const { call, given, result, tells } of calls) {
    const [value, most] = given.map(Number) as [number, number];
    expect(call).toBe(`clamp(${given.join(', ')})`);
    expect(result).toEqual({ value: String(Math.min(value, most)), promised: false });
    for (const { then } of tells) expect(then).not.toBe(`returns ${Math.min(value, most)}`);
  }
  expect(told('clamp')).toContain('value > most → true');
  expect(told('clamp')).toContain('value > most → false');
  // The same for all values.
  expect(told('clamp')).not.toContain('> → >=');
});

test('a function that takes anything is called with what its tests pass, or with something near it', () => {
  const calls = callsOf('unit').map(({ call }) => call);
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(call).toMatch(/^unit\(".*(?:apples|pears|12|3).*"/);
});

test('texts and numbers of the tests stay, and nothing is called with negative numbers that it does not expect', () => {
  expect(callsOf('halves').map(({ call }) => call)).toContain('halves(7)');
  for (const { given } of callsOf('halves')) expect(Number(given[0])).toBeGreaterThanOrEqual(0);
});

test('an error that the code makes is a result, and so is what a promise resolves to', () => {
  expect(callsOf('half').map(({ result }) => result)).toContainEqual({
    throws: 'RangeError',
    message: 'An odd count has no half.',
    promised: false,
  });
  expect(callsOf('later')[0]?.result).toMatchObject({ promised: true });
});

test('a mutant that does not end is left out, and the others are still told', () => {
  expect(told('countDown')).toContain('+= → -=');
  for (const { tells } of callsOf('countDown')) for (const { then } of tells) expect(then).toMatch(/^returns /);
});

test('inputs that do not end are left out, and the others still tell mutants', () => {
  expect(told('endless')).toContain('count > 70 → false');
  expect(report.skipped.map(({ name }) => name)).not.toContain('endless');
});

test('no call of a function that only ever returns undefined, but where it is one answer among others', () => {
  expect(callsOf('remember')).toEqual([]);
  expect(report.skipped).toContainEqual({
    path: 'code.ts',
    name: 'remember',
    reason: 'It returns nothing that could be compared.',
  });
  expect(callsOf('found').map(({ result }) => result)).toContainEqual({ value: 'undefined', promised: false });
});

test('no call of a function whose results depend on earlier calls, time zone, language or output', () => {
  expect(callsOf('drawn')).toEqual([]);
  expect(callsOf('yearAfter')).toEqual([]);
  expect(callsOf('numbered')).toEqual([]);
  expect(callsOf('hourOf')).toEqual([]);
  expect(callsOf('logged')).toEqual([]);
  const reasons = new Map(report.skipped.map(({ name, reason }) => [name, reason]));
  expect(reasons.get('numbered')).toBe('Its results depend on earlier calls.');
  expect(reasons.get('upTo')).toBe('It gives an iterator.');
  expect(reasons.get('place')).toBe('Its results depend on where the repository lies.');
  expect(reasons.get('logged')).toBe('It prints, waits or calls what it is given.');
  for (const { call } of callsOf('shout')) expect(call).not.toContain('i');
});

test('members are used on a new instance, with arguments that the tests pass or the types allow', () => {
  const calls = [...callsOf('Span.size'), ...callsOf('Span.has')];
  expect(callsOf('Span.size').map(({ call }) => call)).toContainEqual(expect.stringMatching(/^new Span\(2[,)]/));
  expect(callsOf('Span.has').length).toBeGreaterThan(0);
  for (const { call, around } of calls) {
    expect(call).toMatch(/^new Span\(\d+(, \d+)?\)\.(size|has\(\d+\))$/);
    expect(call).toBe(`${around![0]}Span${around![1]}`);
  }
  expect(told('Span.size')).toContain('- → +');
  expect(told('Span.has')).toContain('>= → >');
});

test('the factory that the tests call makes the instance if the constructor is private', () => {
  expect(callsOf('Word.isLong').length).toBeGreaterThan(0);
  for (const { call } of callsOf('Word.isLong')) expect(call).toMatch(/^Word\.of\("(pears|apples)"\)\.isLong$/);
});

test('a function that a function returns is called together with it', () => {
  const calls = callsOf('joiner');
  expect(calls.length).toBeGreaterThan(0);
  for (const { call } of calls) expect(call).toMatch(/^joiner\(".*"(?:, \d+)?\)\(\[.*\]\)$/);
  expect(told('joiner')).toContain('> → >=');
});

test('what the module that tests import sets up is there', () => {
  expect(callsOf('valueOf').map(({ result }) => result)).toContainEqual({ value: '5', promised: false });
});

test('a result without a prototype is marked', () => {
  const [first] = callsOf('parsed');
  expect(first?.result).toMatchObject({ promised: false, bare: true });
});

test('no call of a member that returns an instance, or depends on earlier instances', () => {
  expect(callsOf('Span.whole')).toEqual([]);
  expect(callsOf('Numbered.label')).toEqual([]);
  expect(report.skipped).toContainEqual({
    path: 'code.ts',
    name: 'Numbered.label',
    reason: 'Its results depend on earlier calls.',
  });
});
