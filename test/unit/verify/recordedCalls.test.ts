// What is recorded of a call: how it ends, what can be read of its result, and what of it counts.

import { expect, test } from 'vitest';
import { compareTraces, createTraceRun } from '../../../server/src/core/verify/traces/compareTraces.ts';
import type { TracePlan } from '../../../server/src/core/verify/traces/planTraces.ts';
import { compared, named, plan, price, recorded, recordedLater } from './recordingCalls.ts';

test.each<[what: string, result: string]>([
  ['a function', '() => a'],
  ['an iterator', 'new Set([a]).values()'],
  ['an object whose fields are private', 'new (class { #a = a; get a() { return this.#a; } })()'],
  ['a promise that is never settled', 'new Promise(() => a)'],
])('a call whose result is %s shows nothing, although its argument can be read', (_what, result) => {
  const made = `export function main(a) {\n  return ${result};\n}\n`;
  expect(compared(made, named(made), (main) => main({ b: 1 })).compared.size).toBe(0);
});

test.each([
  '{}',
  '[]',
  'Object.create(null)',
  'new Date(0)',
  'new Map([[a, 1]])',
  "new URL('https://a.b')",
  'new Error()',
])('a call whose result is %s is compared', (result) => {
  const made = `export function main(a) {\n  return ${result};\n}\n`;
  expect(compared(made, named(made), (main) => main(1)).compared.get(0)).toBe(1);
});

test.each<[what: string, before: string, after: string]>([
  ['return await', 'async function main(p) {\n  return await p();\n}', 'async function main(p) {\n  return p();\n}'],
  [
    'then',
    'function main(p) {\n  return p().then((a) => [a]);\n}',
    'async function main(p) {\n  const a = await p();\n  return [a];\n}',
  ],
])('an async function ends as its promise does, with and without %s', async (_what, before, after) => {
  const traces = plan(`export ${before}\n`, `export ${after}\n`);
  const trace = async ({ texts }: TracePlan['base']) =>
    createTraceRun(
      await recordedLater(texts[0]!.text, async (main) => {
        await main(async () => 1);
        await main(async () => Promise.reject(new Error('no'))).catch(() => undefined);
      }),
    );
  const [base, again, candidate] = [await trace(traces.base), await trace(traces.base), await trace(traces.candidate)];
  const ends = [...base.recorded.values()].flatMap(({ calls }) => calls.map(({ ending }) => ending));
  expect(ends).toEqual(['resolved', 'rejected']);
  expect(compareTraces(traces, [base, again], candidate)).toMatchObject({ differences: [], unreached: [] });
});

test('an async function that returns a query ends as the query does, which runs once', async () => {
  const ran: string[] = [];
  class Query {
    then(use: (rows: number[]) => void) {
      ran.push('query');
      use([1]);
    }
  }
  const [now, later] = ['return await q()', 'return q()'].map(
    (text) => `export async function main(q) {\n  ${text};\n}`,
  );
  const traces = plan(now!, later!);
  const trace = async ({ texts }: TracePlan['base']) =>
    createTraceRun(
      await recordedLater(texts[0]!.text, async (main) => {
        expect(await main(() => new Query())).toEqual([1]);
      }),
    );
  const [base, again, candidate] = [await trace(traces.base), await trace(traces.base), await trace(traces.candidate)];
  expect(compareTraces(traces, [base, again], candidate)).toMatchObject({ differences: [], unreached: [] });
  expect(ran).toHaveLength(3);
});

test('a promise that the change leaves open is a difference', async () => {
  const settled = 'export async function main(a) {\n  return a;\n}';
  const traces = plan(settled, settled.replace('return a', 'return new Promise(() => a)'));
  const trace = async ({ texts }: TracePlan['base']) =>
    createTraceRun(await recordedLater(texts[0]!.text, async (main) => void main(1)));
  const [base, candidate] = [await trace(traces.base), await trace(traces.candidate)];
  expect(compareTraces(traces, [base, base], candidate).differences).toMatchObject([
    { part: 'ending', ends: { before: 'resolved 1', after: 'was not settled' } },
  ]);
});

test('a message that the engine words is not compared, one of the code is', () => {
  const differences = (before: string, after: string) =>
    compared(`export function main(o) {\n${before}\n}\n`, `export function main(o) {\n${after}\n}\n`, (main) => {
      try {
        main({});
      } catch {
        // It throws on both sides.
      }
    }).differences;
  expect(differences('  return o.a.b;', '  const { b } = o.a;\n  return b;')).toEqual([]);
  expect(differences("  throw new TypeError('no');", "  throw new TypeError('yes');")).toMatchObject([
    { part: 'error.message' },
  ]);
  expect(differences("  throw new Error('a is not defined');", "  throw new Error('b is not defined');")).toMatchObject(
    [{ part: 'error.message' }],
  );
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
