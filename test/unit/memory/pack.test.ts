// What a context pack shows, by example.

import { expect, test } from 'vitest';
import { formatLayer } from '../../../server/src/cli/commands/context.ts';
import { allocations, computeLayerBudgets } from '../../../server/src/core/memory/allocations.ts';
import { packContext } from '../../../server/src/core/memory/pack.ts';
import { pack, record, symbol } from './records.ts';

test('every row of the allocations sums to the whole window', () => {
  for (const row of Object.values(allocations))
    expect(Object.values(row).reduce((sum, share) => sum + share, 0)).toBe(100);
  expect(computeLayerBudgets(allocations.SelfImprovement, 1_000_000)).toEqual({
    working: 100_000,
    episodic: 100_000,
    semantic: 700_000,
    reserve: 100_000,
  });
  expect(computeLayerBudgets(allocations.Debugging, -5)).toEqual({ working: 0, episodic: 0, semantic: 0, reserve: 0 });
});

test('with room for everything, everything is there in full, nothing is counted twice and the rest is free', async () => {
  const store = record('src/store.ts', 100, [
    [symbol('Store', 1, 50), 80, 10],
    [symbol('Store.get', 5, 20), 30, 5],
    [symbol('Store.put', 25, 40), 30, 5],
  ]);
  const { items, layers, tokens } = await pack({ records: [store] }, { budget: 10_000 });
  // The heading takes 6 tokens.
  expect(items.map(({ symbol: name, resolution, tokens: taken }) => [name, resolution, taken])).toEqual([
    [null, 'body', 26],
    ['Store', 'body', 20],
    ['Store.get', 'body', 30],
    ['Store.put', 'body', 30],
  ]);
  expect(layers.semantic).toMatchObject({ borrowed: 0, wanted: 106 });
  expect(tokens).toBe(layers.semantic.tokens);
  expect(tokens).toBeLessThan(200);
});

test('with less room, what matters most stays in full and the rest by signature or name', async () => {
  const records = ['parser', 'printer', 'walker'].map((name) =>
    record(`src/${name}.ts`, 400, [[symbol(`${name}Main`, 1, 30), 380, 20]]),
  );
  const { items } = await pack({ records, inDegree: new Map([['src/walker.ts', 9]]) }, { budget: 660 });
  const resolutions = Object.fromEntries(
    items.filter((item) => item.symbol).map((item) => [item.symbol, item.resolution]),
  );
  expect(resolutions).toEqual({ parserMain: 'signature', printerMain: 'signature', walkerMain: 'body' });
});

test.each([
  ['files that many others import', { inDegree: new Map([['b.ts', 9]]) }],
  [
    'files of high rank',
    {
      rank: new Map([
        ['a.ts', 0.1],
        ['b.ts', 0.8],
        ['c.ts', 0.1],
      ]),
    },
  ],
  [
    'files that are worked on',
    { commits: [1, 2, 3].map((n) => ({ hash: `${n}`, atMs: n, subject: 'change', paths: ['b.ts'] })) },
  ],
])('%s come first', async (_, context) => {
  const records = ['a', 'b', 'c'].map((name) => record(`${name}.ts`, 300, [[symbol(`${name}Main`, 1, 30), 290, 20]]));
  const { items } = await pack({ records, ...context }, { budget: 500 });
  expect(items.filter(({ resolution, symbol: name }) => name && resolution === 'body').map(({ path }) => path)).toEqual(
    ['b.ts'],
  );
});

test('active files fill the working layer; a long one is a reference, a missing one is left out, and none is shown twice', async () => {
  const records = [record('a.ts', 500), record('long.ts', 10_001), record('b.ts', 500)];
  const read = async (path: string) => (path === 'new.ts' ? 'x'.repeat(350) : null);
  const { items } = await pack(
    { records, read },
    { budget: 100_000, activeFiles: ['a.ts', 'long.ts', 'new.ts', 'gone.ts', 'a.ts'] },
  );
  expect(items.filter(({ layer }) => layer === 'working').map(({ path, resolution }) => [path, resolution])).toEqual([
    ['a.ts', 'body'],
    ['long.ts', 'name'],
    ['new.ts', 'body'],
  ]);
  expect(items.filter(({ layer }) => layer !== 'working').map(({ path }) => path)).toEqual(['b.ts', 'long.ts']);
});

test('at most ten active files', async () => {
  const records = Array.from({ length: 20 }, (_, index) => record(`f${index}.ts`, 10));
  const { items } = await pack({ records }, { budget: 100_000, activeFiles: records.map(({ path }) => path) });
  expect(items.filter(({ layer }) => layer === 'working').length).toBe(10);
});

test('a window too small to name every file names their folders', async () => {
  const records = Array.from({ length: 400 }, (_, index) =>
    record(`packages/part${index % 3}/src/module${index}.ts`, 500),
  );
  const { items, tokens } = await pack({ records }, { budget: 2000 });
  expect(tokens).toBeLessThanOrEqual(1800);
  expect(items.filter(({ path }) => path.endsWith('/')).map(({ path }) => path)).toEqual([
    'packages/part0/src/',
    'packages/part1/src/',
    'packages/part2/src/',
  ]);
});

test('what working and episodic memory leave of their shares goes to semantic memory, the reserve to nobody', async () => {
  const records = Array.from({ length: 50 }, (_, index) => record(`f${index}.ts`, 5000));
  const { layers, tokens } = await pack({ records }, { budget: 100_000 });
  expect(tokens).toBe(90_000);
  expect(layers).toMatchObject({
    working: { tokens: 0, budget: 10_000, lent: 10_000 },
    episodic: { tokens: 0, budget: 10_000, lent: 10_000 },
    semantic: { tokens: 90_000, budget: 70_000, borrowed: 20_000, borrowedFrom: { working: 10_000, episodic: 10_000 } },
    reserve: { tokens: 0, budget: 10_000 },
  });
  const alone = await pack({ records, canLend: false }, { budget: 100_000 });
  expect(alone.layers.semantic).toMatchObject({ tokens: 70_000, borrowed: 0 });
  expect(alone.layers.semantic).not.toHaveProperty('borrowedFrom');
  // Whoever reads the figures sees that nothing is simply over its share.
  expect(
    (['working', 'episodic', 'semantic', 'reserve'] as const).map((layer) => formatLayer(layer, layers[layer])),
  ).toEqual([
    '  working    0 of 10,000, 10,000 lent to semantic',
    '  episodic   0 of 10,000, 10,000 lent to semantic',
    '  semantic   90,000 of 70,000 + 20,000 borrowed (10,000 from episodic, 10,000 from working)',
    '  reserve    0 of 10,000',
  ]);
});

test('definitions that share a line are shown together and cost once', async () => {
  const record1 = record('a.ts', 50, [
    [symbol('one', 1, 4), 40, 10],
    [symbol('two', 1, 4), 40, 10],
  ]);
  const { items } = await pack({ records: [record1] }, { budget: 1000 });
  expect(items.map(({ symbol: name, resolution, tokens }) => [name, resolution, tokens])).toEqual([
    [null, 'body', 13],
    ['one', 'body', 40],
    ['two', 'body', 0],
  ]);
});

test('a cancelled request throws', async () => {
  const aborted = AbortSignal.abort();
  await expect(
    packContext(
      { records: [], inDegree: new Map(), read: null },
      { task: '', taskType: 'Learning', budget: 1, activeFiles: [] },
      aborted,
    ),
  ).rejects.toMatchObject({ reason: 'cancelled' });
});
