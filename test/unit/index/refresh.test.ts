// The index follows the working tree: changed files are read again, new ones are embedded, and removed ones are
// forgotten.

import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RefreshContext } from '../../../server/src/core/index/refreshContext.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { yieldNow } from '../../../server/src/util/yieldNow.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { openIndex, plainJobs, type TestIndex } from './indexing.ts';

const source = (name: string) =>
  `/** About ${name}. */\nexport function ${name}(value: number): number {\n  return value + 1;\n}\n`;

let state: string;
let repository: TemporaryRepository;
const open: TestIndex[] = [];

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'selfware-index-'));
  repository = await createTemporaryRepository(
    { 'src/alpha.ts': source('alpha'), 'src/beta.ts': source('beta'), 'README.md': '# Gamma\n' },
    { git: false },
  );
});
afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
  await rm(state, { recursive: true, force: true });
  await repository.dispose();
});

async function index(change?: (context: RefreshContext) => RefreshContext): Promise<TestIndex> {
  const made = await openIndex(repository.dir, state, change ? { change } : {});
  open.push(made);
  return made;
}

/** Counts what is read and embedded. */
function counting(counts: { reads: string[]; embedded: number }) {
  return (context: RefreshContext): RefreshContext => ({
    ...context,
    files: { ...context.files, read: (path) => (counts.reads.push(path), context.files.read(path)) },
    embedder: {
      ...context.embedder,
      embed: (texts, signal) => ((counts.embedded += texts.length), context.embedder.embed(texts, signal)),
    },
  });
}

const paths = (records: readonly { readonly path: string }[]) => records.map(({ path }) => path);

test('the first run indexes everything, the second reads nothing and embeds nothing', async () => {
  const counts = { reads: [] as string[], embedded: 0 };
  const made = await index(counting(counts));
  const first = await made.refresh();
  expect(paths(first.records)).toEqual(['README.md', 'src/alpha.ts', 'src/beta.ts']);
  expect([first.embedded, first.reused, first.changedPaths]).toEqual([
    3,
    0,
    ['README.md', 'src/alpha.ts', 'src/beta.ts'],
  ]);
  expect(first.records[1]).toMatchObject({
    language: 'typescript',
    symbols: [{ name: 'alpha', exported: true }],
    trouble: null,
    tokens: expect.any(Number),
    symbolTokens: [[expect.any(Number), expect.any(Number)]],
  });
  counts.reads = [];
  counts.embedded = 0;
  const second = await made.refresh();
  expect([counts.reads, counts.embedded]).toEqual([[], 0]);
  expect([second.embedded, second.reused, second.changedPaths]).toEqual([0, 3, []]);
  expect(second.records).toEqual(first.records);
});

test('a touched file is read once more, and nothing else happens', async () => {
  const counts = { reads: [] as string[], embedded: 0 };
  const made = await index(counting(counts));
  await made.refresh();
  counts.reads = [];
  counts.embedded = 0;
  await utimes(join(repository.dir, 'src/alpha.ts'), 1, 1);
  expect(await made.refresh()).toMatchObject({ embedded: 0, reused: 3, changedPaths: [] });
  expect([counts.reads, counts.embedded]).toEqual([['src/alpha.ts'], 0]);
  counts.reads = [];
  await made.refresh();
  expect(counts.reads).toEqual([]);
});

test('edited, added, deleted and renamed files', async () => {
  const made = await index();
  await made.refresh();
  await repository.write('src/alpha.ts', source('omega'));
  await repository.write('src/renamed.ts', source('beta'));
  await repository.write('src/new.ts', source('fresh'));
  await rm(join(repository.dir, 'src/beta.ts'));
  const changed = await made.refresh();
  expect(paths(changed.records)).toEqual(['README.md', 'src/alpha.ts', 'src/new.ts', 'src/renamed.ts']);
  expect(changed.changedPaths).toEqual(['src/alpha.ts', 'src/beta.ts', 'src/new.ts', 'src/renamed.ts']);
  expect([changed.embedded, changed.reused]).toEqual([3, 1]);
  expect((await made.search('beta')).map(({ path }) => path)).toEqual(['src/renamed.ts']);
  expect(paths(await made.search('alpha'))[0]).toBe('src/alpha.ts');
  const live = new Set(changed.records.flatMap(({ chunks }) => chunks.map(({ id }) => id)));
  const kept = await made.context.catalogue.trimShelf();
  expect(await made.context.chunks.ids()).toEqual(new Set([...live, ...kept]));
  expect(kept.size).toBe(2);
});

test('a change that is undone, as by switching branches, is neither inspected nor embedded again', async () => {
  const counts = { reads: [] as string[], embedded: 0 };
  let inspected = 0;
  const made = await index((context) => ({
    ...counting(counts)(context),
    jobs: plainJobs((files, next) => ((inspected += files.length), next())),
  }));
  const before = await made.refresh();
  await repository.write('src/alpha.ts', source('other'));
  await rm(join(repository.dir, 'src/beta.ts'));
  await made.refresh();
  [inspected, counts.embedded] = [0, 0];
  await repository.write('src/alpha.ts', source('alpha'));
  await repository.write('src/beta.ts', source('beta'));
  const after = await made.refresh();
  expect([inspected, counts.embedded, after.embedded]).toEqual([0, 0, 0]);
  expect(after.changedPaths).toEqual(['src/alpha.ts', 'src/beta.ts']);
  expect(after.records.map(({ chunks, hash }) => [chunks, hash])).toEqual(
    before.records.map(({ chunks, hash }) => [chunks, hash]),
  );
  expect(paths(await made.search('beta'))[0]).toBe('src/beta.ts');
});

test('many new files are told before the store is asked for anything; few are not worth it', async () => {
  const steps: string[] = [];
  const told: string[][] = [];
  const last = new Map<string, number>();
  const made = await index((context) => ({
    ...context,
    chunks: { ...context.chunks, ids: () => (steps.push('ids'), context.chunks.ids()) },
    clock: { now: () => steps.length },
    onUnindexed: (unseen) => (steps.push('unseen'), told.push([...unseen])),
    onSearchable: (files) => files.forEach(({ record }) => last.set(record.path, record.symbols.length)),
  }));
  // Few files are not searched as plain text, so they can be searched at the end.
  expect((await made.refresh()).searchableAt).toBe(1);
  expect(steps).toEqual(['ids']);
  for (let at = 0; at < 80; at++) await repository.write(`many/file${at}.ts`, source(`function${at}`));
  const refreshed = await made.refresh();
  expect(steps).toEqual(['ids', 'unseen', 'ids']);
  expect(refreshed.searchableAt).toBe(2);
  expect(told).toEqual([paths(refreshed.records).filter((path) => path.startsWith('many/'))]);
  expect(last.size).toBe(refreshed.records.length);
  expect(last.get('many/file7.ts')).toBe(1);
  const counts = made.progress.filter(({ stage }) => stage === 'indexing').map(({ done }) => done);
  expect(counts.slice(1).every((done) => done > 0)).toBe(true);
});

test('what the store lost is made again', async () => {
  const made = await index();
  const first = await made.refresh();
  await made.context.chunks.remove(first.records[1]!.chunks.map(({ id }) => id));
  expect(await made.refresh()).toMatchObject({ embedded: 1, reused: 2 });
  expect((await made.search('alpha'))[0]?.path).toBe('src/alpha.ts');
});

test('what the catalogue lost is inspected again and not embedded again', async () => {
  const made = await index();
  await made.refresh();
  await made.context.catalogue.remove(['src/alpha.ts']);
  expect(await made.refresh()).toMatchObject({ embedded: 0, reused: 3, changedPaths: ['src/alpha.ts'] });
});

test('chunks that no record names are removed and never found', async () => {
  const made = await index();
  await made.refresh();
  const vector = new Float32Array(made.context.embedder.dimensions).fill(0.0625);
  await made.context.chunks.upsert([
    { id: 'stray', path: 'src/alpha.ts', startLine: 1, endLine: 1, symbol: null, terms: 'stray', vector },
  ]);
  expect(await made.search('stray')).toEqual([]);
  await made.refresh();
  expect((await made.context.chunks.ids()).has('stray')).toBe(false);
});

test('progress never goes back and ends with all files', async () => {
  for (let at = 0; at < 150; at++) await repository.write(`src/many/file${at}.ts`, source(`fn${at}`));
  const made = await index();
  await made.refresh();
  const steps = made.progress.filter(({ stage }) => stage === 'indexing');
  expect(steps.length).toBeGreaterThan(2);
  expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).toSorted((a, b) => a - b));
  expect(steps.at(-1)).toMatchObject({ done: 153, total: 153 });
  // What the status bar shows is the count of whatever stage it is.
  const counts = made.progress.filter(({ done, total }) => total !== null && done > 0).map(({ done }) => done);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});

test('cancelled in the middle: typed error, nothing torn, the next run goes on', async () => {
  for (let at = 0; at < 300; at++) await repository.write(`src/many/file${at}.ts`, source(`fn${at}`));
  const controller = new AbortController();
  const made = await index((context) => ({
    ...context,
    catalogue: {
      ...context.catalogue,
      put: async (records) => (await context.catalogue.put(records), controller.abort()),
    },
  }));
  await expect(made.refresh({ signal: controller.signal })).rejects.toMatchObject({ reason: 'cancelled' });
  const rest = await made.refresh();
  expect(rest.records).toHaveLength(303);
  expect(rest.embedded).toBeGreaterThan(0);
  expect(rest.embedded).toBeLessThan(303);
  await expect(made.refresh({ signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: 'cancelled' });
});

test('when a run has ended, by cancel or by a failure, nothing of it is still being written', async () => {
  for (let at = 0; at < 300; at++) await repository.write(`src/many/file${at}.ts`, source(`fn${at}`));
  const controller = new AbortController();
  const writing = new Set<unknown>();
  let wrote = 0;
  const made = await index((context) => ({
    ...context,
    chunks: {
      ...context.chunks,
      async upsert(rows) {
        writing.add(rows);
        wrote++;
        controller.abort();
        for (let turn = 0; turn < 100; turn++) await yieldNow();
        await context.chunks.upsert(rows);
        writing.delete(rows);
      },
    },
  }));
  await expect(made.refresh({ signal: controller.signal })).rejects.toMatchObject({ reason: 'cancelled' });
  expect([wrote, writing.size]).toEqual([1, 0]);
});

test.each(['internal', 'timedOut'] as const)(
  'a file that ends its job with %s is searched as plain text and said; the others are unharmed',
  async (reason) => {
    await repository.write('src/poison.ts', source('poison'));
    let tries = 0;
    const jobs = plainJobs(async (files, next) => {
      tries++;
      if (files.some(({ path }) => path === 'src/poison.ts')) throw new SelfwareError(reason, 'The thread is gone.');
      return next();
    });
    const made = await index((context) => ({ ...context, jobs }));
    const { records, skipped } = await made.refresh();
    expect(skipped).toEqual([
      { path: 'src/poison.ts', reason: reason === 'timedOut' ? 'analysis timed out' : 'parse failed' },
    ]);
    expect(records.map(({ path, symbols, chunks }) => [path, symbols.length, chunks.length])).toEqual([
      ['README.md', 1, 1],
      ['src/alpha.ts', 1, 1],
      ['src/beta.ts', 1, 1],
      ['src/poison.ts', 0, 1],
    ]);
    expect((await made.search('poison'))[0]?.path).toBe('src/poison.ts');
    tries = 0;
    expect((await made.refresh()).skipped).toHaveLength(1);
    expect(tries).toBe(0);
  },
);

test('a file that hangs among many is met twice, not in every half', async () => {
  for (let at = 0; at < 40; at++) await repository.write(`src/many/file${at}.ts`, source(`fn${at}`));
  let hangs = 0;
  const jobs = plainJobs(async (files, next) => {
    if (!files.some(({ path }) => path === 'src/many/file20.ts')) return next();
    hangs++;
    throw new SelfwareError('timedOut', 'Too long.');
  });
  const made = await index((context) => ({ ...context, jobs }));
  expect((await made.refresh()).skipped).toEqual([{ path: 'src/many/file20.ts', reason: 'analysis timed out' }]);
  expect(hangs).toBe(2);
});

test('trouble that is no file’s fault ends the run', async () => {
  let tries = 0;
  const jobs = plainJobs(async () => {
    tries++;
    throw new SelfwareError('unavailable', 'A grammar could not be read.');
  });
  const made = await index((context) => ({ ...context, jobs }));
  await expect(made.refresh()).rejects.toMatchObject({ reason: 'unavailable' });
  expect(tries).toBe(1);
});

test('a store that fails leaves the records for the next run', async () => {
  let broken = true;
  const made = await index((context) => ({
    ...context,
    chunks: {
      ...context.chunks,
      upsert: (chunks) => (broken ? Promise.reject(new Error('disk full')) : context.chunks.upsert(chunks)),
    },
  }));
  await expect(made.refresh()).rejects.toThrow('disk full');
  expect(await made.context.catalogue.all()).toEqual([]);
  broken = false;
  expect(await made.refresh()).toMatchObject({ embedded: 3, reused: 0 });
});

test('few bytes are inspected one batch at a time, many several at once', async () => {
  let running = 0;
  let most = 0;
  const jobs = plainJobs(async (_files, next) => {
    most = Math.max(most, ++running);
    await yieldNow();
    const inspected = await next();
    running--;
    return inspected;
  });
  const made = await index((context) => ({ ...context, jobs }));
  for (let file = 0; file < 200; file++) await repository.write(`few/n${file}.txt`, `number ${file}\n`);
  expect((await made.refresh()).records.length).toBe(203);
  expect(most).toBe(1);
  // One line each: no more than the beginning of it is cut into chunks.
  for (let file = 0; file < 10; file++) await repository.write(`many/n${file}.txt`, `${file} `.repeat(450_000));
  expect((await made.refresh()).records.length).toBe(213);
  expect(most).toBeGreaterThan(1);
});

test('what is ready first waits for what comes before it in the walk', async () => {
  const ready: string[] = [];
  const stored: string[] = [];
  let others = (): void => {};
  const two = new Promise<void>((done) => (others = done));
  const jobs = plainJobs(async (files, next) => {
    const inspected = await next();
    // The first batch is the last one to be ready.
    if (files.some(({ path }) => path.includes('n0.txt'))) await two;
    ready.push(...files.map(({ path }) => path));
    others();
    return inspected;
  });
  const made = await index((context) => ({
    ...context,
    jobs,
    catalogue: {
      ...context.catalogue,
      put: async (records) => (stored.push(...records.map(({ path }) => path)), context.catalogue.put(records)),
    },
  }));
  for (let file = 0; file < 10; file++) await repository.write(`many/n${file}.txt`, `${file} `.repeat(450_000));
  const { records } = await made.refresh();
  const many = (paths: readonly string[]) => paths.filter((path) => path.startsWith('many/'));
  expect(many(ready)[0]).not.toBe('many/n0.txt');
  expect(many(stored)).toEqual(many(records.map(({ path }) => path)));
});
