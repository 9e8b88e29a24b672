// Traces: which functions a change touches, how their calls are recorded, and what two recordings say of each other.

import { expect, test } from 'vitest';
import {
  compareTraces,
  createTraceRun,
  selectSteadyDifferences,
} from '../../../server/src/core/verify/traces/compareTraces.ts';
import { compared, named, plan, price, recorded } from './recordingCalls.ts';

test('the same calls with the same ends are the same, where they reach the touched lines', () => {
  const all = compared(price, named(price), (main) => [main(1), main(10)]);
  expect(all).toMatchObject({ differences: [], unreached: [] });
  expect([...all.compared]).toEqual([[0, 2]]);
  const few = compared(price, named(price), (main) => main(1));
  expect(few.unreached.map(({ line, text }) => `${line} ${text}`)).toEqual([
    '4 const returned = count * 4;',
    '5 return returned;',
    '4 return count * 4;',
  ]);
});

test.each<[what: string, before: string, after: string, part: string]>([
  ['another result', price, price.replace('* 5', '* 6'), 'result'],
  ['an argument that is changed otherwise', price, price.replace("'many'", "'more'"), 'argument 2.0'],
  ['an error', price, price.replace('return count * 5', "throw new Error('none')"), 'ending'],
  [
    'another property of the result',
    'export function main() {\n  return { a: 1 };\n}\n',
    'export function main() {\n  return { a: 1, b: 2 };\n}\n',
    'result',
  ],
])('%s is a difference', (_what, before, after, part) => {
  const list: string[] = [];
  const { differences } = compared(before, after, (main) => {
    try {
      main(10, list);
      main(1);
    } catch {
      // The second call may throw.
    }
    list.length = 0;
  });
  expect(differences[0]).toMatchObject({ traced: 0, part });
});

test('what varies without the change does not count', () => {
  const clock = 'let at = 0;\nexport function main(a) {\n  at += 1;\n  return { at: Math.random(), a };\n}\n';
  const { differences, compared: calls } = compared(clock, named(clock), (main) => main(1));
  expect(differences).toEqual([]);
  expect(calls.get(0)).toBe(1);
  const random = 'export function main() {\n  return Math.random();\n}\n';
  expect(compared(random, named(random), (main) => main()).compared.size).toBe(0);
});

test('the default of a variable has to be reached', () => {
  const before = 'export function main(o) {\n  const { limit = 10 } = o;\n  o.at ??= 1;\n  return limit;\n}\n';
  const after = before.replace('10', '100').replace('??= 1', '??= 2');
  const unreached = (run: (main: any) => unknown) => compared(before, after, run).unreached.map(({ text }) => text);
  expect(unreached((main) => main({ limit: 5, at: 3 }))).toEqual(['100', '2', '10', '1']);
});

test('functions that only the candidate has are reached through those that call them', () => {
  const after =
    'export function main(count) {\n  return times(count, 5);\n}\nfunction times(one, other) {\n  return one * other;\n}\n';
  const before = 'export function main(count) {\n  return count * 5;\n}\n';
  expect(compared(before, after, (main) => main(2))).toMatchObject({ differences: [], unreached: [] });
});

test('a call with other arguments, or one more, is not compared', () => {
  const before = 'export function main(n) {\n  return n > 0 ? main(n - 1) : 7;\n}\n';
  const after = 'export function main(n) {\n  return n > 1 ? main(n - 2) : 7;\n}\n';
  expect([...compared(before, after, (main) => main(3)).calledOtherwise]).toEqual([0]);
});

test('only a difference that is found twice is steady', () => {
  const traces = plan(price, price.replace('* 5', '* 6'));
  const trace = (text: string) => createTraceRun(recorded(text, (main) => main(1)));
  const base = [trace(traces.base.texts[0]!.text), trace(traces.base.texts[0]!.text)] as const;
  const once = compareTraces(traces, base, trace(traces.candidate.texts[0]!.text));
  const never = compareTraces(traces, base, trace(traces.base.texts[0]!.text));
  expect(once.differences).toMatchObject([
    { ends: { before: 'returned 5', after: 'returned 6' }, call: 1, title: 't' },
  ]);
  expect(selectSteadyDifferences(once, once)).toEqual(once.differences);
  expect(selectSteadyDifferences(once, never)).toEqual([]);
});

test('a test that failed is left out', () => {
  const lines = recorded(plan(price, named(price)).base.texts[0]!.text, (main) => main(1));
  const failing = lines.map((line) => ('tracedFile' in line ? { ...line, failed: ['t'] } : line));
  expect([createTraceRun(lines).recorded.size, createTraceRun(failing).recorded.size]).toEqual([1, 0]);
});

const forms = `'use strict';
export class Store {
  #size = 1;
  constructor(a) { this.a = a; }
  get size() { return this.#size; }
  add(...more) { label: for (const one of more) { if (one) continue label; this.#size += one; } return this; }
  static of = (a) => a && { a };
  async later({ a }) { await null; return a; }
}
export const each = (list, use = (x) => x) => list.map((x) => use(x) ?? 'none'), two = 2;
export default function (a) {
  'use strict'
  switch (a) { case 1: return 'one'; default: var b = a; }
  try { if (b) throw new TypeError(b); else return b } catch (error) { return error.message } finally { b = 0 }
}
`;

test('recording moves no line, parses, and leaves results and errors as they are', async () => {
  const touched = forms.replace(/\breturn\b/g, 'void 0; return').replace("use(x) ?? 'none'", "(use(x) ?? 'none')");
  const { base, candidate, gaps, functions } = plan(forms, touched, 'src/a.mjs');
  expect(gaps).toEqual([]);
  expect(functions.map(({ name, visible }) => `${name}${visible ? '' : ' (hidden)'}`)).toEqual([
    'get Store.size',
    'Store.add',
    'Store.later',
    'each › unnamed 2 (hidden)',
    'default',
  ]);
  for (const [{ texts }, plain] of [
    [base, forms],
    [candidate, touched],
  ] as const) {
    expect(texts[0]!.text.split('\n').length).toBe(plain.split('\n').length);
    const {
      Store,
      each,
      default: main,
    } = await import(`data:text/javascript,${encodeURIComponent(`${texts[0]!.text}// ${Math.random()}`)}`);
    const store = new Store(3);
    expect([store.add(1, 0).size, store.a, await store.later({ a: 4 })]).toEqual([1, 3, 4]);
    expect([each([0, undefined]), main(1), main(0), main('x'), main.length]).toEqual([[0, 'none'], 'one', 0, 'x', 1]);
  }
});

test('types stay valid, and an error has no other frames', () => {
  const typed =
    "export function main(a: number): string {\n  if (a > 1) throw new Error('no');\n  return String(a);\n}\n";
  const [text] = plan(typed, named(typed), 'src/a.ts').candidate.texts;
  expect(text!.text).toContain('(globalThis as any)');
  const [plain] = plan(price, price.replace('return count * 5', "throw new Error('no')")).candidate.texts;
  const lines = recorded(plain!.text, (main) => {
    try {
      main(1);
    } catch (error) {
      expect(String((error as Error).stack).split('\n')[1]).toMatch(/at main /);
    }
  });
  expect(lines[0]).toMatchObject({ calls: [{ ending: 'threw', shown: 'Error: no' }] });
});

test.each<[what: string, before: string | null, after: string | null, path: string, gap: RegExp]>([
  [
    'another kind of file',
    'a: 1',
    'a: 2',
    'a.yml',
    /^Calls of a\.yml in tests cannot be recorded: it is not TypeScript or JavaScript\.$/,
  ],
  ['a file that is gone', price, null, 'src/a.js', /^src\/a\.js is gone\.$/],
  ['code outside of functions', 'export const a = 1;', 'export const a = 2;', 'src/a.js', /outside of functions/],
  ['an export that is gone', price, price.replace('export ', ''), 'src/a.js', /`main` is no longer exported/],
  [
    'a generator',
    'export function* main() { yield 1; }',
    'export function* main() { yield 2; }',
    'src/a.js',
    /`main` is a generator/,
  ],
  [
    'the constructor of a derived class',
    'export class A extends Object { constructor() { super(); this.a = 1; } }',
    'export class A extends Object { constructor() { super(); this.a = 2; } }',
    'src/a.js',
    /constructor of a derived class/,
  ],
  [
    'functions without a name, one of which is new',
    'export function main(list) { return list.map((x) => x + 1); }',
    'export function main(list) { return list.filter((x) => x).map((x) => x + 1); }',
    'src/a.js',
    /cannot be identified on both sides/,
  ],
  [
    'another default of a parameter',
    'export function main(a, limit = 10) {\n  return a + limit;\n}\n',
    'export function main(a, limit = 100) {\n  return a + limit;\n}\n',
    'src/a.js',
    /^`main` has other defaults of its parameters\.$/,
  ],
  [
    'another default inside a parameter',
    'export function main({ limit: [most = 10] }) {\n  return most;\n}\n',
    'export function main({ limit: [most = 100] }) {\n  return most;\n}\n',
    'src/a.js',
    /`main` has other defaults/,
  ],
  [
    'a name from another module',
    `import { parse } from './strict.js';\nexport const main = (a) => parse(a);\n`,
    `import { parse } from './loose.js';\nexport const main = (a) => parse((a));\n`,
    'src/a.js',
    /^`parse` comes from elsewhere in src\/a\.js\.$/,
  ],
  [
    'a function that is imported now',
    'function helper(a) {\n  return a;\n}\nexport const main = (a) => helper(a);\n',
    `import { helper } from './b.js';\nexport const main = (a) => helper((a));\n`,
    'src/a.js',
    /`helper` comes from elsewhere/,
  ],
  [
    'an import that hides what is global',
    'export const main = (a) => fetch(a);\n',
    `import fetch from './fetch.js';\nexport const main = (a) => fetch((a));\n`,
    'src/a.js',
    /`fetch` comes from elsewhere/,
  ],
  ['an import for its effects', price, `import './polyfill';\n${named(price)}`, 'src/a.js', /outside of functions/],
  ['nothing that runs', price, `// A comment.\n${price}`, 'src/a.js', /No function that both sides have is touched/],
])('%s is a gap', (_what, before, after, path, gap) => {
  expect(plan(before, after, path).gaps.join(' ')).toMatch(gap);
});

test.each<[what: string, before: string, after: string]>([
  ['that are types only', `import type { A } from './a.ts';`, `import type { A } from './b.ts';`],
  ['that only types use', `import { A } from './a.ts';`, `import { A } from './b.ts';`],
  ['of the same module of Node', `import { A } from 'fs';\nA();`, `import { A } from 'node:fs';\nA();`],
  ['that are new', '', `import { sum } from './sum.ts';`],
  ['of a name that only a member has', 'JSON.parse("");', `import { parse } from './a.ts';\nJSON.parse("");`],
])('imports %s are no gap', (_what, before, after) => {
  const main = (result: string) => `export function main(a: A): A {\n  return ${result};\n}\n`;
  expect(plan(`${before}\n${main('a')}`, `${after}\n${main('[a][0]')}`, 'src/a.ts').gaps).toEqual([]);
});
