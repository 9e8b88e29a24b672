// Traces: which functions a change touches, how their calls are recorded, and what two recordings say of each other.

import { expect, test } from 'vitest';
import { installRecorder } from '../../../server/src/adapters/harness/inTests/recorder.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import { compareTraces, runOf, steadyDifferences } from '../../../server/src/core/verify/traces/compareTraces.ts';
import { planTraces, type TracePlan } from '../../../server/src/core/verify/traces/planTraces.ts';
import type { TracesLine } from '../../../server/src/core/verify/traces/recording.ts';

const plan = (before: string | null, after: string | null, path = 'src/a.js') =>
  planTraces([{ path, before, after }], isTestEdit);
const named = (text: string) => text.replace(/return (.+);/g, 'const returned = $1;\n  return returned;');

/** Runs a text that declares `main` as a script would, in a test with this name. */
function recorded(text: string, run: (main: any) => unknown, test = 't'): TracesLine[] {
  const recorder = installRecorder();
  try {
    const main: unknown = new Function(`${text.replaceAll('export ', '')}\nreturn main;`)();
    recorder.at(new Set([test]));
    run(main);
    return recorder.drain('f', { ran: new Set([test]), failed: new Set() });
  } finally {
    delete (globalThis as Record<string, unknown>)['__selfwareTrace'];
  }
}

function compared(before: string, after: string, run: (main: any) => unknown) {
  const traces = plan(before, after);
  expect(traces.gaps).toEqual([]);
  const trace = (side: TracePlan['base']) => runOf(recorded(side.texts[0]!.text, run));
  return compareTraces(traces, [trace(traces.base), trace(traces.base)], trace(traces.candidate));
}

const price = `export function main(count, list = []) {
  if (count > 9) {
    list.push('many');
    return count * 4;
  }
  return count * 5;
}
`;

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

test('a result of which nothing can be read shows nothing', () => {
  const made = 'export function main(a) {\n  return () => a;\n}\n';
  expect(compared(made, named(made), (main) => main()).compared.size).toBe(0);
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
  const trace = (text: string) => runOf(recorded(text, (main) => main(1)));
  const base = [trace(traces.base.texts[0]!.text), trace(traces.base.texts[0]!.text)] as const;
  const once = compareTraces(traces, base, trace(traces.candidate.texts[0]!.text));
  const never = compareTraces(traces, base, trace(traces.base.texts[0]!.text));
  expect(once.differences).toMatchObject([
    { ends: { before: 'returned 5', after: 'returned 6' }, call: 1, title: 't' },
  ]);
  expect(steadyDifferences(once, once)).toEqual(once.differences);
  expect(steadyDifferences(once, never)).toEqual([]);
});

test('a test that failed is left out', () => {
  const lines = recorded(plan(price, named(price)).base.texts[0]!.text, (main) => main(1));
  const failing = lines.map((line) => ('tracedFile' in line ? { ...line, failed: ['t'] } : line));
  expect([runOf(lines).recorded.size, runOf(failing).recorded.size]).toEqual([1, 0]);
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
  ['another kind of file', 'a: 1', 'a: 2', 'a.yml', /^a\.yml is not TypeScript or JavaScript\.$/],
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
  ['nothing that runs', price, `// A comment.\n${price}`, 'src/a.js', /No function that both sides have is touched/],
])('%s is a gap', (_what, before, after, path, gap) => {
  expect(plan(before, after, path).gaps.join(' ')).toMatch(gap);
});

test('of web objects, headers count one by one; the port of a local server does not', () => {
  const main = (a: unknown) => {
    const [line] = recorded(
      plan('export function main(a) {\n  return a;\n}\n', 'export function main(a) {\n  return [a];\n}\n').base
        .texts[0]!.text,
      (run) => run(a),
    );
    return 'calls' in line! ? line.calls[0]!.after : {};
  };
  const response = (name: string) => main(new Response('', { status: 201, headers: { 'x-a': name, 'x-b': '1' } }));
  const [one, other] = [response('1'), response('2')];
  expect(Object.keys(one).filter((part) => part.startsWith('result'))).toEqual([
    'result',
    'result.status',
    'result.statusText',
    'result.header content-type',
    'result.header x-a',
    'result.header x-b',
  ]);
  expect(Object.keys(one).filter((part) => one[part] !== other[part])).toEqual([
    'result.header x-a',
    'argument 1.header x-a',
  ]);
  expect(main(new Error('http://localhost:4711/a'))).toEqual(main(new Error('http://localhost:815/a')));
  expect(main(new Error('a'))).not.toEqual(main(new Error('b')));
});

test('no code of a recorded value runs', () => {
  const ran: string[] = [];
  const value = {
    get loud() {
      ran.push('getter');
      return 1;
    },
    proxy: new Proxy({}, { ownKeys: () => (ran.push('trap'), []), getPrototypeOf: () => (ran.push('trap'), null) }),
    then: () => ran.push('then'),
    toJSON: () => ran.push('toJSON'),
    [Symbol.iterator]: () => ran.push('iterator'),
  };
  const lines = recorded(plan(price, named(price)).base.texts[0]!.text, (main) =>
    main(1, new Proxy([value], { get: () => (ran.push('get'), 0) })),
  );
  const inside = recorded(
    plan('export function main(a) {\n  return [a];\n}\n', 'export function main(a) {\n  return [a, 1];\n}\n').base
      .texts[0]!.text,
    (main) => main(value),
  );
  expect(ran).toEqual([]);
  expect([lines[0], inside[0]]).toMatchObject([{ count: 1 }, { count: 1, calls: [{ tells: true }] }]);
});
