// Every bench runs on a tiny input and answers with figures. How long anything takes is not asserted.

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { benches } from '../../bench/benches.ts';
import { createGainTables } from '../../bench/gains.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { grow, createRenamer, collectWords } from '../../bench/corpus/grow.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import { readRequest } from '../../bench/options.ts';
import type { BenchOptions, Cell, Table } from '../../bench/support/bench.ts';
import { computePercentile, computeGrowthExponent } from '../../bench/support/statistics.ts';
import { formatTable } from '../../bench/support/table.ts';
import { createPart } from '../../helpers/createPart.ts';

/**
 * Kills have a test of their own (test/kill); mutants, verdicts and traces need checkouts with their packages; gains
 * runs as repositories does; the relevance of packs needs a repository with fixes (packRelevance.test.ts); answers and
 * nights need somebody who answers.
 */
const elsewhere = new Set([
  'kill',
  'crash',
  'night-kills',
  'guard',
  'verdicts',
  'traces',
  'gains',
  'pack-relevance',
  'answers',
  'learning',
  'second-night',
]);
const tried = benches.filter(({ name }) => !elsewhere.has(name));

let dir: string;
let options: BenchOptions;
const signal = new AbortController().signal;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-bench-test-'));
  await mkdir(join(dir, 'labels'));
  await mkdir(join(dir, 'repository'));
  await writeFile(
    join(dir, 'repository', 'wallet.ts'),
    '/** Money of one person. */\nexport class Wallet {\n  spend(amount: number): number {\n    return this.balance - amount;\n  }\n  balance = 0;\n}\n',
  );
  await writeFile(
    join(dir, 'repository', 'ladder.ts'),
    'export function climbLadder(rungs: number): number {\n  return rungs * 2;\n}\n',
  );
  await writeFile(
    join(dir, 'labels', 'shop.json'),
    JSON.stringify([
      { query: 'how is an amount spent', category: 'semantic', relevant: ['wallet.ts'] },
      { query: 'climbLadder', category: 'symbol', relevant: [{ path: 'ladder.ts', start_line: 1, end_line: 3 }] },
    ]),
  );
  await writeFile(
    join(dir, 'manifest.json'),
    JSON.stringify([{ name: 'shop', language: 'typescript', root: join(dir, 'repository'), pinned: true }]),
  );
  await mkdir(join(dir, 'cosqa'));
  await writeFile(
    join(dir, 'cosqa', 'code_idx_map.txt'),
    JSON.stringify({
      'def add(a, b):\n    """Adds two numbers."""\n    return a + b': 0,
      'def shout(text):\n    return text.upper()': 1,
    }),
  );
  for (const part of ['dev', 'test'])
    await writeFile(
      join(dir, 'cosqa', `cosqa-retrieval-${part}-500.json`),
      JSON.stringify([{ doc: 'add two numbers', retrieval_idx: 0 }]),
    );
  options = {
    seed: 1,
    repeats: 1,
    size: 'tiny',
    labels: join(dir, 'labels'),
    manifest: join(dir, 'manifest.json'),
    cosqa: join(dir, 'cosqa'),
    grow: [],
    inputs: null,
    at: [],
    minutes: 2,
    keep: null,
    commits: null,
    each: null,
    kinds: [],
    scratch: dir,
    note: () => undefined,
  };
});

afterAll(() => rm(dir, { recursive: true, force: true }));

/**
 * Folders of one run. What a bench keeps is a file for some of them and a folder for others, and some continue there.
 */
async function ownPlaces(name: string): Promise<{ readonly scratch: string; readonly keep: string }> {
  const scratch = await mkdtemp(join(dir, `${name}-`));
  return { scratch, keep: join(scratch, 'kept') };
}

/** A repository whose history makes the same edit in several files, one commit each. Returns its folder. */
async function repositoryWithHistory(within: string): Promise<string> {
  const names = ['apple', 'cherry', 'grape', 'lemon', 'melon', 'peach'];
  const repository = await createTemporaryRepository(
    Object.fromEntries(names.map((name) => [`src/${name}.js`, codeOf(name, `Object.keys(${name}s).length`)])),
    { within },
  );
  for (const name of names.slice(1)) {
    await repository.write(`src/${name}.js`, codeOf(name, `countKeys(${name}s)`));
    await repository.git('commit', '--quiet', '--all', '--message', `Counts keys of ${name}s`);
  }
  return repository.dir;
}

function codeOf(name: string, count: string): string {
  return `export function most${name}(${name}s) {\n  return ${count} > 10;\n}\n`;
}

for (const bench of tried) {
  test(`${bench.name} answers with finite figures`, async () => {
    const own = await ownPlaces(bench.name);
    // What the last commits of this repository teach differs from day to day.
    const at = bench.name === 'recipes-from-history' ? [await repositoryWithHistory(own.scratch)] : [];
    const tables = await bench.run({ ...options, ...own, at }, signal);
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) {
      expect(table.rows.length, table.title).toBeGreaterThan(0);
      expect(figuresOf(table).length, table.title).toBeGreaterThan(0);
      expect(
        figuresOf(table).filter((figure) => !Number.isFinite(figure)),
        table.title,
      ).toEqual([]);
      for (const row of table.rows) expect(row.length, table.title).toBe(table.columns.length);
    }
    if (bench.name === 'repositories') await expectReadableDiffs(join(own.keep, 'sample'));
  });
}

test('what answers a labelled question is found, by us and by the peers', async () => {
  const quality = benches.find(({ name }) => name === 'quality')!;
  const [all] = await quality.run({ ...options, scratch: await mkdtemp(join(dir, 'labelled-')) }, signal);
  expect(
    all!.rows[0]!.slice(2)
      .map(Number)
      .every((gain) => gain > 0.5 && gain <= 1),
  ).toBe(true);
});

test('a cancelled bench stops', async () => {
  for (const bench of tried)
    await expect(
      bench.run({ ...options, ...(await ownPlaces('stopped')) }, AbortSignal.abort()),
      bench.name,
    ).rejects.toThrow();
});

test('the command line names benches and refuses what there is not', () => {
  const request = readRequest(['latency', 'scale', '--large', '--seed', '7', '--grow', 'a', '--grow', 'b'], benches);
  expect(request).toMatchObject({ options: { size: 'large', seed: 7, grow: ['a', 'b'], labels: null }, json: null });
  expect('benches' in request && request.benches.map(({ name }) => name)).toEqual(
    benches.map(({ name }) => name).filter((name) => name === 'latency' || name === 'scale'),
  );
  for (const wrong of [['nothing'], ['--unknown'], ['--labels', 'x']])
    expect(readRequest(wrong, benches)).toMatchObject({ wrong: true });
  const answers = readRequest(['answers', '--each', '4', '--kinds', 'tests,type hole'], benches);
  expect(answers).toMatchObject({ options: { each: 4, kinds: ['tests', 'type hole'] } });
  // A name that is no kind must not quietly ask about all kinds.
  expect(readRequest(['answers', '--each', '4', '--kinds', 'holes'], benches)).toMatchObject({ wrong: true });
  expect(readRequest(['--help'], benches)).toMatchObject({ wrong: false });
});

test('gains count what was shown and kept', () => {
  const proposal = (status: Proposal['status'], recipe: string, claim: Proposal['claim']) =>
    createPart<Proposal>({ status, recipe, claim, verdicts: [{ gate: 'score' }] });
  const shown = [{ rule: 'unused-file' }, { rule: 'nested-if' }, { rule: 'unused-file' }];
  const proposals = [
    proposal('kept', 'guard', { kind: 'points' } as Proposal['claim']),
    proposal('refused', 'guard', null),
    proposal('deferred', 'types', { kind: 'types' } as Proposal['claim']),
  ];
  const [found, kept, claims] = createGainTables([
    { name: 'shop', commit: 'c', seconds: 1, shown, proposals, passedOver: 4, minutes: 3 },
  ]);
  expect(found!.rows).toEqual([['shop', 'c', 1, 3, '2 unused-file, 1 nested-if']]);
  expect(kept!.rows).toEqual([['shop', 4, 3, 1, 1, 3, 3, '1 score']]);
  expect(claims!.rows).toEqual([
    ['none', 1, 0, ''],
    ['points', 1, 1, '1 guard'],
    ['types', 1, 0, ''],
  ]);
});

test('growth is the power of the size', () => {
  expect(computeGrowthExponent({ size: 10, cost: 5 }, { size: 1_000, cost: 500 })).toBeCloseTo(1);
  expect(computeGrowthExponent({ size: 10, cost: 5 }, { size: 1_000, cost: 50_000 })).toBeCloseTo(2);
  expect(computePercentile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(computePercentile([], 0.5)).toBeNaN();
});

test('grown repositories keep the language, rename alike throughout and get more words', () => {
  const sources = [
    {
      path: 'a/readFile.ts',
      text: 'export function readFile(encodingName: string) {\n  return encodingName + 0x1f;\n}\n',
    },
    {
      path: 'a/use.ts',
      text: "import { readFile } from './readFile.ts';\nexport const content = readFile('\\nutf');\n",
    },
  ];
  const kept = new Set(['export', 'function', 'string', 'return', 'import', 'from', 'const']);
  const rename = createRenamer(1, 1, kept);
  const all = grow(sources, 20, 1);
  expect(all.slice(0, 2).map(({ text }) => text)).toEqual(sources.map(({ text }) => text));
  expect(new Set(all.map(({ path }) => path)).size).toBe(20);
  expect(grow(sources, 20, 1)).toEqual(all);
  expect(collectWords(all.map(({ text }) => text).join(' ')).size).toBeGreaterThan(
    collectWords(sources.map(({ text }) => text).join(' ')).size,
  );
  const [name] = /function (\w+)/.exec(rename(sources[0]!.text))!.slice(1);
  expect(rename(sources[1]!.text)).toContain(`{ ${name} }`);
  expect(rename('0xfeed \\nothing')).toMatch(/^0xfeed \\n/);
});

test('a table reads well', () => {
  const table: Table = {
    title: 'Speed',
    columns: [{ name: 'what' }, { name: 'time', unit: 's', digits: 1 }],
    rows: [
      ['first', { median: 1.25, low: 1, high: 2, n: 3 }],
      ['second', 12],
      ['third', null],
    ],
    notes: ['Measured.'],
  };
  expect(formatTable(table)).toBe(
    '**Speed**\n\n| what   |      time (s) |\n|--------|--------------:|\n| first  | 1.3 [1.0–2.0] |\n| second |          12.0 |\n| third  |             – |\n\n- Measured.',
  );
});

async function expectReadableDiffs(folder: string): Promise<void> {
  const kept = (await readdir(folder)).filter((name) => /^\d{3}-kept-[\w-]+\.diff$/.test(name));
  expect(kept.length).toBeGreaterThan(0);
  expect(await readFile(join(folder, kept[0]!), 'utf8')).toMatch(/^--- [\s\S]*^\+/m);
}

function figuresOf({ rows }: Table): number[] {
  return rows
    .flat()
    .flatMap((cell: Cell) =>
      typeof cell === 'number'
        ? [cell]
        : cell !== null && typeof cell === 'object'
          ? [cell.median, cell.low, cell.high]
          : [],
    );
}
