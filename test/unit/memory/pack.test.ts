// The context pack never exceeds its budget and always says the same.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocations, layerBudgets } from '../../../server/src/core/memory/allocations.ts';
import { packContext, type PackContext, type PackRequest } from '../../../server/src/core/memory/pack.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import type { FileRecord } from '../../../server/src/core/indexPorts.ts';
import type { TaskType } from '../../../server/src/core/session.ts';

const never = new AbortController().signal;
const taskTypes = Object.keys(allocations) as TaskType[];

function symbol(path: string, startLine: number, endLine: number): SymbolInfo {
  const range = { startLine, startColumn: 1, endLine, endColumn: 2 };
  return { name: path.split('.').at(-1)!, path, kind: 'function', range, nameRange: range, exported: true };
}

function record(path: string, tokens: number, symbols: readonly (readonly [SymbolInfo, number, number])[] = []): FileRecord {
  return {
    path, size: tokens * 3, mtimeMs: 0, hash: path, language: 'typescript', tokens, symbols: symbols.map(([info]) => info), symbolTokens: symbols.map(([, body, signature]) => [body, signature]),
    chunks: [], imports: [], functions: [], opportunities: [], measures: {}, generated: false, trouble: null,
  };
}

function pack(context: Partial<PackContext>, request: Partial<PackRequest>) {
  return packContext({ records: [], inDegree: new Map(), read: null, ...context }, { task: '', taskType: 'SelfImprovement', budget: 1000, activeFiles: [], ...request }, never);
}

test('every row of the allocations sums to the whole window', () => {
  for (const row of Object.values(allocations)) expect(Object.values(row).reduce((sum, share) => sum + share, 0)).toBe(100);
  expect(layerBudgets('SelfImprovement', 1_000_000)).toEqual({ working: 100_000, episodic: 100_000, semantic: 700_000, reserve: 100_000 });
  expect(layerBudgets('Debugging', -5)).toEqual({ working: 0, episodic: 0, semantic: 0, reserve: 0 });
});

test('with room for everything, everything is there in full and nothing is counted twice', async () => {
  const store = record('src/store.ts', 100, [[symbol('Store', 1, 50), 80, 10], [symbol('Store.get', 5, 20), 30, 5], [symbol('Store.put', 25, 40), 30, 5]]);
  const { items, layers } = await pack({ records: [store] }, { budget: 10_000 });
  expect(items.map(({ symbol: name, resolution, tokens }) => [name, resolution, tokens])).toEqual([[null, 'body', 20], ['Store', 'body', 20], ['Store.get', 'body', 30], ['Store.put', 'body', 30]]);
  expect(layers.semantic.tokens).toBe(100);
});

test('with less room, what the task is about stays in full and the rest by signature or name', async () => {
  const records = ['parser', 'printer', 'walker'].map((name) => record(`src/${name}.ts`, 400, [[symbol(`${name}Main`, 1, 30), 380, 20]]));
  const { items } = await pack({ records }, { budget: 1000, task: 'make the parser faster' });
  const resolutions = Object.fromEntries(items.filter((item) => item.symbol).map((item) => [item.symbol, item.resolution]));
  expect(resolutions).toEqual({ parserMain: 'body', printerMain: 'signature', walkerMain: 'signature' });
});

test('files that many others import come first', async () => {
  const records = ['a', 'b', 'c'].map((name) => record(`${name}.ts`, 300, [[symbol(`${name}Main`, 1, 30), 290, 20]]));
  const { items } = await pack({ records, inDegree: new Map([['b.ts', 9]]) }, { budget: 600 });
  expect(items.filter(({ resolution, symbol: name }) => name && resolution === 'body').map(({ path }) => path)).toEqual(['b.ts']);
});

test('active files fill the working layer; a long one is a reference, a missing one is left out, and none is shown twice', async () => {
  const records = [record('a.ts', 500), record('long.ts', 10_001), record('b.ts', 500)];
  const read = async (path: string) => (path === 'new.ts' ? 'x'.repeat(350) : null);
  const { items, layers } = await pack({ records, read }, { budget: 100_000, activeFiles: ['a.ts', 'long.ts', 'new.ts', 'gone.ts', 'a.ts'] });
  expect(items.slice(0, 3).map(({ path, resolution, tokens }) => [path, resolution, tokens])).toEqual([['a.ts', 'body', 500], ['long.ts', 'name', 3], ['new.ts', 'body', 100]]);
  expect(layers.working).toEqual({ tokens: 603, budget: 10_000 });
  expect(items.slice(3).map(({ path }) => path)).toEqual(['b.ts', 'long.ts']);
});

test('at most ten active files', async () => {
  const records = Array.from({ length: 20 }, (_, index) => record(`f${index}.ts`, 10));
  const { layers } = await pack({ records }, { budget: 100_000, activeFiles: records.map(({ path }) => path) });
  expect(layers.working.tokens).toBe(100);
});

test('a cancelled request throws', async () => {
  const aborted = AbortSignal.abort();
  await expect(packContext({ records: [], inDegree: new Map(), read: null }, { task: '', taskType: 'Learning', budget: 1, activeFiles: [] }, aborted)).rejects.toMatchObject({ reason: 'cancelled' });
});

/** Records with nested definitions whose figures fit together or, as after an edit, do not. */
const arbitraryRecords = fc
  .array(fc.record({ tokens: fc.nat(20_000), generated: fc.boolean(), symbols: fc.array(fc.tuple(fc.nat(300), fc.nat(60), fc.nat(5000), fc.nat(200)), { maxLength: 12 }) }), { maxLength: 25 })
  .map((files) =>
    files.map(({ tokens, generated, symbols }, index) => ({
      ...record(`src/folder${index % 4}/file${index}.ts`, tokens, symbols.sort((a, b) => a[0] - b[0]).map(([start, length, body, signature], at) => [symbol(`name${at}`, start + 1, start + 1 + length), body, signature] as const)),
      generated,
    })),
  );

test('no layer is ever over its budget, the parts sum to the total, and the same input gives the same pack', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRecords, fc.oneof(fc.nat(2000), fc.nat(2_000_000)), fc.constantFrom(...taskTypes), fc.constantFrom('', 'name3 in folder2', 'file'), async (records, budget, taskType, task) => {
      const request = { budget, taskType, task, activeFiles: records.slice(0, 12).map(({ path }) => path) };
      const result = await pack({ records }, request);
      for (const { tokens, budget: share } of Object.values(result.layers)) expect(tokens).toBeLessThanOrEqual(share);
      expect(result.tokens).toBeLessThanOrEqual(budget);
      expect(result.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(result.tokens);
      expect(await pack({ records: [...records].reverse() }, request)).toEqual(result);
    }),
    { numRuns: 150 },
  );
});

test('when the names fit, every definition of every file is there', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRecords, async (records) => {
      const parts = records.reduce((sum, { symbols }) => sum + 1 + symbols.length, 0);
      const { items } = await pack({ records }, { budget: parts * 60 });
      expect(items.length).toBe(parts);
    }),
    { numRuns: 60 },
  );
});
