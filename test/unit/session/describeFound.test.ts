// Which function a mistake is shown at, and where the lines of a written test go.

import { expect, test } from 'vitest';
import { describeFound } from '../../../server/src/core/session/analyse/unguarded/describe.ts';
import {
  lineText,
  createUnguardedOpportunity,
} from '../../../server/src/core/session/analyse/unguarded/unguardedMistakes.ts';
import { applySplices } from '../../../server/src/core/verify/guard/unguarded.ts';
import { never } from './flawed.ts';

const range = (startLine: number, endLine: number) => ({ startLine, startColumn: 1, endLine, endColumn: 1 });
const subject = (path: string, name: string) => ({
  ...{ path, name, exportedAs: name },
  ...{ range: range(1, 9), nameRange: range(1, 1) },
});
const mutant = (path: string, line: number) => ({ path, line, start: line, shown: `line ${line}`, description: 'x' });
const call = (...mutants: readonly number[]) => ({
  ...{ call: 'f(1)', given: [1], result: { value: 1 } },
  tells: mutants.map((one) => ({ mutant: one, then: '2' })),
});

const context = {
  ports: {
    files: { rootDir: '/r' },
    jobs: {
      run: async (
        _: string,
        { functions }: { readonly functions: readonly { readonly calls: readonly unknown[] }[] },
      ) => functions.map(({ calls }) => ({ allowed: calls.map(() => true), test: { refused: 'none' } })),
    },
  },
  state: { imports: new Map() },
};

test('a mistake is shown at a function of its own file, also if a function of another file shows it first', async () => {
  const found = await describeFound(
    context as never,
    null,
    never,
    [subject('outer.js', 'outer'), subject('inner.js', 'inner')] as never,
    { mutants: [mutant('inner.js', 3), mutant('outer.js', 4)] } as never,
    {
      callsByFunction: [
        { of: 0, calls: [call(0, 1)] },
        { of: 1, calls: [call(0)] },
      ],
    } as never,
  );
  expect(found.map(({ name, mistakes }) => [name, mistakes.map(({ line }) => line)])).toEqual([
    ['outer', [4]],
    ['inner', [3]],
  ]);
});

test('a mistake is shown at the function that test files import, rather than at the inner function with its lines', async () => {
  const run = async (_: string, { functions }: { functions: readonly { name: string; calls: readonly unknown[] }[] }) =>
    functions.map(({ name, calls }) => ({
      allowed: calls.map(() => true),
      test: { edit: { path: 'a.test.js' }, added: '', isReached: name === 'outer' },
    }));
  const ports = { ...context.ports, jobs: { run } };
  const found = await describeFound(
    { ...context, ports } as never,
    null,
    never,
    [subject('inner.js', 'inner'), subject('outer.js', 'outer')] as never,
    { mutants: [mutant('inner.js', 3), mutant('inner.js', 4)] } as never,
    {
      callsByFunction: [
        { of: 0, calls: [call(0, 1)] },
        { of: 1, calls: [call(0)] },
      ],
    } as never,
  );
  expect(found.map(({ name, mistakes }) => [name, mistakes.map(lineText)])).toEqual([
    ['inner', ['line 4']],
    ['outer', ['line 3 of inner.js']],
  ]);
});

test('a mistake that no function of its file shows is shown at one of another file, after those of its own', async () => {
  const found = await describeFound(
    context as never,
    null,
    never,
    [subject('outer.js', 'outer'), subject('inner.js', 'inner')] as never,
    { mutants: [mutant('inner.js', 3), mutant('outer.js', 4), mutant('inner.js', 5)] } as never,
    {
      callsByFunction: [
        { of: 0, calls: [call(0, 1, 2)] },
        { of: 1, calls: [call(2)] },
      ],
    } as never,
  );
  expect(found.map(({ name, mistakes }) => [name, mistakes.map(lineText)])).toEqual([
    ['outer', ['line 4', 'line 3 of inner.js']],
    ['inner', ['line 5']],
  ]);
});

test('two inputs that became the same call are one call, which shows the mistakes of both', async () => {
  const found = await describeFound(
    context as never,
    null,
    never,
    [subject('a.js', 'f')] as never,
    { mutants: [mutant('a.js', 3), mutant('a.js', 4)] } as never,
    { callsByFunction: [{ of: 0, calls: [call(0), call(1)] }] } as never,
  );
  expect(found.map(({ calls, mistakes }) => [calls.length, mistakes.map(({ line }) => line)])).toEqual([[1, [3, 4]]]);
});

test('a call that passes nothing is left out beside one that passes something', async () => {
  const empty = { ...call(0), call: 'f("")', given: ['""'] };
  const describe = (calls: readonly unknown[]) =>
    describeFound(
      context as never,
      null,
      never,
      [subject('a.js', 'f')] as never,
      { mutants: [mutant('a.js', 3), mutant('a.js', 4)] } as never,
      { callsByFunction: [{ of: 0, calls }] } as never,
    );
  const linesOf = (found: Awaited<ReturnType<typeof describe>>) =>
    found.map(({ mistakes }) => mistakes.map(({ line }) => line));
  expect(linesOf(await describe([empty, { ...call(1), given: ['1'] }]))).toEqual([[4]]);
  expect(linesOf(await describe([empty]))).toEqual([[3]]);
});

test('of two calls that differ in a text and show mistakes of one line, the one that shows more stays', async () => {
  const mutants = [mutant('a.js', 3), { ...mutant('a.js', 3), start: 4 }, mutant('a.js', 5)];
  const textCall = (text: string, ...shown: readonly number[]) => ({ ...call(...shown), call: `f("${text}")` });
  const describe = async (...calls: readonly unknown[]) => {
    const report = { callsByFunction: [{ of: 0, calls }] };
    const found = await describeFound(
      context as never,
      null,
      never,
      [subject('a.js', 'f')] as never,
      { mutants } as never,
      report as never,
    );
    return found.flatMap(({ calls: kept }) => kept.map((one) => one.call));
  };
  expect(await describe(textCall('a', 0), textCall('b', 0, 1))).toEqual(['f("b")']);
  expect(await describe(textCall('a', 0), textCall('b', 2))).toEqual(['f("a")', 'f("b")']);
  expect(await describe(textCall('a', 0), { ...call(1), call: 'f("a", true)' })).toEqual(['f("a")', 'f("a", true)']);
});

test('calls of several steps that end with different members are findings of their own', async () => {
  const steps = (member: string, ...shown: readonly number[]) => ({
    ...{ ...call(...shown), call: `make(); it.${member}()` },
    steps: [
      { before: 'const it = ', imported: { path: 'a.js', name: 'make', exportedAs: 'make' }, after: '()' },
      { before: `it.${member}()`, imported: null, after: '' },
    ],
  });
  const found = await describeFound(
    context as never,
    null,
    never,
    [subject('a.js', 'make')] as never,
    { mutants: [mutant('a.js', 3), mutant('a.js', 4)] } as never,
    { callsByFunction: [{ of: 0, calls: [steps('types', 0), steps('sizes', 1)] }] } as never,
  );
  expect(found.map(({ mistakes }) => mistakes.map(({ line }) => line))).toEqual([[3], [4]]);
  expect(new Set(found.map((one) => createUnguardedOpportunity(one).id)).size).toBe(2);
});

test('new lines end as the first one does, and all others stay as they are', () => {
  const splices = [{ from: 1, to: 1, lines: ['new'] }];
  expect(applySplices('a\r\nb\nc', splices)).toBe('a\r\nnew\r\nb\nc\r\n');
  expect(applySplices('a\nb\r\n', splices)).toBe('a\nnew\nb\r\n');
  expect(applySplices('', [{ from: 0, to: 0, lines: ['new'] }])).toBe('new\n');
});
